"""JSON lines: one object on each line.

Block by block like CSV: Arrow parses the fields that are needed, and a block that it refuses is parsed again line by
line. A block goes to Arrow only if each line begins with a brace and ends with one: then no object can go over several
lines, and an equal number of rows means that line and row belong together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json

from neardup.read.batches import Item
from neardup.read.columns import Plan
from neardup.read.encodings import Transcoder
from neardup.read.entries import Entry
from neardup.read.formats.ahead import parse_ahead
from neardup.read.formats.objects import make_table, plan_objects, to_record
from neardup.read.formats.scanning import BLOCK, LONGEST, Block, Rule, cut, scan, skip_blank
from neardup.read.projection import project
from neardup.read.reading import Reading
from neardup.read.streams import Stream
from neardup.read.times import Clock

LINES = Rule()

_SAMPLED = 500
_OPEN, _CLOSE, _RETURN = b"{}\r"
_TYPES = {str: pa.large_string(), int: pa.int64()}


def read_json_lines(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the objects of a JSON lines file."""
    transcoder = Transcoder(entry.stream, reading)
    stream = Stream(transcoder.read)
    skipped = skip_blank(stream, b" \t\r\n")
    reading.counts["blank_lines"] += skipped
    values = _sample(stream)
    sample = [record for value in values if (record := to_record(value)) is not None]
    plan = plan_objects(sample, reading, entry.name) if sample else None
    # Arrow sees the lines as they are, so it can take only those that are their own records.
    flat = all(value is record for value, record in zip(values, sample, strict=False))
    schema = _schema(sample, plan) if plan and plan.text and flat else None
    clock = Clock()
    try:
        for block, table in parse_ahead(_scan_lines(stream, reading, skipped), partial(_parse, schema)):
            if table is not None and plan is not None:
                yield project(table, plan, clock)
            else:
                yield _parse_carefully(block, plan, clock, entry, reading)
    finally:
        reading.counts["times_unparsed"] += clock.unparsed
        reading.note(
            entry.name,
            f"JSON lines in {transcoder.encoding.upper()}; {plan.guess}"
            if plan
            else "JSON lines, but it holds no object",
        )


def _scan_lines(stream: Stream, reading: Reading, line: int) -> Iterator[Block]:
    for block in scan(stream.read, LINES, line):
        reading.counts["blank_lines"] += len(block.starts) - block.records
        if block.records:
            yield block


def _sample(stream: Stream) -> list[Any]:
    """Parse the first lines that are objects or strings."""
    size = 1 << 18
    while True:
        head = stream.peek(size)
        block = cut(head, LINES, final=len(head) < size)
        values = (_load(block.raw(index)) for index in np.flatnonzero(~block.blank).tolist())
        found = list(islice((value for value in values if isinstance(value, (dict, str))), _SAMPLED))
        if found or len(head) < size or size > LONGEST:
            return found
        size *= 4


def _load(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _schema(sample: Sequence[Mapping[str, Any]], plan: Plan) -> pa.Schema | None:
    """Tell the types of the fields that are needed; None if one has several, or one that Arrow does not parse alike."""
    fields = []
    for name in plan.columns():
        types = {type(record[name]) for record in sample if record.get(name) is not None} or {str}
        kind = _TYPES.get(next(iter(types))) if len(types) == 1 else None
        if types <= {int, float} and (name,) in plan.time:
            kind = pa.float64()
        if kind is None:
            return None
        fields.append((name, kind))
    return pa.schema(fields)


def _parse(schema: pa.Schema | None, block: Block) -> pa.Table | None:
    """Parse a block with Arrow; None if it needs more care."""
    if schema is None:
        return None
    codes = np.frombuffer(block.buffer, np.uint8)
    rows = ~block.blank
    starts, ends = block.starts[rows], block.ends[rows]
    last = ends - 1
    last = last - (codes[last] == ord("\n"))
    last = last - (codes[last] == _RETURN)
    if not (codes[starts] == _OPEN).all() or not (codes[last] == _CLOSE).all():
        return None
    start, stop = int(starts[0]), int(ends[-1])
    try:
        table = pa.json.read_json(
            pa.BufferReader(pa.py_buffer(block.buffer).slice(start, stop - start)),
            pa.json.ReadOptions(block_size=max(stop - start + 1, BLOCK)),
            pa.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None
    return table if table.num_rows == block.records else None


def _parse_carefully(block: Block, plan: Plan | None, clock: Clock, entry: Entry, reading: Reading) -> pa.RecordBatch:
    """Parse a block line by line; a line that is no object is unreadable."""
    records: list[Mapping[str, Any] | None] = []
    for index in np.flatnonzero(~block.blank).tolist():
        record = to_record(_load(block.raw(index)))
        if record is None:
            reading.fail(partial(block.place, entry.name, index), "no valid JSON object")
        records.append(record)
    bad = np.array([record is None for record in records], bool)
    plan = plan or Plan("text")
    return project(make_table(records, plan.columns(), reading.counts), plan, clock, bad)
