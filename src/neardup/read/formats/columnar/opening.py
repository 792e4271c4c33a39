"""Open columnar files, and report damaged ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pyarrow as pa

from neardup.read.columns.plan import Plan
from neardup.read.files.entries import Entry
from neardup.read.files.streams import read_whole
from neardup.read.formats.keeping import Copy
from neardup.read.reading import Reading, Unreadable
from neardup.read.times import Clock

Rows = TypeVar("Rows", pa.RecordBatch, pa.Table)

SAMPLED_ROWS = 500
"""The number of rows by which columns are chosen."""


@contextmanager
def open_source(entry: Entry, reading: Reading) -> Iterator[pa.NativeFile]:
    """Open a file for Arrow, from disk or from memory."""
    if entry.path is not None:
        with pa.OSFile(str(entry.path)) as source:
            yield source
    else:
        yield pa.BufferReader(read_whole(entry.stream, reading.limits))


@contextmanager
def reporting_damage(kind: str) -> Iterator[None]:
    """Turn the errors of Arrow into one that says that the file is damaged."""
    try:
        yield
    except (pa.ArrowException, OSError, EOFError, ValueError, KeyError) as problem:
        raise Unreadable(f"it is not a valid {kind} file ({str(problem).partition(chr(10))[0]})") from None


def change_texts(batch: Rows, name: str | None, copy: Copy) -> Rows:
    """Return a batch or table whose flags were just taken with the new texts of its records."""
    changes = copy.keep.changes(batch.num_rows)
    if not changes or name is None:
        return batch
    index = batch.schema.get_field_index(name)
    field = batch.schema.field(index)
    texts = batch.column(index).to_pylist()
    for row, text in changes.items():
        texts[row] = text
    return batch.set_column(index, field, pa.array(texts, field.type))


def note_columns(entry: Entry, reading: Reading, kind: str, plan: Plan, clock: Clock) -> None:
    """Add the chosen columns to the notes, and the times that could not be parsed to the counts."""
    reading.counts["times_unparsed"] += clock.unparsed
    reading.note(entry.name, f"{kind}; {plan.guess}")
