"""Parse times of many notations into UTC timestamps; a time without a zone is UTC.

Array operations parse ISO 8601 and dates with slashes; the remaining values are parsed one by one, each distinct value
once. A date such as 3/4/2020 is month first, as in the US, unless other values of the column can only be day first.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.read.columns.batches import TIME

_ISO = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?)?"
_ZONE = r" ?(Z|[+-]\d{2}(:?\d{2})?)$"
_SLASHES = r"^(\d{1,2})/(\d{1,2})/(\d{4})"

_CLOCK = (
    r"(?:(?:\s*,|\s+at|T)?\s*(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9})\d*)?)?"
    r"\s*(?P<half>[ap]\.?m\.?)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?"
)
_DAY_NAME = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+)?"
_MONTH = r"(?P<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_PATTERNS = tuple(
    re.compile(day + _CLOCK, re.IGNORECASE)
    for day in (
        r"(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<year>\d{4}|\d{2})",
        r"(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.\s?(?P<year>\d{4}|\d{2})",
        r"(?P<a>\d{1,2})-(?P<b>\d{1,2})-(?P<year>\d{4})",
        r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})",
        rf"{_DAY_NAME}(?P<day>\d{{1,2}})(?:st|nd|rd|th)?[-\s]+{_MONTH}[-\s,]+(?P<year>\d{{4}}|\d{{2}})",
        rf"{_DAY_NAME}{_MONTH}\s*(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})",
        r"(?P<year>\d{4})(?:-(?P<month>\d{2}))?",
    )
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FEW = 64
_LONGEST = 100


class Clock:
    """Parses the time column of one source; `unparsed` counts the values that are not times."""

    def __init__(self) -> None:
        self.unparsed = 0
        self._day_first = False
        self._known: dict[str, datetime | None] = {}

    def read_column(self, values: pa.Array) -> pa.Array:
        """Convert a column of any type to timestamps, null where a value is not a time."""
        kind = values.type
        if pa.types.is_timestamp(kind):
            return _to_utc(values)
        if pa.types.is_date(kind):
            return pc.cast(pc.cast(values, pa.timestamp("us"), safe=False), TIME)
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            values = _from_numbers(values)
        elif not pa.types.is_large_string(kind):
            try:
                values = pc.cast(values, pa.large_string())
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                values = pa.nulls(len(values), pa.large_string())
        return self._read_strings(values) if pa.types.is_large_string(values.type) else values

    def read(self, value: str) -> datetime | None:
        """Parse one value and remember it."""
        value = value.strip()
        if value not in self._known:
            self._known[value] = parse_time(value, day_first=self._day_first)
        return self._known[value]

    def _read_strings(self, values: pa.Array) -> pa.Array:
        values = pc.utf8_trim_whitespace(values)
        values = pc.if_else(pc.equal(pc.binary_length(values), 0), None, values)
        found = _cast_iso(values)
        left = pc.and_(pc.is_null(found), pc.is_valid(values))
        if not pc.any(left).as_py():
            return found
        return pc.replace_with_mask(found, left, self._read_others(pc.filter(values, left)))

    def _read_others(self, values: pa.Array) -> pa.Array:
        """Parse values that are not ISO 8601: rewritten as such if possible, else one distinct value at a time."""
        self._look_for_day_first(values)
        found = _cast_iso(_spell_as_iso(values, day_first=self._day_first))
        left = pc.is_null(found)
        rest = pc.filter(values, left).dictionary_encode()
        parsed = pa.array([self.read(value) for value in rest.dictionary.to_pylist()], TIME).take(rest.indices)
        self.unparsed += parsed.null_count
        return pc.replace_with_mask(found, left, parsed)

    def _look_for_day_first(self, values: pa.Array) -> None:
        parts = pc.extract_regex(values, r"^(?P<a>\d{1,2})/(?P<b>\d{1,2})/\d{2,4}").drop_null()
        if len(parts):
            first, second = (pc.max(pc.cast(pc.struct_field(parts, name), pa.int32())).as_py() for name in "ab")
            self._day_first = self._day_first or first > 12 >= second


def parse_time(value: str, *, day_first: bool = False) -> datetime | None:
    """Parse a time of any known notation; None if it is not a time."""
    if len(value) > _LONGEST:
        return None
    try:
        found = _parse_number(value) or _parse_iso(value) or _parse_pattern(value, day_first) or _parse_mail(value)
        return found and (found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return None


def _parse_number(value: str) -> datetime | None:
    """Parse seconds, milli-, micro- or nanoseconds since 1970, by the number of digits; or 20200131235959."""
    if re.fullmatch(r"(?:19|20)\d{12}", value):
        return datetime.strptime(value, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    if not re.fullmatch(r"-?\d{9,19}(?:\.\d*)?", value):
        return None
    number = float(value)
    return _EPOCH + timedelta(seconds=number / float(_unit(np.array([number]))[0]))


def _parse_iso(value: str) -> datetime | None:
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        return None


def _parse_pattern(value: str, day_first: bool) -> datetime | None:
    match = next((match for pattern in _PATTERNS if (match := pattern.fullmatch(value))), None)
    if match is None:
        return None
    parts = {name: part for name, part in match.groupdict().items() if part is not None}
    year = int(parts["year"])
    year += 0 if len(parts["year"]) > 2 else 1900 if year > 68 else 2000
    if "a" in parts:
        one, other = int(parts["a"]), int(parts["b"])
        month, day = (other, one) if day_first or one > 12 else (one, other)
    else:
        month = _MONTHS.index(parts["name"].lower()) + 1 if "name" in parts else int(parts.get("month", 1))
        day = int(parts.get("day", 1))
    return datetime(year, month, day, tzinfo=UTC) + _parse_clock(parts)


def _parse_clock(parts: dict[str, str]) -> timedelta:
    hour = int(parts.get("hour", 0))
    if "half" in parts:
        hour = hour % 12 + (12 if parts["half"][0] in "pP" else 0)
    micros = int(parts.get("fraction", "0").ljust(6, "0")[:6])
    zone = re.sub(r"[^-+\d]", "", parts.get("zone", ""))
    offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:])) if zone else timedelta()
    minute, second = int(parts.get("minute", 0)), int(parts.get("second", 0))
    if hour > 24 or minute > 59 or second > 60:
        raise ValueError("not a time of day")
    time = timedelta(hours=hour, minutes=minute, seconds=second, microseconds=micros)
    return time + offset if zone.startswith("-") else time - offset


def _parse_mail(value: str) -> datetime | None:
    try:
        return parsedate_to_datetime(value)
    except (TypeError, IndexError):
        return None


def _to_utc(values: pa.Array) -> pa.Array:
    zone = values.type.tz
    return pc.cast(pc.cast(values, pa.timestamp("us", zone), safe=False), TIME)


def _unit(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the number of units per second, derived from the size of the number."""
    return np.array([1.0, 1e3, 1e6, 1e9])[np.searchsorted([1e11, 1e14, 1e17], np.abs(numbers), side="right")]


def _from_numbers(values: pa.Array) -> pa.Array:
    """Convert numbers to times since 1970; if some are too small for that, return them all as strings."""
    numbers = pc.cast(values, pa.float64(), safe=False).to_numpy(zero_copy_only=False).astype(np.float64)
    gaps = ~np.isfinite(numbers)
    if np.any(np.abs(numbers[~gaps]) < 1e8):
        spelled = [
            None if gap else f"{number:.6f}".rstrip("0").rstrip(".") for number, gap in zip(numbers, gaps, strict=True)
        ]
        return pa.array(spelled, pa.large_string())
    numbers = np.where(gaps, 0.0, numbers)
    micros = np.clip(np.round(numbers / _unit(numbers) * 1e6), -6e16, 2.5e17).astype(np.int64)
    return pa.array(micros, mask=gaps).cast(TIME)


def _spell_as_iso(values: pa.Array, *, day_first: bool) -> pa.Array:
    """Rewrite dates with slashes, one-digit months and days, long fractions and the word UTC as ISO 8601."""
    for pattern, spelling in (
        (_SLASHES, r"\3-\2-\1" if day_first else r"\3-\1-\2"),
        (r"^(\d{4})-(\d)-", r"\1-0\2-"),
        (r"^(\d{4}-\d{2})-(\d)(\D|$)", r"\1-0\2\3"),
        (r"^(\d{4}-\d{2}-\d{2})[T ](\d):", r"\1 0\2:"),
        (r"(\.\d{6})\d+", r"\1"),
        (r"(:\d{2}(\.\d+)?) ?(UTC|GMT|Z)$", r"\1Z"),
        (r"(:\d{2}(\.\d+)?) ([+-]\d{2}:?\d{2})$", r"\1\3"),
    ):
        if pc.any(pc.match_substring_regex(values, pattern)).as_py():
            values = pc.replace_substring_regex(values, pattern, spelling)
    return values


def _cast_iso(values: pa.Array) -> pa.Array:
    """Cast ISO 8601 times, with a zone or without; other values become null."""
    plain = _cast_where(values, _ISO + "$", pa.timestamp("us"))
    return plain if not plain.null_count else pc.coalesce(plain, _cast_where(values, _ISO + _ZONE, TIME))


def _cast_where(values: pa.Array, pattern: str, kind: pa.DataType) -> pa.Array:
    """Cast the values that match a pattern; other values become null."""
    fits = pc.fill_null(pc.match_substring_regex(values, pattern), False)
    if not pc.any(fits).as_py():
        return pa.nulls(len(values), TIME)
    found = _cast_or_halve(pc.filter(values, fits), kind)
    return pc.replace_with_mask(pa.nulls(len(values), TIME), fits, found)


def _cast_or_halve(values: pa.Array, kind: pa.DataType) -> pa.Array:
    """Cast all values at once, or each half if that fails; an invalid date affects only its neighbours."""
    try:
        return pc.cast(pc.cast(values, kind), TIME)
    except pa.ArrowInvalid:
        if len(values) <= _FEW:
            return pa.nulls(len(values), TIME)
    middle = len(values) // 2
    halves = [_cast_or_halve(values[:middle], kind), _cast_or_halve(values[middle:], kind)]
    return pa.concat_arrays(halves)
