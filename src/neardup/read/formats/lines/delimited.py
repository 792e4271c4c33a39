"""Delimited text: CSV, TSV and their relatives.

The file is cut into blocks of records, of which Arrow parses the columns that are needed. A block that Arrow rejects,
or in which it finds another number of rows, is parsed again record by record, so that a broken row keeps its position.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv

from neardup.read.columns.batches import Item
from neardup.read.columns.plan import Plan, is_known, names_text, plan_columns
from neardup.read.columns.projection import project
from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy, encode_change
from neardup.read.formats.lines.dialects import SAMPLE, Dialect, find_dialect
from neardup.read.formats.lines.prefetch import prefetch
from neardup.read.formats.lines.rewriting import Lines, write_lines
from neardup.read.formats.lines.scanning import Block, Rule, scan, skip_blank, split_fields
from neardup.read.reading import Reading
from neardup.read.times import Clock

Fail: TypeAlias = Callable[[int, str], None]

_COLUMN_NAME = re.compile(r'\s*"?[^\W\d][\w #.()/-]{0,40}"?\s*')


def read_delimited(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the rows of a CSV or TSV file."""
    transcoder = Transcoder(entry.stream, reading)
    stream = Stream(transcoder.read)
    skipped = skip_blank(stream, b"\r\n")
    reading.counts["blank_lines"] += skipped
    sample = stream.peek(SAMPLE)
    dialect = find_dialect(sample, reading.wanted, whole=len(sample) < SAMPLE)
    plan = Plan(dialect.names[0], guess="it contains no records")
    if dialect.sample or dialect.header:
        plan = plan_columns(dialect.names, reading, entry.name, partial(_longest, dialect))
    clock = Clock()
    blocks = (block for block in _scan_rows(stream, dialect, reading, skipped) if block.records)
    try:
        for block, table in prefetch(blocks, partial(_parse, dialect, plan)):
            if table is not None:
                yield project(table, plan, clock)
            else:
                careful, bad = _parse_rows(block, dialect, plan, partial(_fail, block, entry, reading))
                yield project(careful, plan, clock, bad)
    finally:
        reading.counts["times_unparsed"] += clock.unparsed
        reading.note(entry.name, f"CSV {dialect.describe()}, in {transcoder.encoding.upper()}; {plan.guess}")


def write_delimited(copy: Copy) -> bool:
    """Write the rows to keep, with the header."""
    transcoder = Transcoder(copy.entry.stream, copy.reading)
    stream = Stream(transcoder.read)
    skip_blank(stream, b"\r\n")
    sample = stream.peek(SAMPLE) or stream.read(1)  # raises Unreadable if the text cannot be decoded
    dialect = find_dialect(sample, copy.reading.wanted, whole=len(sample) < SAMPLE)
    text = dialect.names[0]
    if dialect.sample or dialect.header:
        text = plan_columns(dialect.names, copy.reading, copy.entry.name, partial(_longest, dialect)).text or text
    replace = partial(_replace_text, dialect.rule, dialect.names.index(text))
    write_lines(copy, Lines(transcoder.encoding, transcoder.mark, dialect.rule, dialect.header, replace))
    return True


def _replace_text(rule: Rule, column: int, record: bytes, text: str, encoding: str) -> bytes:
    """Replace one field of a record; it is quoted if it was, or if it has to be."""
    start = end = 0
    for index in range(column + 1):
        start = end + 1 if index else 0
        match = rule.field.match(record, start)
        end = match.end() if match else len(record)
    field = encode_change(text, encoding)
    if rule.escaping:
        field = re.sub(rb'(["\\])', rb"\\\1", field)
    elif rule.quoting:
        special = any(mark in field for mark in (b'"', b"\r", b"\n", rule.delimiter))
        if special or record[start : start + 1] == b'"':
            field = b'"' + field.replace(b'"', b'""') + b'"'
    return record[:start] + field + record[end:]


def _fail(block: Block, entry: Entry, reading: Reading, record: int, reason: str) -> None:
    reading.fail(partial(block.locate, entry.name, record), reason)


def _scan_rows(stream: Stream, dialect: Dialect, reading: Reading, line: int) -> Iterator[Block]:
    """Yield blocks of rows, without the header, and count the blank lines."""
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
    indices = [dialect.names.index(name) for name in names or dialect.names]
    rows = [row for row in dialect.sample if len(row) == len(dialect.names)]
    return dialect.names[max(indices, key=lambda index: sum(len(row[index]) for row in rows))]


def _parse(dialect: Dialect, plan: Plan, block: Block) -> pa.Table | None:
    """Parse a block with Arrow; None if it must be parsed record by record."""
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


def _parse_rows(block: Block, dialect: Dialect, plan: Plan, fail: Fail) -> tuple[pa.Table, npt.NDArray[np.bool_]]:
    """Parse a block record by record; return its table and which rows are unreadable."""
    width, names = len(dialect.names), plan.columns()
    indices = [dialect.names.index(name) for name in names]
    columns: list[list[bytes | None]] = [[] for _ in names]
    bad = np.zeros(block.records, bool)
    for row, record in enumerate(np.flatnonzero(~block.blank).tolist()):
        fields = split_fields(block.raw(record), dialect.rule)
        bad[row] = block.broken[record] or len(fields) != width
        if block.broken[record]:
            fail(record, "a quote too many or too few, or a record that is too long")
        elif bad[row]:
            fail(record, f"{len(fields)} field{'' if len(fields) == 1 else 's'} instead of {width}")
        for column, index in zip(columns, indices, strict=True):
            column.append(None if bad[row] else fields[index])
    return pa.table([pa.array(column, pa.large_binary()) for column in columns], names), bad


def _begins_with_names(head: bytes, _suffix: str) -> bool:
    """Return whether the first of several lines has only names of columns, among them a text's and another known."""
    first, newline, _ = head.removeprefix(codecs.BOM_UTF8).partition(b"\n")
    line = first.decode("utf-8", "replace")
    for delimiter in ",;\t|":
        names = line.split(delimiter)
        if newline and len(names) > 1 and all(map(_COLUMN_NAME.fullmatch, names)):
            return any(map(names_text, names)) and sum(map(is_known, names)) > 1
    return False


CSV = DocumentFormat(
    name="CSV",
    suffixes=(".csv", ".tsv", ".tab", ".psv"),
    recognise=_begins_with_names,
    read=read_delimited,
    write=write_delimited,
    changes_texts=True,
)
