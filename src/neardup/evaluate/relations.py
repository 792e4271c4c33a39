"""Scores per relation: whether each document has the gold's label, and whether it was found at all.

A found cluster matches a gold cluster if each has its largest overlap with the other. A document is placed correctly if
its found cluster matches its gold cluster, or if it is single in both. A label is correct if it equals the gold's label
and the document is placed correctly.

- precision, recall, f1: correct labels among all found and all gold labels of the relation, pooled over the collection.
- macro_precision, macro_recall, macro_f1: the same per gold cluster, on the labels of the found cluster that matches
  it, averaged over the gold clusters that have the relation (precision: over those where it was found).
- detection_recall: the share of the gold's documents of the relation that are placed correctly, whatever their label;
  it also suits methods that do not label. detection_precision: the share placed correctly among those in any found
  cluster.

A document without a gold relation counts as `unique` if it is single in the gold; otherwise it is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.evaluate.agreement import ratio
from neardup.evaluate.contingency import Booleans, Contingency, Integers
from neardup.records import RELATIONS

UNIQUE = "unique"


@dataclass(frozen=True, slots=True)
class RelationScores:
    """The scores of one relation; `support` is the number of documents that have it in the gold."""

    support: int
    precision: float
    recall: float
    f1: float
    macro_precision: float
    macro_recall: float
    macro_f1: float
    detection_precision: float
    detection_recall: float


@dataclass(frozen=True, slots=True)
class _Placement:
    """For each document: its gold cluster, the gold cluster that its found cluster matches, and how it is placed."""

    gold: Integers
    matched: Integers
    correct: Booleans
    in_gold_cluster: Booleans
    in_found_cluster: Booleans


def measure_relations(
    table: Contingency,
    labels: tuple[Integers, Integers],
    relations: tuple[pa.ChunkedArray, pa.ChunkedArray],
) -> dict[str, RelationScores]:
    """Return the scores by relation, in the order of RELATIONS; labels and relations are pairs (found, gold)."""
    placement = _place(table, *labels)
    known = pc.if_else(pa.array(placement.in_gold_cluster), relations[1], pc.fill_null(relations[1], UNIQUE))
    names = _names_in_order(relations[0], known)
    found_codes, gold_codes = (_codes(column, names) for column in (relations[0], known))
    labelled = gold_codes >= 0
    return {
        name: _score(placement, labelled & (found_codes == code), gold_codes == code) for code, name in enumerate(names)
    }


def _place(table: Contingency, found: Integers, gold: Integers) -> _Placement:
    matched = table.found_matches()[found]
    in_found_cluster, in_gold_cluster = table.found_sizes[found] > 1, table.gold_sizes[gold] > 1
    correct = (matched == gold) & (in_found_cluster == in_gold_cluster)
    return _Placement(gold, matched, correct, in_gold_cluster, in_found_cluster)


def _names_in_order(*columns: pa.ChunkedArray) -> list[str]:
    names = {name for column in columns for name in pc.unique(column).to_pylist() if name is not None}
    vocabulary = [*RELATIONS, UNIQUE]
    return [name for name in vocabulary if name in names] + sorted(names.difference(vocabulary))


def _codes(column: pa.ChunkedArray, names: list[str]) -> Integers:
    codes: Integers = pc.fill_null(pc.index_in(column, value_set=pa.array(names, column.type)), -1).to_numpy()
    return codes


def _score(placement: _Placement, found: Booleans, gold: Booleans) -> RelationScores:
    hit = found & gold & placement.correct
    hits, support = int(hit.sum()), int(gold.sum())
    clustered = gold & placement.in_gold_cluster
    return RelationScores(
        support,
        ratio(hits, int(found.sum())),
        ratio(hits, support),
        ratio(2 * hits, int(found.sum()) + support),
        *_average_over_clusters(placement, hit, found, gold),
        ratio(int((clustered & placement.correct).sum()), int((clustered & placement.in_found_cluster).sum())),
        ratio(int((gold & placement.correct).sum()), support),
    )


def _average_over_clusters(
    placement: _Placement, hit: Booleans, found: Booleans, gold: Booleans
) -> tuple[float, float, float]:
    clusters = int(placement.gold.max()) + 1
    in_gold = np.bincount(placement.gold[gold], minlength=clusters)
    hits = np.bincount(placement.gold[hit], minlength=clusters)
    in_found = np.bincount(placement.matched[found & (placement.matched >= 0)], minlength=clusters)
    has = in_gold > 0
    recognised = has & (in_found > 0)
    return (
        _mean(hits[recognised] / in_found[recognised]),
        _mean(hits[has] / in_gold[has]),
        _mean(2 * hits[has] / (in_gold[has] + in_found[has])),
    )


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else nan
