"""Tables in text: CSV, TSV and their kin.

Block by block: the records are cut, Arrow parses the columns that are needed, and only a block that it refuses, or that
gives it another number of rows than were cut, is parsed again record by record, so that a broken row keeps its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.csv

from neardup.read.batches import Item
from neardup.read.columns import Plan, plan_columns
from neardup.read.encodings import Transcoder
from neardup.read.entries import Entry
from neardup.read.formats.ahead import parse_ahead
from neardup.read.formats.dialects import SAMPLE, Dialect, find_dialect
from neardup.read.formats.scanning import Block, scan, skip_blank, split_fields
from neardup.read.projection import project
from neardup.read.reading import Reading
from neardup.read.streams import Stream
from neardup.read.times import Clock


def read_delimited(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the rows of a CSV or TSV file."""
    transcoder = Transcoder(entry.stream, reading)
    stream = Stream(transcoder.read)
    skipped = skip_blank(stream, b"\r\n")
    reading.counts["blank_lines"] += skipped
    sample = stream.peek(SAMPLE)
    dialect = find_dialect(sample, reading.wanted, whole=len(sample) < SAMPLE)
    plan = Plan(dialect.names[0], guess="it holds no records")
    if dialect.sample or dialect.header:
        plan = plan_columns(dialect.names, reading, entry.name, partial(_longest, dialect))
    clock = Clock()
    blocks = (block for block in _scan_rows(stream, dialect, reading, skipped) if block.records)
    try:
        for block, table in parse_ahead(blocks, partial(_parse, dialect, plan)):
            if table is not None:
                yield project(table, plan, clock)
            else:
                yield _parse_carefully(block, dialect, plan, clock, entry, reading)
    finally:
        reading.counts["times_unparsed"] += clock.unparsed
        reading.note(entry.name, f"CSV {dialect.describe()}, in {transcoder.encoding.upper()}; {plan.guess}")


def _scan_rows(stream: Stream, dialect: Dialect, reading: Reading, line: int) -> Iterator[Block]:
    """Cut a table into blocks of rows, without its header, and count the blank lines."""
    header = dialect.header
    for block in scan(stream.read, dialect.rule, line):
        reading.counts["blank_lines"] += len(block.starts) - block.records
        rows = np.flatnonzero(~block.blank)
        if header and len(rows):
            header = False
            yield block.part(slice(int(rows[0]) + 1, None))
        else:
            yield block


def _longest(dialect: Dialect, names: Sequence[str]) -> str | None:
    places = [dialect.names.index(name) for name in names or dialect.names]
    rows = [row for row in dialect.sample if len(row) == len(dialect.names)]
    return dialect.names[max(places, key=lambda place: sum(len(row[place]) for row in rows))]


def _parse(dialect: Dialect, plan: Plan, block: Block) -> pa.Table | None:
    """Parse a block with Arrow; None if it needs more care."""
    if block.broken.any():
        return None
    start, stop = int(block.starts[0]), int(block.ends[-1])
    rule = dialect.rule
    try:
        table = pa.csv.read_csv(
            pa.BufferReader(pa.py_buffer(block.buffer).slice(start, stop - start)),
            pa.csv.ReadOptions(column_names=list(dialect.names), block_size=stop - start + 1),
            pa.csv.ParseOptions(
                delimiter=rule.delimiter.decode(),
                quote_char='"' if rule.quoting else False,
                escape_char="\\" if rule.escaping else False,
                newlines_in_values=True,
            ),
            pa.csv.ConvertOptions(
                include_columns=plan.columns(), column_types=dict.fromkeys(plan.columns(), pa.large_string())
            ),
        )
    except pa.ArrowInvalid:
        return None
    return table if table.num_rows == block.records else None


def _parse_carefully(
    block: Block, dialect: Dialect, plan: Plan, clock: Clock, entry: Entry, reading: Reading
) -> pa.RecordBatch:
    """Parse a block record by record; one with a wrong number of fields is unreadable."""
    width, names = len(dialect.names), plan.columns()
    places = [dialect.names.index(name) for name in names]
    columns: list[list[bytes | None]] = [[] for _ in names]
    bad = np.zeros(block.records, bool)
    for row, index in enumerate(np.flatnonzero(~block.blank).tolist()):
        fields = split_fields(block.raw(index), dialect.rule)
        bad[row] = block.broken[index] or len(fields) != width
        if bad[row]:
            what = (
                "a quote too many or too few, or no end in sight"
                if block.broken[index]
                else f"{len(fields)} field{'' if len(fields) == 1 else 's'} instead of {width}"
            )
            reading.fail(partial(block.place, entry.name, index), what)
        for column, place in zip(columns, places, strict=True):
            column.append(None if bad[row] else fields[place])
    arrays = [pa.array(column, pa.large_binary()) for column in columns]
    return project(pa.table(arrays, names), plan, clock, bad)
