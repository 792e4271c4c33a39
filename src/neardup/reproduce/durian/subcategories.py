"""Precision, recall and F1 by the subcategories of Yang & Callan 2006, Table 2, for methods that do not label.

A found cluster represents a gold cluster if each is the other's largest part. A letter is detected if it is in a found
cluster of two or more letters, and correct if that cluster represents its gold cluster. Recall is the share of the gold
letters of a subcategory that are correct; precision is the share of the detected ones that are correct. For singletons,
recall is the share that is found alone, and precision the share of letters found alone that are singletons.

The paper does not say what its averages are over. Here they are over the form letters that have the subcategory (for
precision: that have a detected letter of it), and F1 is computed from the two averages, which agrees with the paper's
three columns. The `micro` values pool all letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan

import numpy as np
import numpy.typing as npt

from neardup.evaluate.contingency import Booleans, Integers, tabulate

SUBCATEGORIES: Mapping[str, tuple[str, ...]] = {
    "exact": ("exact",),
    "minor_change": ("minor_change",),
    "block_added": ("block_added", "key_block"),
    "block_deleted": ("block_deleted",),
    "singleton": ("unique",),
    "rearrange": ("block_reordered",),
}
"""The rows of the table, each with the gold relations that it consists of."""


@dataclass(frozen=True, slots=True)
class Score:
    """Precision, recall and F1 of one subcategory, averaged over form letters and pooled; NaN if undefined."""

    letters: int
    precision: float
    recall: float
    f1: float
    micro_precision: float
    micro_recall: float
    micro_f1: float


def score_subcategories(found: Integers, gold: Integers, relations: npt.NDArray[np.str_]) -> dict[str, Score]:
    """Score found labels against gold labels (both 0, 1, … without gaps) and the gold's relations."""
    table = tabulate(found, gold)
    detected = table.found_sizes[found] > 1
    right = (table.found_matches()[found] == gold) & detected & (table.gold_sizes[gold] > 1)
    scores = {}
    for name, members in SUBCATEGORIES.items():
        wanted = np.isin(relations, members)
        if name == "singleton":
            scores[name] = _score_alone(wanted, ~detected)
        else:
            scores[name] = _score_detected(gold, wanted, wanted & detected, wanted & right)
    return scores


def mean_f1(scores: Mapping[str, Score], *, micro: bool = False) -> float:
    """Return the mean F1 over the subcategories that occur in the gold."""
    values = [score.micro_f1 if micro else score.f1 for score in scores.values() if score.letters]
    return sum(values) / len(values) if values else nan


def _score_alone(wanted: Booleans, alone: Booleans) -> Score:
    hits, letters = int((wanted & alone).sum()), int(wanted.sum())
    precision, recall = _ratio(hits, int(alone.sum())), _ratio(hits, letters)
    both = (precision, recall, _harmonic(precision, recall))
    return Score(letters, *both, *both)


def _score_detected(gold: Integers, wanted: Booleans, detected: Booleans, right: Booleans) -> Score:
    clusters = int(gold.max(initial=-1)) + 1
    existing, found, hits = (np.bincount(gold[which], minlength=clusters) for which in (wanted, detected, right))
    precision, recall = _average(hits, found), _average(hits, existing)
    pooled = _ratio(int(hits.sum()), int(found.sum())), _ratio(int(hits.sum()), int(existing.sum()))
    averages = (precision, recall, _harmonic(precision, recall))
    return Score(int(existing.sum()), *averages, *pooled, _harmonic(*pooled))


def _average(parts: Integers, wholes: Integers) -> float:
    some = wholes > 0
    return float((parts[some] / wholes[some]).mean()) if some.any() else nan


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else nan


def _harmonic(precision: float, recall: float) -> float:
    """Return F1: NaN without a gold letter, 0 if none is correct."""
    if isnan(recall):
        return nan
    return 2 * precision * recall / (precision + recall) if recall else 0.0
