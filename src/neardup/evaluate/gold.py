"""Read gold labels from a CSV or Parquet file, a table, a data frame, a mapping, or a sequence of labels.

Ids are compared as strings. A document with a missing or empty cluster is a cluster of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pcsv
import pyarrow.parquet as pq

from neardup.errors import InputError
from neardup.evaluate.contingency import Integers
from neardup.records import number_by_appearance

COLUMNS = ("id", "cluster", "relation", "a", "b")


@dataclass(frozen=True, slots=True)
class Gold:
    """Gold labels: a cluster number per document, its id (None if in input order), and its relation if known."""

    clusters: Integers
    ids: pa.ChunkedArray | None = None
    relations: pa.ChunkedArray | None = None
    name: str = "the gold"


def read_gold(gold: Any) -> Gold:
    """Read gold labels from a path, a table, a data frame, a mapping from id to cluster, or labels in input order."""
    if isinstance(gold, str | os.PathLike):
        return _from_table(read_table(Path(gold)), str(gold))
    if isinstance(gold, Mapping):
        return _from_table(pa.table({"id": _array(list(gold)), "cluster": _array(list(gold.values()))}), "the gold")
    if hasattr(gold, "columns") and hasattr(gold, "__arrow_c_stream__"):
        return _from_table(pa.table(gold), "the gold")
    return Gold(number_labels(gold))


def number_labels(labels: Sequence[Any] | pa.ChunkedArray) -> Integers:
    """Number labels of any type 0, 1, … by first appearance; each missing label is a cluster of its own."""
    column = labels if isinstance(labels, pa.ChunkedArray) else pa.chunked_array([_array(labels)])
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
    elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    return number_by_appearance(column)


def text_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column as strings; whole numbers stored as floats, as data frames do, lose their decimal point."""
    if pa.types.is_floating(column.type) and pc.all(pc.equal(column, pc.floor(column))).as_py():
        column = column.cast(pa.int64())
    return column.cast(pa.large_string())


def _array(values: Any) -> pa.Array:
    if isinstance(values, pa.Array):
        return values
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError) as problem:
        raise InputError(f"gold labels and ids must each be of one type: {problem}") from None


def read_table(path: Path, what: str = "gold") -> pa.Table:
    """Read a CSV or Parquet file with ids and labels as strings; `what` names the file in errors."""
    try:
        with path.open("rb") as stream:
            is_parquet = stream.read(4) == b"PAR1"
        return pq.read_table(path) if is_parquet else _read_csv(path)
    except FileNotFoundError:
        raise InputError(f"the {what} file {path} does not exist") from None
    except (OSError, pa.ArrowInvalid) as problem:
        raise InputError(f"the {what} file {path} cannot be read: {problem}") from None


def _read_csv(path: Path) -> pa.Table:
    with pa.input_stream(path, compression="detect") as stream:
        head = stream.read(65536).split(b"\n", 1)[0]
    delimiter = max((",", ";", "\t"), key=lambda mark: head.count(mark.encode()))
    # Read as strings, or "007" would become the number 7 and match no id.
    types = {spelling: pa.string() for name in COLUMNS for spelling in (name, name.upper(), name.capitalize())}
    return pcsv.read_csv(
        path,
        parse_options=pcsv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        convert_options=pcsv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True),
    )


def _from_table(table: pa.Table, name: str) -> Gold:
    columns = {column.strip().lower(): table[column] for column in reversed(table.column_names)}
    for needed in ("id", "cluster"):
        if needed not in columns:
            raise InputError(
                f"{name} has no column {needed}, only {', '.join(table.column_names) or 'no columns'}: gold needs the "
                "columns id and cluster, and optionally relation (for pairs in columns a and b, use evaluate_pairs)"
            )
    ids = text_column(columns["id"])
    _check_ids(ids, name)
    relations = columns.get("relation")
    if relations is not None and relations.null_count == len(relations):
        relations = None
    return Gold(number_labels(columns["cluster"]), ids, None if relations is None else text_column(relations), name)


def _check_ids(ids: pa.ChunkedArray, name: str) -> None:
    if ids.null_count:
        row = int(np.flatnonzero(pc.is_null(ids).to_numpy())[0]) + 1
        raise InputError(f"{name} has no id in row {row}: every row needs the id of a document")
    counts = pc.value_counts(ids)
    repeated = counts.filter(pc.greater(counts.field("counts"), 1))
    if len(repeated):
        example = repeated.field("values")[0].as_py()
        raise InputError(
            f"{name} contains the id {example!r} more than once: give each document one row "
            "(in the run, repeated ids of the input are id#2, id#3, …)"
        )
