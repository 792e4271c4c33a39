"""Every measure is compared with its definition, written as loops over all pairs and documents."""

from itertools import combinations
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score

from neardup.errors import InputError
from neardup.evaluate import evaluate_labels

labels = st.integers(2, 25).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 6), min_size=n, max_size=n) for _ in range(2)))
)


def share(part: float, whole: float) -> float:
    return part / whole if whole else nan


def same(number: float, other: float) -> bool:
    return (isnan(number) and isnan(other)) or number == pytest.approx(other)


def ac1(pairs: list[tuple[bool, bool]]) -> float:
    """Return Gwet's AC1 of two raters who decide for each pair whether it is linked."""
    observed = sum(found == gold for found, gold in pairs) / len(pairs)
    linked = sum(found + gold for found, gold in pairs) / (2 * len(pairs))
    chance = 2 * linked * (1 - linked)
    return (observed - chance) / (1 - chance)


def judged(found: list[int], gold: list[int]) -> list[tuple[int, int, bool, bool]]:
    return [(i, j, found[i] == found[j], gold[i] == gold[j]) for i, j in combinations(range(len(found)), 2)]


@given(labels)
def test_pair_scores_equal_a_loop_over_all_pairs(both):
    found, gold = both
    pairs = judged(found, gold)
    linked = sum(f for *_, f, g in pairs), sum(g for *_, f, g in pairs), sum(f and g for *_, f, g in pairs)
    evaluation = evaluate_labels(found, gold)
    assert same(evaluation.pair_precision, share(linked[2], linked[0]))
    assert same(evaluation.pair_recall, share(linked[2], linked[1]))
    assert same(evaluation.pair_f1, share(2 * linked[2], linked[0] + linked[1]))


@given(labels)
def test_bcubed_equals_the_mean_share_over_documents(both):
    found, gold = both
    everyone = range(len(found))
    precision, recall = [], []
    for i in everyone:
        in_found = [j for j in everyone if found[j] == found[i]]
        in_gold = [j for j in everyone if gold[j] == gold[i]]
        shared = len(set(in_found) & set(in_gold))
        precision.append(shared / len(in_found))
        recall.append(shared / len(in_gold))
    evaluation = evaluate_labels(found, gold)
    p, r = np.mean(precision), np.mean(recall)
    assert evaluation.bcubed_precision == pytest.approx(p)
    assert evaluation.bcubed_recall == pytest.approx(r)
    assert evaluation.bcubed_f1 == pytest.approx(2 * p * r / (p + r))


@given(labels)
def test_adjusted_rand_equals_scikit_learn(both):
    assert evaluate_labels(*both).adjusted_rand == pytest.approx(adjusted_rand_score(both[1], both[0]))


@given(labels)
def test_ac1_equals_two_raters_over_pairs(both):
    found, gold = both
    pairs = judged(found, gold)
    several = [g for g in set(gold) if gold.count(g) > 1]
    macro = [ac1([(f, s) for i, j, f, s in pairs if g in (gold[i], gold[j])]) for g in several]
    evaluation = evaluate_labels(found, gold)
    assert evaluation.ac1_micro == pytest.approx(ac1([(f, g) for *_, f, g in pairs]))
    assert same(evaluation.ac1_macro, float(np.mean(macro)) if macro else nan)


def test_measures_of_a_worked_example():
    evaluation = evaluate_labels([0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 2, 3])
    # Linked by found: 01 02 12 34; by gold: 01 23; by both: 01.
    assert evaluation.pair_precision == 1 / 4
    assert evaluation.pair_recall == 1 / 2
    assert evaluation.pair_f1 == pytest.approx(1 / 3)
    assert (evaluation.found_clusters, evaluation.gold_clusters, evaluation.documents) == (2, 2, 6)


def test_equal_partitions_with_other_labels_agree_fully():
    evaluation = evaluate_labels(["x", "x", "y", "z"], [5, 5, 9, 7])
    measures = {name: value for name, value in evaluation.as_dict().items() if isinstance(value, float)}
    assert set(measures.values()) == {1.0}


@pytest.mark.parametrize("labels", [[], [1]])
def test_measures_of_fewer_than_two_documents_are_nan(labels):
    evaluation = evaluate_labels(labels, labels)
    assert all(isnan(value) for value in evaluation.as_dict().values() if isinstance(value, float))
    assert evaluation.documents == len(labels)


def test_precision_is_nan_if_nothing_was_found():
    evaluation = evaluate_labels([0, 1, 2], [0, 0, 1])
    assert isnan(evaluation.pair_precision)
    assert (evaluation.pair_recall, evaluation.pair_f1) == (0.0, 0.0)


def test_missing_labels_are_clusters_of_their_own():
    evaluation = evaluate_labels([0, 1, 2, 3], [None, None, 4, 4])
    assert (evaluation.gold_clusters, evaluation.pair_recall) == (1, 0.0)
    assert evaluate_labels([0, 1, 2], np.array([nan, nan, 1.0])).adjusted_rand == 1.0
    assert evaluate_labels([0, 1, 2], ["", "", "a"]).adjusted_rand == 1.0


def test_arrays_of_different_length_are_refused():
    with pytest.raises(InputError, match="3 found labels and 2 gold labels"):
        evaluate_labels([1, 2, 3], [1, 2])


def test_half_a_million_documents_in_one_cluster_do_not_overflow():
    gold = np.zeros(500_000, np.int64)
    found = np.repeat([0, 1], 250_000)
    evaluation = evaluate_labels(found, gold)
    assert evaluation.pair_precision == 1.0
    assert evaluation.pair_recall == pytest.approx(249_999 / 499_999)
    assert evaluation.adjusted_rand == 0.0
    assert evaluation.ac1_micro == pytest.approx(evaluation.ac1_macro)
