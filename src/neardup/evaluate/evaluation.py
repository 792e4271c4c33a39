"""Evaluate a result, or an array of labels, against the gold."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.evaluate.agreement import measure
from neardup.evaluate.contingency import Integers, tabulate
from neardup.evaluate.gold import Gold, number_labels, read_gold
from neardup.evaluate.relations import RelationScores, measure_relations
from neardup.records import Result


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The agreement of a result with the gold, over the documents that are in both.

    The measures are defined in `neardup.evaluate.agreement`, those of `relations` in `neardup.evaluate.relations`. An
    undefined measure is nan: a precision if nothing was found, any measure of fewer than two documents. Only clusters
    with two or more of the compared documents are counted.
    """

    documents: int
    gold_clusters: int
    found_clusters: int
    only_in_gold: int
    only_in_result: int
    pair_precision: float
    pair_recall: float
    pair_f1: float
    bcubed_precision: float
    bcubed_recall: float
    bcubed_f1: float
    adjusted_rand: float
    ac1_micro: float
    ac1_macro: float
    relations: Mapping[str, RelationScores] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the measures as a dictionary, with one dictionary per relation under `relations`."""
        return asdict(self)


def evaluate(
    result: Result, gold: str | os.PathLike[str] | pa.Table | Mapping[str, Any] | Sequence[Any] | Any
) -> Evaluation:
    """Measure a result against gold labels.

    `gold` is a CSV or Parquet file, an Arrow table or a data frame with the columns id, cluster and perhaps relation;
    a mapping from id to cluster; or one label per document in input order. A document without a gold cluster is a
    cluster of its own.
    """
    answer = read_gold(gold)
    rows, positions = _align(result, answer)
    labels = (_renumber(result.labels[positions]), _renumber(answer.clusters[rows]))
    relations = None
    if answer.relations is not None:
        found = result.documents["relation"].cast(pa.large_string())
        relations = (found.take(pa.array(positions)), answer.relations.take(pa.array(rows)))
    left_over = len(answer.clusters) - len(rows), len(result.labels) - len(rows)
    return _evaluate_aligned(labels, relations, left_over)


def evaluate_labels(found: Sequence[Any], gold: Sequence[Any]) -> Evaluation:
    """Measure found labels against gold labels, one of each per document; a missing label is a cluster of its own."""
    if len(found) != len(gold):
        raise InputError(f"{len(found)} found labels and {len(gold)} gold labels: give one of each per document")
    return _evaluate_aligned((number_labels(found), number_labels(gold)), None, (0, 0))


def _evaluate_aligned(
    labels: tuple[Integers, Integers],
    relations: tuple[pa.ChunkedArray, pa.ChunkedArray] | None,
    left_over: tuple[int, int],
) -> Evaluation:
    table = tabulate(*labels)
    return Evaluation(
        documents=len(table),
        gold_clusters=int((table.gold_sizes > 1).sum()),
        found_clusters=int((table.found_sizes > 1).sum()),
        only_in_gold=left_over[0],
        only_in_result=left_over[1],
        **measure(table),
        relations=measure_relations(table, labels, relations) if relations else {},
    )


def _align(result: Result, gold: Gold) -> tuple[Integers, Integers]:
    """Return the rows of the gold and the positions in the result of the documents in both, in input order."""
    if gold.ids is None:
        if len(gold.clusters) != len(result.labels):
            raise InputError(
                f"{len(gold.clusters)} gold labels for {len(result.labels)} documents: give one label per document in "
                "input order, or a table with ids"
            )
        return np.arange(len(gold.clusters)), np.arange(len(gold.clusters))
    ids = result.documents["id"].cast(pa.large_string())
    found = pc.fill_null(pc.index_in(gold.ids, value_set=ids.combine_chunks()), -1).to_numpy()
    rows = np.flatnonzero(found >= 0)
    if not len(rows):
        raise InputError(_describe_mismatch(gold, ids))
    rows = rows[np.argsort(found[rows])]
    return rows, found[rows].astype(np.int64)


def _describe_mismatch(gold: Gold, ids: pa.ChunkedArray) -> str:
    def examples(column: pa.ChunkedArray) -> str:
        return ", ".join(map(repr, column.slice(0, 3).to_pylist())) or "none"

    return (
        f"{gold.name} and the result have no id in common: the gold contains {examples(gold.ids)}, "
        f"the result {examples(ids)}; run find again with --id and the column that contains the gold's ids"
    )


def _renumber(labels: Integers) -> Integers:
    return number_labels(pa.chunked_array([pa.array(labels)]))
