"""JSON lines: one object per line.

As with CSV, Arrow parses the fields that are needed, block by block, and a block that Arrow rejects is parsed again
line by line. A block is given to Arrow only if each line begins and ends with a brace: then no object covers several
lines, and an equal number of rows means that lines and rows correspond.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.json

from neardup.read.columns.batches import Item
from neardup.read.columns.objects import make_table, plan_objects, to_record
from neardup.read.columns.plan import Plan
from neardup.read.columns.projection import project
from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy, encode_change
from neardup.read.formats.lines.prefetch import prefetch
from neardup.read.formats.lines.rewriting import Lines, write_lines
from neardup.read.formats.lines.scanning import BLOCK, LONGEST, Block, Rule, cut, scan, skip_blank
from neardup.read.reading import Reading
from neardup.read.times import Clock

LINES = Rule()

SAMPLE_BYTES = 1 << 18

_SAMPLED = 500
_OBJECT_LINES = re.compile(rb'\s*\{\s*"[^\n]*\}[ \t]*\r?\n\s*\{\s*"')
_BLANKS, _COLON = re.compile(r"[\s,]*"), re.compile(r"\s*:\s*")
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
    # Arrow parses the lines themselves, so it can be used only if each line is a record as it is.
    flat = all(value is record for value, record in zip(values, sample, strict=False))
    schema = _schema(sample, plan) if plan and plan.text and flat else None
    clock = Clock()
    try:
        for block, table in prefetch(_scan_lines(stream, reading, skipped), partial(_parse, schema)):
            if table is not None and plan is not None:
                yield project(table, plan, clock)
            else:
                yield _parse_lines(block, plan, clock, entry, reading)
    finally:
        reading.counts["times_unparsed"] += clock.unparsed
        reading.note(
            entry.name,
            f"JSON lines in {transcoder.encoding.upper()}; {plan.guess}"
            if plan
            else "JSON lines, but it contains no object",
        )


def write_json_lines(copy: Copy) -> bool:
    """Write the lines to keep."""
    transcoder = Transcoder(copy.entry.stream, copy.reading)
    stream = Stream(transcoder.read)
    skip_blank(stream, b" \t\r\n")
    if not stream.peek(SAMPLE_BYTES):
        stream.read(1)  # raises Unreadable if the text cannot be decoded
    sample = [record for value in _sample(stream) if (record := to_record(value)) is not None]
    plan = plan_objects(sample, copy.reading, copy.entry.name) if sample else Plan("text")
    write_lines(copy, Lines(transcoder.encoding, transcoder.mark, LINES, False, partial(_replace_text, plan.text)))
    return True


def _replace_text(name: str | None, record: bytes, text: str, encoding: str) -> bytes:
    """Replace the value of a field of an object, or a line that is a string; everything else stays as it is."""
    line = record.decode(encoding, "surrogateescape")
    span = (_BLANKS.match(line).end(), len(line.rstrip()))  # type: ignore[union-attr]  # matches everywhere
    if line[span[0]] == "{":
        span = _find_value(line, span[0] + 1, name)
    new = encode_change(json.dumps(text, ensure_ascii=line[slice(*span)].isascii()), encoding)
    before, after = (part.encode(encoding, "surrogateescape") for part in (line[: span[0]], line[span[1] :]))
    return before + new + after


def _find_value(line: str, offset: int, name: str | None) -> tuple[int, int]:
    """Return where the last value of this name begins and ends in an object."""
    decoder, found = json.JSONDecoder(), (offset, offset)
    while (start := _BLANKS.match(line, offset).end()) < len(line) and line[start] != "}":  # type: ignore[union-attr]
        key, end = decoder.raw_decode(line, start)
        value = _COLON.match(line, end).end()  # type: ignore[union-attr]  # the line was parsed before
        _, end = decoder.raw_decode(line, value)
        found = (value, end) if key == name else found
        offset = end
    return found


def _scan_lines(stream: Stream, reading: Reading, line: int) -> Iterator[Block]:
    for block in scan(stream.read, LINES, line):
        reading.counts["blank_lines"] += len(block.starts) - block.records
        if block.records:
            yield block


def _sample(stream: Stream) -> list[Any]:
    """Parse the first lines that are objects or strings."""
    size = SAMPLE_BYTES
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
    """Return the types of the fields needed; None if one has several types, or one that Arrow parses differently."""
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
    """Parse a block with Arrow; None if it must be parsed line by line."""
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


def _parse_lines(block: Block, plan: Plan | None, clock: Clock, entry: Entry, reading: Reading) -> pa.RecordBatch:
    """Parse a block line by line; a line that is not an object is unreadable."""
    records: list[Mapping[str, Any] | None] = []
    for index in np.flatnonzero(~block.blank).tolist():
        record = to_record(_load(block.raw(index)))
        if record is None:
            reading.fail(partial(block.locate, entry.name, index), "not a valid JSON object")
        records.append(record)
    bad = np.array([record is None for record in records], bool)
    plan = plan or Plan("text")
    return project(make_table(records, plan.columns(), reading.counts), plan, clock, bad)


JSON_LINES = DocumentFormat(
    name="JSON lines",
    suffixes=(".jsonl", ".ndjson", ".jsonlines", ".jl"),
    recognise=lambda head, _suffix: _OBJECT_LINES.match(head) is not None,
    overrides="JSON",
    read=read_json_lines,
    write=write_json_lines,
    changes_texts=True,
)
