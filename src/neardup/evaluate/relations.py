"""The measures per relation: was each document labelled as the gold labels it, and was it found at all.

A found cluster stands for a gold cluster when each is the other's largest part. A document is placed right when its
found cluster stands for its gold cluster, or when it is alone in both. A label is right when it is the gold's and the
document is placed right.

- precision, recall, f1: right labels among all found and all gold labels of the relation, pooled over the collection.
- macro_precision, macro_recall, macro_f1: the same per gold cluster, where the found labels of the cluster that stands
  for it count, averaged over the gold clusters that have the relation (precision: over those where it was found).
- detection_recall: the share of the gold's documents of the relation that are placed right, whatever their label, for
  methods that do not label; detection_precision: of those that were put into any cluster, the share placed right.

A document without a gold relation counts as `unique` if it is alone in the gold, and else is left out.
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
    """How well one relation was recognised; `support` is the number of documents that have it in the gold."""

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
    """Of each document: its gold cluster, the gold cluster that its found cluster stands for, and how it is placed."""

    gold: Integers
    stands_for: Integers
    right: Booleans
    in_gold_cluster: Booleans
    in_found_cluster: Booleans


def measure_relations(
    table: Contingency,
    labels: tuple[Integers, Integers],
    relations: tuple[pa.ChunkedArray, pa.ChunkedArray],
) -> dict[str, RelationScores]:
    """Return the scores by relation, in the order of the vocabulary; labels and relations are (found, gold)."""
    placement = _place(table, *labels)
    known = pc.if_else(pa.array(placement.in_gold_cluster), relations[1], pc.fill_null(relations[1], UNIQUE))
    names = _names_in_order(relations[0], known)
    found_codes, gold_codes = (_codes(column, names) for column in (relations[0], known))
    labelled = gold_codes >= 0
    return {
        name: _score(placement, labelled & (found_codes == code), gold_codes == code) for code, name in enumerate(names)
    }


def _place(table: Contingency, found: Integers, gold: Integers) -> _Placement:
    stands_for = table.found_matches()[found]
    in_found_cluster, in_gold_cluster = table.found_sizes[found] > 1, table.gold_sizes[gold] > 1
    right = (stands_for == gold) & (in_found_cluster == in_gold_cluster)
    return _Placement(gold, stands_for, right, in_gold_cluster, in_found_cluster)


def _names_in_order(*columns: pa.ChunkedArray) -> list[str]:
    names = {name for column in columns for name in pc.unique(column).to_pylist() if name is not None}
    vocabulary = [*RELATIONS, UNIQUE]
    return [name for name in vocabulary if name in names] + sorted(names.difference(vocabulary))


def _codes(column: pa.ChunkedArray, names: list[str]) -> Integers:
    codes: Integers = pc.fill_null(pc.index_in(column, value_set=pa.array(names, column.type)), -1).to_numpy()
    return codes


def _score(placement: _Placement, found: Booleans, gold: Booleans) -> RelationScores:
    hit = found & gold & placement.right
    hits, support = int(hit.sum()), int(gold.sum())
    clustered = gold & placement.in_gold_cluster
    return RelationScores(
        support,
        ratio(hits, int(found.sum())),
        ratio(hits, support),
        ratio(2 * hits, int(found.sum()) + support),
        *_average_over_clusters(placement, hit, found, gold),
        ratio(int((clustered & placement.right).sum()), int((clustered & placement.in_found_cluster).sum())),
        ratio(int((gold & placement.right).sum()), support),
    )


def _average_over_clusters(
    placement: _Placement, hit: Booleans, found: Booleans, gold: Booleans
) -> tuple[float, float, float]:
    clusters = int(placement.gold.max()) + 1
    in_gold = np.bincount(placement.gold[gold], minlength=clusters)
    hits = np.bincount(placement.gold[hit], minlength=clusters)
    in_found = np.bincount(placement.stands_for[found & (placement.stands_for >= 0)], minlength=clusters)
    has = in_gold > 0
    recognised = has & (in_found > 0)
    return (
        _mean(hits[recognised] / in_found[recognised]),
        _mean(hits[has] / in_gold[has]),
        _mean(2 * hits[has] / (in_gold[has] + in_found[has])),
    )


def _mean(values: npt.NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else nan
