"""A collection of documents in memory, column by column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.records.ids import complete_ids
from neardup.records.schemas import OK
from neardup.records.text_column import Integers, TextColumn


@dataclass(frozen=True, slots=True, init=False)
class Documents:
    """A collection in input order, one column per property; a property that no document has is None.

    `texts` takes a list of strings or an Arrow column, with null where a record could not be read. Ids are unique
    strings; a collection without ids uses the positions. `attributes` holds further columns that some detectors use
    (sender, receiver, docket, topic, relayer). `notes` says, in plain sentences, what the reader guessed; `seconds` is
    the time that reading took.
    """

    texts: TextColumn
    ids: pa.ChunkedArray | None
    times: pa.ChunkedArray | None
    statuses: pa.ChunkedArray | None
    html: npt.NDArray[np.bool_] | None
    attributes: pa.Table | None
    inputs: tuple[str, ...]
    notes: tuple[str, ...]
    counts: Mapping[str, int]
    seconds: float

    def __init__(  # noqa: PLR0913 - one parameter per column
        self,
        texts: TextColumn | list[str] | pa.ChunkedArray,
        *,
        ids: pa.ChunkedArray | None = None,
        times: pa.ChunkedArray | None = None,
        statuses: pa.ChunkedArray | None = None,
        html: npt.NDArray[np.bool_] | None = None,
        attributes: pa.Table | None = None,
        inputs: tuple[str, ...] = (),
        notes: tuple[str, ...] = (),
        counts: Mapping[str, int] | None = None,
        seconds: float = 0.0,
    ) -> None:
        column = texts if isinstance(texts, TextColumn) else TextColumn(texts)
        values = (column, ids, times, statuses, html, attributes, inputs, notes, dict(counts or {}), seconds)
        for field, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, field.name, value)

    def __len__(self) -> int:
        return len(self.texts)

    def id_column(self) -> pa.ChunkedArray:
        """Return the ids; for a collection without ids, the positions as strings."""
        if self.ids is not None:
            return self.ids
        return pa.chunked_array([pc.cast(pa.array(np.arange(len(self))), pa.string())])

    def text(self, index: int) -> str:
        """Return one text; the empty string if it could not be read."""
        return self.texts[index]

    def slice(self, start: int, end: int) -> Documents:
        """Return the documents from `start` up to, not including, `end`, without what describes the whole input."""
        count = end - start
        return Documents(
            self.texts.slice(start, end),
            ids=None if self.ids is None else self.ids.slice(start, count),
            times=None if self.times is None else self.times.slice(start, count),
            statuses=None if self.statuses is None else self.statuses.slice(start, count),
            html=None if self.html is None else self.html[start:end],
            attributes=None if self.attributes is None else self.attributes.slice(start, count),
        )

    def take(self, rows: Integers) -> Documents:
        """Return the documents of these rows, without what describes the whole input."""
        chosen = pa.array(rows)
        return Documents(
            self.texts.take(rows),
            ids=None if self.ids is None else self.ids.take(chosen),
            times=None if self.times is None else self.times.take(chosen),
            statuses=None if self.statuses is None else self.statuses.take(chosen),
            html=None if self.html is None else self.html[rows],
            attributes=None if self.attributes is None else self.attributes.take(chosen),
        )

    def concatenate(self, other: Documents) -> Documents:
        """Append another collection; an id that both have gets a suffix in the second one.

        Where only one of the two has a column, the other one's rows are null in it, or `ok` for statuses.
        """
        parts = (self, other)
        ids, repeated = complete_ids(pa.chunked_array([chunk for part in parts for chunk in part.id_column().chunks]))
        counts = {name: sum(part.counts.get(name, 0) for part in parts) for part in parts for name in part.counts}
        return Documents(
            self.texts.concatenate(other.texts),
            ids=ids,
            times=_join_columns([(part.times, len(part)) for part in parts]),
            statuses=_join_columns([(part.statuses, len(part)) for part in parts], OK),
            html=_join_flags([(part.html, len(part)) for part in parts]),
            attributes=_join_tables([(part.attributes, len(part)) for part in parts]),
            inputs=self.inputs + other.inputs,
            notes=self.notes + other.notes,
            counts=counts | ({"repeated_ids": repeated} if repeated else {}),
            seconds=self.seconds + other.seconds,
        )


def _join_columns(columns: list[tuple[pa.ChunkedArray | None, int]], fill: str | None = None) -> pa.ChunkedArray | None:
    """Concatenate columns; an absent one is `fill` throughout. All of them absent: None."""
    kind = next((column.type for column, _ in columns if column is not None), None)
    if kind is None:
        return None
    parts = ([pa.array([fill] * size, kind)] if column is None else column.chunks for column, size in columns)
    return pa.chunked_array([chunk for part in parts for chunk in part], kind)


def _join_flags(columns: list[tuple[npt.NDArray[np.bool_] | None, int]]) -> npt.NDArray[np.bool_] | None:
    if all(flags is None for flags, _ in columns):
        return None
    return np.concatenate([np.zeros(size, np.bool_) if flags is None else flags for flags, size in columns])


def _join_tables(tables: list[tuple[pa.Table | None, int]]) -> pa.Table | None:
    names = dict.fromkeys(name for table, _ in tables if table is not None for name in table.column_names)
    if not names:
        return None
    complete = [
        pa.table({name: pa.nulls(size, pa.string()) for name in names}) if table is None else table
        for table, size in tables
    ]
    return pa.concat_tables(complete, promote_options="default")
