"""Collections that are already in memory: strings, mappings, pandas and polars frames, Arrow, Hugging Face datasets.

None of these packages is imported: a source is recognised by its type's package and its methods.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from neardup import _core
from neardup.errors import InputError
from neardup.read.columns.batches import Item, Row, make_batch, string_array
from neardup.read.columns.objects import iterate_in_batches, make_table, plan_objects, spell, to_record
from neardup.read.columns.plan import Plan, plan_columns
from neardup.read.columns.projection import as_text, longest_column, project
from neardup.read.reading import Reading
from neardup.read.times import Clock
from neardup.records import Documents

_BATCH = 10_000
_SAMPLED = 500
_ASK = "pass a path, a list of strings, mappings, a frame, an Arrow table or a dataset"


def are_texts(source: Any) -> bool:
    """Return whether a source is a list that contains only strings."""
    return isinstance(source, list) and _core.are_strings(source)


def wrap_texts(texts: list[str], reading: Reading) -> Documents:
    """Return a list of strings as a collection, without copying; empty texts are found when they are tokenised."""
    if reading.wanted.named():
        raise InputError("a list of strings has no columns to name: pass mappings, a frame or a table")
    return Documents(texts, counts={**reading.counts, "records": len(texts)})


def read_memory(source: Any, reading: Reading) -> Iterator[Item]:
    """Yield the documents of a collection in memory."""
    package = type(source).__module__.partition(".")[0]
    if package == "polars" and hasattr(source, "collect"):
        source = source.collect()
    if isinstance(source, Mapping):
        raise InputError(f"a mapping from {_some(source)} is not a collection: {_ASK} (for a dataset, name the split)")
    if isinstance(source, (bytes, bytearray)) or hasattr(source, "read"):
        raise InputError(f"{type(source).__name__} is not a collection: {_ASK}")
    if package == "datasets" and hasattr(source, "select_columns") and hasattr(source, "__getitem__"):
        return _read_dataset(source, reading)
    if package == "pandas" and hasattr(source, "index"):
        return _read_frame(source if hasattr(source, "columns") else source.to_frame("text"), reading)
    arrow = _to_arrow(source)
    if isinstance(arrow, pa.ChunkedArray):
        return (make_batch(as_text(chunk, "text")) for chunk in arrow.chunks)
    if arrow is not None:
        return _read_batches(arrow, reading)
    if package == "numpy" and hasattr(source, "tolist"):
        source = source.tolist()
    if not isinstance(source, Iterable):
        raise InputError(f"{type(source).__name__} is not a collection: {_ASK}")
    return _read_items(source, reading)


def _some(source: Mapping[Any, Any]) -> str:
    return ", ".join(repr(key) for key in itertools.islice(source, 3)) or "nothing"


def _to_arrow(source: Any) -> pa.RecordBatchReader | pa.ChunkedArray | None:  # noqa: PLR0911 - one per kind
    """Return a source that is Arrow, or can be converted without copying, as a reader or a column."""
    match source:
        case pa.RecordBatchReader() | pa.ChunkedArray():
            return source
        case pa.Table():
            return source.to_reader()
        case pa.RecordBatch():
            return pa.RecordBatchReader.from_batches(source.schema, [source])
        case pa.Array():
            return pa.chunked_array([source])
    if not hasattr(source, "__arrow_c_stream__"):
        return None
    try:
        return pa.RecordBatchReader.from_stream(source)
    except pa.ArrowInvalid:
        return pa.chunked_array(source)


def _read_batches(reader: pa.RecordBatchReader, reading: Reading) -> Iterator[Item]:
    clock, plan = Clock(), None
    for batch in reader:
        if plan is None:
            plan = plan_columns(batch.schema.names, reading, "the table", partial(longest_column, batch[:_SAMPLED]))
            reading.note("table", plan.guess)
        yield project(batch, plan, clock)
    reading.counts["times_unparsed"] += clock.unparsed


def _read_dataset(dataset: Any, reading: Reading) -> Iterator[Item]:
    table = dataset.with_format("arrow")
    first = table[:_SAMPLED]
    plan = plan_columns(dataset.column_names, reading, "the dataset", partial(longest_column, first))
    reading.note("dataset", plan.guess)
    clock = Clock()
    for part in table.select_columns(plan.columns()).iter(batch_size=_BATCH):
        yield project(part, plan, clock)
    reading.counts["times_unparsed"] += clock.unparsed


def _read_frame(frame: Any, reading: Reading) -> Iterator[Item]:
    if frame.index.name is not None:
        frame = frame.reset_index()
    frame = frame.set_axis([str(name) for name in frame.columns], axis="columns")
    names = list(dict.fromkeys(frame.columns))
    first = frame[:_SAMPLED]
    plan = plan_columns(
        names, reading, "the frame", lambda candidates: longest_column(_frame_table(first, candidates), candidates)
    )
    reading.note("frame", plan.guess)
    clock = Clock()
    yield project(_frame_table(frame, plan.columns(), reading.counts), plan, clock)
    reading.counts["times_unparsed"] += clock.unparsed


def _frame_table(frame: Any, names: Sequence[str], counts: dict[str, int] | None = None) -> pa.Table:
    """Convert columns one by one; a column with objects of several types becomes strings."""
    columns = []
    for name in names:
        series = frame.iloc[:, list(frame.columns).index(name)]
        try:
            columns.append(pa.Array.from_pandas(series))
        except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError, OverflowError):
            values = [None if gap else spell(value) for value, gap in zip(series, series.isna(), strict=True)]
            columns.append(string_array(values, pa.large_string(), counts))
    return pa.table(columns, list(names))


def _read_items(source: Iterable[Any], reading: Reading) -> Iterator[Item]:
    """Yield mappings and strings; None is a document that could not be read."""
    plan: Plan | None = None
    clock = Clock()
    for number, items in enumerate(iterate_in_batches(iter(source), _BATCH)):
        records = [_to_record(item, index) for index, item in enumerate(items, number * _BATCH)]
        good = [record for record in records if record is not None]
        if plan is None and good:
            plan = plan_objects(good, reading, "the items")
            if any(isinstance(item, Mapping) for item in items):
                reading.note("items", plan.guess)
        for index, record in enumerate(records, number * _BATCH):
            if record is None:
                reading.fail(f"item {index}", "it is None")
        if plan is None:
            yield from (Row(None, unreadable=True) for _ in records)
        else:
            bad = np.array([record is None for record in records], bool)
            yield project(make_table(records, plan.columns(), reading.counts), plan, clock, bad)
    reading.counts["times_unparsed"] += clock.unparsed


def _to_record(item: Any, index: int) -> Mapping[str, Any] | None:
    record = to_record(item)
    if record is None and item is not None:
        raise InputError(f"item {index} is of type {type(item).__name__}: a collection contains strings or mappings")
    return record
