"""The measures of benchmarks/campaigns.py on small dockets that can be checked by hand."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benchmarks"))
from campaign_scores import score
from left_alone import find_left_alone

SHARED = "please keep the limits on mercury as strict as the law allows because children eat fish"


def gold(name, cluster, relation, added="", **others):
    columns = {"edits": "", "frame": "", "also_text": "", **others}
    return {"id": name, "cluster": cluster, "relation": relation, "added_text": added, **columns}


def found(cluster, relation, added=""):
    return {"cluster": cluster, "relation": relation, "added": added}


GOLD = [
    gold("a", "a", "reference"),
    gold("b", "a", "exact"),
    gold("c", "a", "block_added", "my own words"),
    gold("d", "d", "unique"),
]


def test_perfect_run_scores_one():
    answer = {
        "a": found("a", "reference"),
        "b": found("a", "exact"),
        "c": found("a", "block_added", "My own words."),
        "d": found("d", "unique"),
    }
    scores = score(GOLD, answer)
    assert (scores.precision, scores.recall, scores.placed, scores.relation) == (1, 1, 1, 1)
    assert (scores.added_precision, scores.added_recall) == (1, 1)


def test_missed_letter_and_false_member_are_counted():
    answer = {
        "a": found("a", "reference"),
        "b": found("a", "exact"),
        "c": found("c", "unique"),
        "d": found("a", "other", "x"),
    }
    scores = score(GOLD, answer)
    assert (scores.precision, scores.recall) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert scores.placed == scores.relation == pytest.approx(2 / 3)


def test_words_of_another_campaign_and_marked_quotations_do_not_count():
    rows = [
        *GOLD[:2],
        gold("c", "a", "block_added", "my own words", also_text="the other letter"),
        gold("e", "e", "unique", edits="opposed marked"),
    ]
    answer = {
        "a": found("a", "reference"),
        "b": found("a", "exact"),
        "c": found("a", "block_added", "the other letter my own words indeed"),
        "e": found("a", "key_block"),
    }
    scores = score(rows, answer)
    assert (scores.precision, scores.quoted_members) == (1, 1)
    assert (scores.added_precision, scores.added_recall) == (0.75, 1)


def test_noise_makes_an_exact_copy_a_minor_change():
    rows = [gold("a", "a", "reference"), gold("b", "a", "exact", frame="noisy"), gold("c", "a", "exact")]
    answer = {"a": found("a", "reference"), "b": found("a", "minor_change"), "c": found("a", "minor_change")}
    assert score(rows, answer).relation == pytest.approx(2 / 3)


def test_letter_left_alone_is_found_if_three_others_share_its_text():
    texts = [f"{SHARED} {own}" for own in ("alpha", "beta", "gamma", "delta")] + ["something else"]
    left, enough = find_left_alone(texts, [0, 0, 0, 1, 2])
    assert (enough, [one.index for one in left]) == (4, [3])
    assert (left[0].words, left[0].shared) == (17, 16)
    assert find_left_alone(texts[1:], [0, 0, 1, 2]) == ([], 0)
