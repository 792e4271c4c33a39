"""Parquet and Arrow files: only the columns that are needed, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq

from neardup.read.batches import Item
from neardup.read.columns import Plan, plan_columns
from neardup.read.entries import Entry
from neardup.read.projection import longest_column, project
from neardup.read.reading import Reading, Unreadable
from neardup.read.streams import read_whole
from neardup.read.times import Clock

_ROWS = 8192
_SAMPLED = 500


def read_parquet(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the rows of a Parquet file."""
    with explained("Parquet"), open_source(entry, reading) as source:
        file = pq.ParquetFile(source)
        first = next(file.iter_batches(_SAMPLED), file.schema_arrow.empty_table())
        plan = plan_columns(first.schema.names, reading, entry.name, partial(longest_column, first))
        rows, size = max(file.metadata.num_rows, 1), entry.path.stat().st_size if entry.path else 0
        clock = Clock()
        for batch in file.iter_batches(_ROWS, columns=plan.columns()):
            yield project(batch, plan, clock)
            reading.advance(size * batch.num_rows // rows)
    _finish(entry, reading, "Parquet", plan, clock)


def read_arrow(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the rows of an Arrow or Feather file."""
    clock, plan = Clock(), None
    with explained("Arrow"), open_source(entry, reading) as source:
        for batch in arrow_batches(source):
            if plan is None:
                first = batch.slice(0, _SAMPLED)
                plan = plan_columns(first.schema.names, reading, entry.name, partial(longest_column, first))
            yield project(batch, plan, clock)
    if plan is not None:
        _finish(entry, reading, "Arrow", plan, clock)


def arrow_batches(source: Any) -> Iterator[pa.RecordBatch]:
    """Yield the batches of an Arrow file, stream or old Feather file."""
    head = source.read(6)
    source.seek(0)
    if head.startswith(b"FEA1"):
        yield from pa.feather.read_table(source).to_batches()
    elif head == b"ARROW1":
        file = pa.ipc.open_file(source)
        for number in range(file.num_record_batches):
            yield _checked(file.get_batch(number))
    else:
        for batch in pa.ipc.open_stream(source):
            yield _checked(batch)


@contextmanager
def open_source(entry: Entry, reading: Reading) -> Iterator[Any]:
    """Open a file for Arrow, from disk or from memory."""
    if entry.path is not None:
        with pa.OSFile(str(entry.path)) as source:
            yield source
    else:
        yield pa.BufferReader(read_whole(entry.stream, reading.limits))


@contextmanager
def explained(kind: str) -> Iterator[None]:
    """Say in plain words that a file is broken."""
    try:
        yield
    except (pa.ArrowException, OSError, EOFError, ValueError, KeyError) as problem:
        raise Unreadable(f"it is no valid {kind} file ({str(problem).partition(chr(10))[0]})") from None


def _checked(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Check that no offset points beyond the bytes, which come from outside; bad UTF-8 is repaired later."""
    for column in batch.columns:
        text = column.type in (pa.string(), pa.large_string())
        (pc.cast(column, pa.large_binary()) if text else column).validate(full=True)
    return batch


def _finish(entry: Entry, reading: Reading, kind: str, plan: Plan, clock: Clock) -> None:
    reading.counts["times_unparsed"] += clock.unparsed
    reading.note(entry.name, f"{kind}; {plan.guess}")
