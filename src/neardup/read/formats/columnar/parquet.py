"""Parquet files: only the columns that are needed, batch by batch."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pyarrow as pa
import pyarrow.parquet as pq

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

_ROWS = 8192


def read_parquet(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the rows of a Parquet file."""
    with reporting_damage("Parquet"), open_source(entry, reading) as source:
        file = pq.ParquetFile(source)
        first = next(file.iter_batches(SAMPLED_ROWS), file.schema_arrow.empty_table())
        plan = plan_columns(first.schema.names, reading, entry.name, partial(longest_column, first))
        rows, size = max(file.metadata.num_rows, 1), entry.path.stat().st_size if entry.path else 0
        clock = Clock()
        for batch in file.iter_batches(_ROWS, columns=plan.columns()):
            yield project(batch, plan, clock)
            reading.advance(size * batch.num_rows // rows)
    note_columns(entry, reading, "Parquet", plan, clock)


def write_parquet(copy: Copy) -> bool:
    """Write the rows to keep, row group by row group, with schema, metadata and compression."""
    with reporting_damage("Parquet"), open_source(copy.entry, copy.reading) as source:
        file = pq.ParquetFile(source)
        codec, text = _find_codec(file), _find_text(file, copy)
        with pq.ParquetWriter(pa.PythonFile(copy.sink, "w"), file.schema_arrow, compression=codec) as writer:
            for number in range(file.num_row_groups):
                table = file.read_row_group(number)
                kept = pa.array(copy.keep.take(table.num_rows))
                table = change_texts(table, text, copy).filter(kept)
                if table.num_rows:
                    writer.write_table(table, row_group_size=table.num_rows)
    return True


def _find_text(file: pq.ParquetFile, copy: Copy) -> str | None:
    first = next(file.iter_batches(SAMPLED_ROWS), file.schema_arrow.empty_table())
    return plan_columns(first.schema.names, copy.reading, copy.entry.name, partial(longest_column, first)).text


def _find_codec(file: pq.ParquetFile) -> str:
    metadata = file.metadata
    if not metadata.num_row_groups or not metadata.num_columns:
        return "snappy"
    codec = str(metadata.row_group(0).column(0).compression).lower()
    return "none" if codec == "uncompressed" else codec


PARQUET = DocumentFormat(
    name="Parquet",
    suffixes=(".parquet", ".pq"),
    magic=(b"PAR1",),
    binary=True,
    read=read_parquet,
    write=write_parquet,
    changes_texts=True,
)
