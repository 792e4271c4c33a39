"""Arrow files and streams, and Feather files, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.ipc

from neardup.read.columns.batches import Item
from neardup.read.columns.plan import plan_columns
from neardup.read.columns.projection import longest_column, project
from neardup.read.files.entries import Entry
from neardup.read.formats.columnar.opening import (
    SAMPLED_ROWS,
    change_texts,
    note_columns,
    open_source,
    reporting_damage,
)
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy
from neardup.read.reading import Reading
from neardup.read.times import Clock

_FILE, _OLD_FEATHER, _STREAM = b"ARROW1", b"FEA1", b"\xff\xff\xff\xff"


def read_arrow(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the rows of an Arrow or Feather file."""
    clock, plan = Clock(), None
    with reporting_damage("Arrow"), open_source(entry, reading) as source:
        for batch in _read_batches(source):
            if plan is None:
                first = batch.slice(0, SAMPLED_ROWS)
                plan = plan_columns(first.schema.names, reading, entry.name, partial(longest_column, first))
            yield project(batch, plan, clock)
    if plan is not None:
        note_columns(entry, reading, "Arrow", plan, clock)


def write_arrow(copy: Copy) -> bool:
    """Write the rows to keep, batch by batch, as a file or a stream as before."""
    with reporting_damage("Arrow"), open_source(copy.entry, copy.reading) as source:
        new = pa.ipc.new_file if source.read(len(_FILE)) == _FILE else pa.ipc.new_stream
        source.seek(0)
        writer, text = None, None
        for batch in _read_batches(source):
            if writer is None:
                writer = new(pa.PythonFile(copy.sink, "w"), batch.schema)
                first = batch.slice(0, SAMPLED_ROWS)
                longest = partial(longest_column, first)
                text = plan_columns(first.schema.names, copy.reading, copy.entry.name, longest).text
            kept = pa.array(copy.keep.take(batch.num_rows))
            writer.write_batch(change_texts(batch, text, copy).filter(kept))
        if writer is not None:
            writer.close()
    return True


def _read_batches(source: pa.NativeFile) -> Iterator[pa.RecordBatch]:
    """Yield the batches of an Arrow file, a stream or an old Feather file."""
    head = source.read(len(_FILE))
    source.seek(0)
    if head.startswith(_OLD_FEATHER):
        yield from pa.feather.read_table(source).to_batches()
    elif head == _FILE:
        file = pa.ipc.open_file(source)
        for number in range(file.num_record_batches):
            yield _validate(file.get_batch(number))
    else:
        for batch in pa.ipc.open_stream(source):
            yield _validate(batch)


def _validate(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Check that no offset of this untrusted input points outside its bytes; invalid UTF-8 is repaired later."""
    for column in batch.columns:
        text = column.type in (pa.string(), pa.large_string())
        (pc.cast(column, pa.large_binary()) if text else column).validate(full=True)
    return batch


ARROW = DocumentFormat(
    name="Arrow",
    suffixes=(".arrow", ".arrows", ".feather", ".ipc"),
    magic=(_FILE, _OLD_FEATHER, _STREAM),
    binary=True,
    read=read_arrow,
    write=write_arrow,
    changes_texts=True,
)
