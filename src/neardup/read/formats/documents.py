"""JSON that is one document: an array of objects, or an object that holds one.

The file is read whole and its items are decoded one after the other, so that an item that is broken is one unreadable
record and rewriting can copy the others as they stand. The first item after a broken one is looked for behind the next
brace and comma.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from neardup.read.batches import Item
from neardup.read.columns import Plan
from neardup.read.encodings import Transcoder
from neardup.read.entries import Entry
from neardup.read.formats.objects import iterate_in_batches, make_table, plan_objects, to_record
from neardup.read.projection import project
from neardup.read.reading import Reading, Unreadable
from neardup.read.streams import Stream, read_whole
from neardup.read.times import Clock

_SPACE = re.compile(r"[ \t\r\n]*")
_NEXT = re.compile(r"\}[ \t\r\n]*,[ \t\r\n]*(?=\{)")
_ARRAY = re.compile(r"\[[ \t\r\n]*[{\]]")
_BATCH = 10_000
_MOST_BAD = 1000  # since to find out that an item is bad takes longer the later it stands
_KNOWN = ("data", "records", "rows", "items", "results", "documents", "comments", "docs", "messages")

_decode = json.JSONDecoder().raw_decode


class Piece(NamedTuple):
    """One item of an array and where it stands; `value` is None if it cannot be decoded."""

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
        for place, record in enumerate(records):
            if record is None:
                reading.fail(f"{entry.name}, item {number * _BATCH + place + 1}", "no valid JSON object")
        bad = np.array([record is None for record in records], bool)
        shown = plan or Plan("text")
        yield project(make_table(records, shown.columns(), reading.counts), shown, clock, bad)
    reading.counts["times_unparsed"] += clock.unparsed
    reading.note(
        entry.name, f"JSON in {transcoder.encoding.upper()}; {plan.guess}" if plan else "JSON, but it holds no objects"
    )


def find_pieces(text: str) -> Iterator[Piece]:
    """Yield the items of the array that a JSON document is or holds; an object without one is one item."""
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
        raise Unreadable(f"it is no valid JSON ({problem})") from None
    inner = value.get("data")
    yield Piece(start, end, inner if isinstance(inner, Mapping) and "attributes" in inner else value)


def _find_array(text: str, start: int) -> int | None:
    """Find the field of an object that is an array of objects, a known name before another."""
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
        # What follows is broken; an array found before it can still be read.
        pass
    return next(iter(found.values())) if len(found) == 1 else None


def _items(text: str, start: int) -> Iterator[Piece]:
    position, bad = _skip(text, start + 1), 0
    while not text.startswith("]", position):
        try:
            value, end = _decode(text, position)
            after = _skip(text, end)
            if text[after : after + 1] not in (",", "]"):
                raise ValueError("an item is followed by something else")
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
