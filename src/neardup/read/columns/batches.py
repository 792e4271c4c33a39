"""The output of every reader: Arrow batches of one schema.

Readers of tables yield batches. Readers that produce one document at a time yield rows, which `gather` packs into
batches, so that a folder of 100,000 files does not become 100,000 batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

ATTRIBUTES = ("sender", "receiver", "docket", "topic", "relayer")

TIME = pa.timestamp("us", "UTC")

SCHEMA = pa.schema(
    [
        ("text", pa.large_string()),
        ("id", pa.string()),
        ("time", TIME),
        ("unreadable", pa.bool_()),
        ("html", pa.bool_()),
        *((attribute, pa.string()) for attribute in ATTRIBUTES),
    ]
)

_ROWS = 4096
_CHARACTERS = 1 << 24


class Row(NamedTuple):
    """One document on its way into a batch."""

    text: str | None
    id: str | None = None
    time: datetime | None = None
    unreadable: bool = False
    html: bool = False
    sender: str | None = None
    receiver: str | None = None
    docket: str | None = None
    topic: str | None = None
    relayer: str | None = None


Item: TypeAlias = Row | pa.RecordBatch


def gather(items: Iterable[Item]) -> Iterator[pa.RecordBatch]:
    """Pack rows into batches and pass batches on, in order."""
    rows: list[Row] = []
    characters = 0
    for item in items:
        if isinstance(item, Row):
            rows.append(item)
            characters += len(item.text or "")
            if len(rows) < _ROWS and characters < _CHARACTERS:
                continue
        if rows:
            yield _pack(rows)
            rows, characters = [], 0
        if not isinstance(item, Row):
            yield item
    if rows:
        yield _pack(rows)


def make_batch(
    text: pa.Array,
    *,
    unreadable: npt.NDArray[np.bool_] | None = None,
    html: bool = False,
    **columns: pa.Array,
) -> pa.RecordBatch:
    """Build a batch of the schema; columns that are not given are null."""
    size = len(text)
    given = {
        "text": text,
        "unreadable": pa.array(np.zeros(size, bool) if unreadable is None else unreadable),
        "html": pa.array(np.full(size, html)),
        **columns,
    }
    arrays = [given[field.name] if field.name in given else pa.nulls(size, field.type) for field in SCHEMA]
    return pa.record_batch(arrays, schema=SCHEMA)


def string_array(values: Sequence[str | None], kind: pa.DataType, counts: dict[str, int] | None = None) -> pa.Array:
    """Convert strings to an Arrow array; a lone surrogate, which UTF-8 cannot represent, becomes U+FFFD."""
    try:
        return pa.array(values, kind)
    except UnicodeEncodeError:
        repaired = [value and without_surrogates(value) for value in values]
    if counts is not None:
        replaced = (
            new.count("\ufffd") - old.count("\ufffd") for new, old in zip(repaired, values, strict=True) if new and old
        )
        counts["replaced_characters"] += sum(replaced)
    return pa.array(repaired, kind)


def without_surrogates(text: str) -> str:
    """Join surrogate pairs and replace lone surrogates by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _pack(rows: Sequence[Row]) -> pa.RecordBatch:
    columns = dict(zip(Row._fields, zip(*rows, strict=True), strict=True))
    arrays = []
    for field in SCHEMA:
        values = columns[field.name]
        text = pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
        arrays.append(string_array(values, field.type) if text else pa.array(values, field.type))
    return pa.record_batch(arrays, schema=SCHEMA)
