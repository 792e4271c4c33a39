"""Guess the dialect of a delimited file: its delimiter, its quoting, and whether it has a header.

Every likely rule is tried on the beginning of the file. The best rule is the one under which most records have the same
number of fields, at least two, with balanced quotes. The first record has more weight, since a header has no text that
could contain a stray delimiter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from neardup.errors import InputError
from neardup.read.columns.plan import is_known, match_column
from neardup.read.formats.lines.scanning import Rule, cut, split_fields
from neardup.read.reading import Wanted

SAMPLE = 1 << 18

_RECORDS = 200
_DELIMITERS = (b",", b";", b"\t", b"|")
_NAMES = {b",": "commas", b";": "semicolons", b"\t": "tabs", b"|": "bars"}

# A file of one column has no delimiter; this character takes its role, as it does not occur in text.
_NOTHING = b"\x1f"
_ONE_COLUMN = 0.8

_DATUM = re.compile(r"[-+]?[\d.,]*\d[\d.,]*%?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([T ].*)?|\S+@\S+\.\S+|https?://\S+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a table is split into fields, and the names of its columns, which are unique."""

    rule: Rule
    names: tuple[str, ...]
    header: bool
    sample: tuple[tuple[str, ...], ...]

    def describe(self) -> str:
        """Describe the dialect in a few words."""
        delimiter = _NAMES.get(self.rule.delimiter)
        words = f"separated by {delimiter}" if delimiter else "of one column"
        words += "" if self.rule.quoting else ", quotes read as ordinary characters"
        words += ", quotes escaped by a backslash" if self.rule.escaping else ""
        return words + ("" if self.header else ", without a header")


def find_dialect(sample: bytes, wanted: Wanted, *, whole: bool) -> Dialect:
    """Guess the dialect from the beginning of a file."""
    rule = max(_rules(sample), key=lambda rule: _score(sample, rule, whole=whole))
    records = _records(sample, rule, whole=whole)
    rows = [tuple(field.decode("utf-8", "replace") for field in record) for record in records if record is not None]
    # A broken first record gives no names.
    header = bool(rows) and records[0] is not None and _is_header(rows, wanted)
    rest = rows[1:] if header else rows
    width = Counter(map(len, rest)).most_common(1)[0][0] if rest else len(rows[0]) if rows else 1
    names = rows[0] if header else tuple(f"column{number}" for number in range(1, width + 1))
    if width == len(names) + 1:
        # Rows end with a delimiter that the header lacks, or begin with a row number without a name.
        trailing = not any(row[-1] for row in rest if len(row) == width)
        names = (*names, "") if trailing else ("", *names)
    elif width == len(names) - 1 and not names[-1]:
        names = names[:-1]  # the header ends with a delimiter that the rows lack
    return Dialect(rule, _each_once(names), header, tuple(rest))


def _rules(sample: bytes) -> list[Rule]:
    """List the rules worth trying, the likeliest first, since the first of several equals is taken."""
    rules = [Rule(delimiter, quoting=True) for delimiter in _DELIMITERS if delimiter in sample]
    if b'\\"' in sample:
        rules += [Rule(rule.delimiter, quoting=True, escaping=True) for rule in rules]
    if b'"' in sample:
        rules += [Rule(delimiter) for delimiter in _DELIMITERS if delimiter in sample]
    return [*rules, Rule(_NOTHING, quoting=True)]


def _score(sample: bytes, rule: Rule, *, whole: bool) -> float:
    """Return the share of valid records with the usual number of fields, plus 0.5 if the first one is among them."""
    block = cut(sample, rule, final=whole)
    rows = np.flatnonzero(~block.blank)[:_RECORDS].tolist()
    widths = [0 if block.broken[index] else len(split_fields(block.raw(index), rule)) for index in rows]
    width = Counter(widths[1:] or widths).most_common(1)[0][0] if widths else 0
    if width < 2:
        return _ONE_COLUMN if rule.delimiter == _NOTHING else 0.0
    good = [
        found == width and rule.sound.fullmatch(block.raw(index)) is not None
        for found, index in zip(widths, rows, strict=True)
    ]
    rest = good[1:] or good
    # Tables without quoting are rare, except those with tabs: a few bad rows do not indicate one.
    doubt = 0.0 if rule.quoting else 0.02 if rule.delimiter == b"\t" else 0.3
    return sum(rest) / len(rest) + (0.5 if good[0] else 0.0) - doubt


def _records(sample: bytes, rule: Rule, *, whole: bool) -> list[list[bytes] | None]:
    """Split the first records into fields; None for a broken record."""
    block = cut(sample, rule, final=whole)
    if not len(block.starts):  # one record longer than the sample
        block = cut(sample, rule, final=True)
    rows = np.flatnonzero(~block.blank)[:_RECORDS].tolist()
    return [None if block.broken[index] else split_fields(block.raw(index), rule) for index in rows]


def _is_header(rows: Sequence[Sequence[str]], wanted: Wanted) -> bool:
    """Return whether the first row contains the names of the columns."""
    first = rows[0]
    for name in wanted.named():
        try:
            match_column(name, first, "")
        except InputError:
            continue
        return True
    if any(is_known(cell) for cell in first):
        return True
    if any(_DATUM.fullmatch(cell.strip()) or len(cell) > 60 or "\n" in cell for cell in first):
        return False
    if len(rows) == 1:
        return False  # it may be a document, which must not be dropped
    # A name does not occur as a value below it, and a row of prose is not a header.
    if any(cell and cell in column[1:] for cell, column in zip(first, zip(*rows, strict=False), strict=False)):
        return False
    return all(len(cell.split()) <= 6 for cell in first)


def _each_once(names: Sequence[str]) -> tuple[str, ...]:
    """Number the names that occur more than once, skipping names that are taken."""
    taken = set(names)
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        new = name
        while seen[name] > 1 and (new := f"{name}#{seen[name]}") in taken:
            seen[name] += 1
        taken.add(new)
        unique.append(new)
    return tuple(unique)
