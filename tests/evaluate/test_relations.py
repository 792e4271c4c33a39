"""Scores per relation, on cases small enough to work out by hand."""

from math import isnan

import numpy as np
import pyarrow as pa
import pytest

from neardup.evaluate import evaluate
from neardup.records import DOCUMENT_SCHEMA, Result


def score(found, gold):
    """Evaluate documents given as (cluster, relation) on both sides."""
    ids = [str(number) for number in range(len(found))]
    clusters, relations = zip(*found, strict=True)
    columns = {name: pa.nulls(len(ids), DOCUMENT_SCHEMA.field(name).type) for name in DOCUMENT_SCHEMA.names}
    columns |= {"id": pa.array(ids), "relation": pa.array(relations)}
    result = Result(np.unique(clusters, return_inverse=True)[1], {"documents": pa.table(columns, DOCUMENT_SCHEMA)}, {})
    gold_clusters, gold_relations = zip(*gold, strict=True)
    return evaluate(result, pa.table({"id": ids, "cluster": gold_clusters, "relation": gold_relations})).relations


GOLD = [("A", "reference"), ("A", "exact"), ("A", "exact"), ("B", "reference"), ("B", "exact"), (None, None)]


def test_gold_against_itself_scores_one():
    found = [*GOLD[:5], ("C", "unique")]
    scores = score(found, GOLD)
    assert list(scores) == ["reference", "exact", "unique"]
    assert [scores[name].support for name in scores] == [2, 3, 1]
    for name in scores:
        assert scores[name].precision == scores[name].recall == scores[name].f1 == 1.0
        assert scores[name].macro_precision == scores[name].macro_recall == scores[name].macro_f1 == 1.0
        assert scores[name].detection_recall == 1.0
    assert scores["exact"].detection_precision == 1.0
    assert isnan(scores["unique"].detection_precision)


def test_wrong_label_in_the_correct_cluster_is_detected_but_not_correct():
    found = [
        ("x", "reference"),
        ("x", "exact"),
        ("x", "minor_change"),
        ("y", "reference"),
        ("y", "exact"),
        ("z", "unique"),
    ]
    scores = score(found, GOLD)
    exact = scores["exact"]
    assert (exact.precision, exact.recall, exact.f1) == (1.0, pytest.approx(2 / 3), pytest.approx(0.8))
    # Cluster A recognises 1 of 2, cluster B 1 of 1.
    assert (exact.macro_recall, exact.macro_precision) == (0.75, 1.0)
    assert exact.macro_f1 == pytest.approx((2 / 3 + 1) / 2)
    assert (exact.detection_recall, exact.detection_precision) == (1.0, 1.0)
    minor = scores["minor_change"]
    assert (minor.support, minor.precision, minor.f1) == (0, 0.0, 0.0)
    assert isnan(minor.recall)
    assert isnan(minor.macro_recall)


def test_correct_label_in_the_wrong_cluster_is_not_correct():
    found = [("x", "reference"), ("x", "exact"), ("y", "exact"), ("y", "reference"), ("y", "exact"), ("z", "unique")]
    exact = score(found, GOLD)["exact"]
    assert (exact.precision, exact.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (exact.detection_recall, exact.detection_precision) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    # One of the two labels in the found cluster that matches B is correct.
    assert (exact.macro_precision, exact.macro_recall) == (0.75, 0.75)


def test_document_that_was_left_single_is_not_detected():
    found = [("x", "reference"), ("x", "exact"), ("w", "unique"), ("y", "unique"), ("v", "unique"), ("z", "unique")]
    scores = score(found, GOLD)
    assert scores["exact"].detection_recall == pytest.approx(1 / 3)
    assert scores["exact"].detection_precision == 1.0
    assert scores["unique"].precision == pytest.approx(1 / 4)
    assert scores["unique"].recall == scores["unique"].detection_recall == 1.0


def test_single_document_that_was_put_into_a_cluster_is_misplaced():
    found = [("x", "reference"), ("x", "exact"), ("x", "exact"), ("y", "reference"), ("y", "exact"), ("y", "exact")]
    scores = score(found, GOLD)
    assert scores["unique"].detection_recall == 0.0
    assert scores["exact"].precision == pytest.approx(3 / 4)


def test_two_gold_clusters_in_one_found_cluster_are_not_both_matched():
    found = [("x", relation or "exact") for _, relation in GOLD]
    scores = score(found, GOLD)
    assert scores["reference"].detection_recall == 0.5
    assert scores["exact"].detection_recall == pytest.approx(2 / 3)


def test_clustered_document_without_gold_relation_is_left_out():
    gold = [("A", "reference"), ("A", None), ("A", "exact")]
    scores = score([("x", "reference"), ("x", "exact"), ("x", "exact")], gold)
    assert scores["exact"].support == 1
    assert scores["exact"].precision == 1.0


def test_unknown_relations_come_last_and_no_relations_give_no_scores():
    assert list(score([("x", "exact"), ("x", "other")], [("A", "copied"), ("A", "exact")])) == [
        "exact",
        "other",
        "copied",
    ]
    assert score([("x", "exact"), ("x", "exact")], [("A", None), ("A", None)]) == {}
