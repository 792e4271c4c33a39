"""How things are stored: texts, ids, times, statuses, counters."""

from __future__ import annotations

import json
import struct
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from neardup.errors import InputError
from neardup.index.tables import FAR, Database
from neardup.read.times import parse_time
from neardup.records import EMPTY, OK, TOO_SHORT, UNREADABLE
from neardup.records.text_column import encode_text
from neardup.stages import NOWHERE

DAY = 86_400_000_000
"""Microseconds."""
STATUSES = (OK, EMPTY, UNREADABLE, TOO_SHORT)
COUNTERS = (
    "documents",
    "distinct",
    "clusters",
    "duplicates",
    "timed",
    "keys",
    "links",
    "common",
    "next_document",
    "next_node",
    "next_cluster",
    "next_event",
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WORTHWHILE = 256
_PLAIN, _PACKED = b"\0", b"\1"
_CODEC = pa.Codec("zstd", 1)


def pack_text(raw: bytes) -> bytes:
    """Return what is stored of a text in UTF-8: compressed where that makes it shorter."""
    if len(raw) >= _WORTHWHILE:
        packed: bytes = _CODEC.compress(raw, asbytes=True)
        if len(packed) + 4 < len(raw):
            return _PACKED + struct.pack("<I", len(raw)) + packed
    return _PLAIN + raw


def unpack_text(stored: bytes) -> str:
    """Return a text as it was."""
    if stored[:1] == _PLAIN:
        return stored[1:].decode()
    (length,) = struct.unpack_from("<I", stored, 1)
    raw: bytes = _CODEC.decompress(stored[5:], length, asbytes=True)
    return raw.decode()


def pack_id(text: str) -> bytes:
    """Return the bytes of an id."""
    return encode_text(text)


def unpack_id(stored: bytes) -> str:
    """Return an id as it was."""
    return bytes(stored).decode()


def pack_status(status: str, *, html: bool) -> int:
    """Return a status and whether the text is HTML as one number."""
    return STATUSES.index(status) * 2 + html


def unpack_status(stored: int) -> tuple[str, bool]:
    """Return the status and whether the text is HTML."""
    return STATUSES[stored // 2], bool(stored % 2)


def day_of(time: int | None) -> int:
    """Return the day of a time, counted from 1970."""
    return NOWHERE if time is None else time // DAY


def pack_time(value: datetime | str | None) -> int | None:
    """Return a time in microseconds since 1970; one without a zone is taken as UTC."""
    if value is None:
        return None
    found = value if isinstance(value, datetime) else parse_time(str(value).strip())
    if found is None:
        raise InputError(f"{value!r} is no time: write it as 2003-11-03 or 2003-11-03T12:00:00Z")
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
    return (found - _EPOCH) // timedelta(microseconds=1)


def unpack_time(stored: int | None) -> datetime | None:
    """Return a stored time."""
    return None if stored is None else _EPOCH + timedelta(microseconds=stored)


def place_of(keep: str | None, time: int | None, number: int) -> int:
    """Return where a document stands among identical ones, the smallest standing for all: by time, or as it came."""
    if keep == "first":
        return number
    return FAR if time is None else -time if keep == "latest" else time


def read_counters(database: Database) -> dict[str, int]:
    """Return how many documents there are and which numbers come next."""
    rows = database.rows("SELECT value FROM facts WHERE name = 'counters'")
    found: dict[str, int] = json.loads(bytes(rows[0][0]))
    return found


def write_counters(database: Database, counters: dict[str, int]) -> None:
    """Store the counters."""
    database.run("UPDATE facts SET value = ? WHERE name = 'counters'", [(json.dumps(counters).encode(),)])


def first_counters() -> dict[str, int]:
    """Return the counters of an empty index."""
    return {name: int(name.startswith("next_") and name != "next_document") for name in COUNTERS}
