"""Convert the columns of a plan, whatever their types, to a batch of the schema that readers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.errors import InputError
from neardup.read.columns.batches import TIME, make_batch
from neardup.read.columns.plan import Picks, Plan
from neardup.read.times import Clock
from neardup.records.text_column import string_buffers

Table: TypeAlias = pa.Table | pa.RecordBatch


def project(table: Table, plan: Plan, clock: Clock, unreadable: npt.NDArray[np.bool_] | None = None) -> pa.RecordBatch:
    """Return a batch of the chosen columns; rows marked unreadable have no text."""
    if plan.text is None:
        size = table.num_rows if unreadable is None else len(unreadable)
        return make_batch(pa.nulls(size, pa.large_string()), unreadable=np.ones(size, bool))
    columns = {
        attribute: pc.cast(found, pa.string())
        for attribute, picks in plan.attributes.items()
        if (found := _pick(table, picks)) is not None
    }
    if plan.id is not None:
        columns["id"] = _as_ids(take_column(table, plan.id))
    if plan.time:
        columns["time"] = _as_times(table, plan.time, clock)
    text = as_text(take_column(table, plan.text), plan.text)
    if unreadable is not None and unreadable.any():
        text = pc.if_else(pa.array(unreadable), None, text)
    return make_batch(text, unreadable=unreadable, html=plan.html, **columns)


def take_column(table: Table, name: str) -> pa.Array:
    """Return the first column of a name as one array."""
    column = table.column(table.schema.names.index(name))
    if not isinstance(column, pa.ChunkedArray):
        return _without_view(column)
    chunks = [_without_view(chunk) for chunk in column.chunks]
    if len(chunks) == 1:
        return chunks[0]
    wide = [pc.cast(chunk, pa.large_string()) if is_string(chunk.type) else chunk for chunk in chunks]
    return pa.concat_arrays(wide) if wide else pa.array([], column.type)


def as_text(column: pa.Array, name: str) -> pa.Array:
    """Convert a column to valid large strings; raise InputError if its type cannot be text."""
    text = _to_strings(column)
    if text is None:
        raise InputError(f"the column {name!r} has type {column.type}, which is not text: name another with text=")
    return text


def longest_column(table: Table, names: Sequence[str]) -> str | None:
    """Return the string column whose values are the longest on average."""
    best, best_length = None, 0.0
    for name in dict.fromkeys(names):
        column = take_column(table, name)
        if not (is_string(column.type) or pa.types.is_dictionary(column.type)):
            continue
        text = _to_strings(column)
        length = 0.0 if text is None else pc.mean(pc.binary_length(text)).as_py() or 0.0
        if length > best_length:
            best, best_length = name, length
    return best


def is_string(kind: pa.DataType) -> bool:
    """Return whether a type is one of the string types of Arrow."""
    return kind in (pa.string(), pa.large_string(), pa.string_view())


def _without_view(column: pa.Array) -> pa.Array:
    """Convert a view type, as polars uses, to the plain type."""
    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}.get(column.type)
    if plain is None:
        return column
    try:
        return pc.cast(column, plain)
    except pa.ArrowNotImplementedError:  # older releases of Arrow
        return pa.array(column.to_pylist(), plain)


def _to_strings(column: pa.Array) -> pa.Array | None:  # noqa: PLR0911 - one per kind of type
    """Return the column as large strings; None if its type cannot be converted."""
    column = _without_view(column)
    kind, types = column.type, pa.types
    if isinstance(kind, pa.BaseExtensionType):
        return _to_strings(column.storage)
    if types.is_dictionary(kind):
        return _to_strings(column.dictionary_decode())
    if is_string(kind):
        return _valid(pc.cast(column, pa.large_string()))
    if types.is_binary(kind) or types.is_large_binary(kind):
        return _valid(pc.cast(column, pa.large_binary()))
    if (types.is_list(kind) or types.is_large_list(kind)) and is_string(kind.value_type):
        strings = pc.cast(column, pa.list_(pa.string()))
        return _valid(pc.cast(pc.binary_join(strings, "\n"), pa.large_string()))
    if types.is_nested(kind):
        return None
    try:
        return pc.cast(column, pa.large_string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _valid(column: pa.Array) -> pa.Array:
    """Return the column as valid UTF-8, with U+FFFD for invalid bytes."""
    text = column.view(pa.large_string())
    if _core.is_column(*string_buffers(text)):
        return text
    pieces = column.view(pa.large_binary()).to_pylist()
    return pa.array(
        [None if piece is None else piece.decode("utf-8", "replace") for piece in pieces], pa.large_string()
    )


def _as_ids(column: pa.Array) -> pa.Array:
    """Convert ids to strings; whole numbers that nulls have turned into floats lose their .0, blank ids are null."""
    if pa.types.is_floating(column.type):
        numbers = column.to_numpy(zero_copy_only=False).astype(np.float64)
        gaps = ~np.isfinite(numbers)
        whole = np.where(gaps, 0.0, numbers)
        integral = np.all(whole == np.floor(whole)) and np.all(np.abs(whole) < 2**53)
        column = pa.array(whole.astype(np.int64) if integral else whole, mask=gaps)
    ids = _to_strings(column)
    if ids is None:
        ids = pa.array([None if item is None else str(item) for item in column.to_pylist()], pa.large_string())
    return pc.cast(_filled(ids), pa.string())


def _as_times(table: Table, picks: Picks, clock: Clock) -> pa.Array:
    times = [clock.read_column(take_column(table, name)) for (name,) in picks]
    return pc.coalesce(*times) if times else pa.nulls(len(table), TIME)


def _pick(table: Table, picks: Picks) -> pa.Array | None:
    """Return the first alternative with a value, row by row; None if none of the columns is text."""
    found = [joined for names in picks if (joined := _join(table, names)) is not None]
    return pc.coalesce(*found) if found else None


def _join(table: Table, names: Sequence[str]) -> pa.Array | None:
    parts = [_to_strings(take_column(table, name)) for name in names]
    texts = [_filled(part) for part in parts if part is not None]
    if len(texts) < 2:
        return texts[0] if texts else None
    # If Arrow skips nulls itself, it loses rows that are all null.
    texts = [pc.fill_null(part, "") for part in texts]
    return _filled(pc.binary_join_element_wise(*texts, pa.scalar(" ", pa.large_string())))


def _filled(texts: pa.Array) -> pa.Array:
    """Make blank strings null and strip the others."""
    texts = pc.utf8_trim_whitespace(texts)
    return pc.if_else(pc.equal(pc.binary_length(texts), 0), None, texts)
