"""JSON documents: an array of objects, or an object that contains one.

The file is read whole and its items are decoded one by one, so that a broken item is one unreadable record and the
writer can copy the others unchanged. After a broken item, decoding continues after the next brace and comma.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from neardup.read.columns.batches import Item
from neardup.read.columns.objects import iterate_in_batches, make_table, plan_objects, to_record
from neardup.read.columns.plan import Plan
from neardup.read.columns.projection import project
from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.originals import read_original
from neardup.read.files.streams import Stream, read_whole
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy
from neardup.read.reading import Reading, Unreadable
from neardup.read.times import Clock

_JSON_START = re.compile(rb'\s*(?:\[\s*\{\s*"|\{\s*"[^"\\\n]{1,80}"\s*:)')

_SPACE = re.compile(r"[ \t\r\n]*")
_NEXT = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
_ARRAY = re.compile(r"\[[ \t\r\n]*[{\]]")
_BATCH = 10_000
_MOST_BAD = 1000  # since detecting a bad item takes longer the later it comes
_KNOWN = ("data", "records", "rows", "items", "results", "documents", "comments", "docs", "messages")

_decode = json.JSONDecoder().raw_decode


class Piece(NamedTuple):
    """One item of an array and its offsets; `value` is None if it cannot be decoded."""

    start: int
    end: int
    value: Any


def read_json(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the items of a JSON document."""
    transcoder = Transcoder(entry.stream, reading)
    text = read_whole(Stream(transcoder.read), reading.limits).decode("utf-8")
    plan, clock = None, Clock()
    for number, pieces in enumerate(iterate_in_batches(find_pieces(text), _BATCH)):
        records = [to_record(piece.value) for piece in pieces]
        good = [record for record in records if record is not None]
        plan = plan or (plan_objects(good, reading, entry.name) if good else None)
        for index, record in enumerate(records, number * _BATCH + 1):
            if record is None:
                reading.fail(f"{entry.name}, item {index}", "not a valid JSON object")
        bad = np.array([record is None for record in records], bool)
        shown = plan or Plan("text")
        yield project(make_table(records, shown.columns(), reading.counts), shown, clock, bad)
    reading.counts["times_unparsed"] += clock.unparsed
    reading.note(
        entry.name,
        f"JSON in {transcoder.encoding.upper()}; {plan.guess}" if plan else "JSON, but it contains no objects",
    )


def write_json(copy: Copy) -> bool:
    """Write the items of an array that are kept, each with the comma and the white space before it."""
    text, encode = read_original(copy.entry, copy.reading)
    pieces = list(find_pieces(text))
    kept = copy.keep.take(len(pieces))
    if not pieces:
        copy.sink.write(encode(text))
        return True
    if not text[: pieces[0].start].strip("\ufeff \t\r\n"):  # the document is one object
        copy.sink.write(encode(text) if kept[0] else b"")
        return bool(kept[0])
    written = [text[: pieces[0].start]]
    for index in np.flatnonzero(kept).tolist():
        between = text[pieces[index - 1].end : pieces[index].start] if len(written) > 1 else ""
        written += [between, text[pieces[index].start : pieces[index].end]]
    copy.sink.write(encode("".join([*written, text[pieces[-1].end :]])))
    return True


def find_pieces(text: str) -> Iterator[Piece]:
    """Yield the items of the array that a JSON document is or contains; an object without one is one item."""
    start = _skip(text, 0)
    if text.startswith("[", start):
        yield from _items(text, start)
        return
    if not text.startswith("{", start):
        raise Unreadable("it is neither a JSON array nor an object")
    array = _find_array(text, start)
    if array is not None:
        yield from _items(text, array)
        return
    try:
        value, end = _decode(text, start)
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"it is not valid JSON ({problem})") from None
    inner = value.get("data")
    yield Piece(start, end, inner if isinstance(inner, Mapping) and "attributes" in inner else value)


def _find_array(text: str, start: int) -> int | None:
    """Find the field of an object that is an array of objects; a known name comes first."""
    found: dict[str, int] = {}
    position = _skip(text, start + 1)
    try:
        while text.startswith('"', position):
            key, position = _decode(text, position)
            position = _skip(text, _skip(text, position) + 1)
            array = _ARRAY.match(text, position)
            if array and key in _KNOWN:
                return position
            if array and array.group().endswith("{"):
                found[key] = position
            _, position = _decode(text, position)
            position = _skip(text, _skip(text, position) + 1)
    except (ValueError, RecursionError):
        # The rest is broken; an array found before can still be read.
        pass
    return next(iter(found.values())) if len(found) == 1 else None


def _items(text: str, start: int) -> Iterator[Piece]:
    position, bad = _skip(text, start + 1), 0
    while not text.startswith("]", position):
        try:
            value, end = _decode(text, position)
            after = _skip(text, end)
            if text[after : after + 1] not in (",", "]"):
                raise ValueError("an item is not followed by a comma or a bracket")
        except (ValueError, RecursionError):
            resumed = _NEXT.search(text, position)
            bad += 1
            if resumed is None or bad > _MOST_BAD:
                yield Piece(position, len(text), None)
                return
            value, end, after = None, resumed.start() + 1, text.index(",", resumed.start())
        yield Piece(position, end, value)
        position = _skip(text, after + 1) if text.startswith(",", after) else after


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


JSON = DocumentFormat(
    name="JSON",
    suffixes=(".json",),
    recognise=lambda head, _suffix: _JSON_START.match(head) is not None,
    read=read_json,
    write=write_json,
)
