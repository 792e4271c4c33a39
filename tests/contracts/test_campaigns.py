"""Campaigns end to end: dockets with known answers, constraints, order."""

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import neardup
from neardup.reproduce.corpora.docket import DocketSettings, make_docket

LETTERS = sorted((Path(__file__).parents[2] / "examples" / "letters").glob("*.txt"))


@pytest.fixture(scope="module")
def docket():
    letters = [path.read_text("utf-8") for path in LETTERS]
    return make_docket(letters, DocketSettings(21, size=400, style="ntf"))


def pairs_f1(docket, **settings):
    found = neardup.find(docket.documents, method="durian", **settings)
    return neardup.evaluate(found, docket.gold).as_dict()["pair_f1"]


def test_campaigns_and_relations_are_found(docket):
    found = neardup.find(docket.documents, method="durian")
    scores = neardup.evaluate(found, docket.gold).as_dict()
    assert scores["pair_f1"] >= 0.99
    answers = {row["id"]: row["relation"] for row in docket.gold.to_pylist()}
    rows = found.documents.to_pylist()
    for relation in ("exact", "minor_change", "block_added", "block_deleted", "key_block", "repeated", "unique"):
        found_relations = [row["relation"] for row in rows if answers[row["id"]] == relation]
        assert np.mean([each == relation for each in found_relations]) >= 0.9, relation


def test_added_blocks_are_returned_word_for_word(docket):
    found = {row["id"]: row["added"] for row in neardup.find(docket.documents, method="durian").documents.to_pylist()}
    blocks = [row for row in docket.gold.to_pylist() if row["relation"] == "block_added"]
    same = [found[row["id"]].split() == row["added_text"].split() for row in blocks]
    assert len(blocks) > 50
    assert np.mean(same) >= 0.95


def test_constraints_improve_the_clusters(docket):
    without = pairs_f1(docket, must="off", cannot="off", family="off")
    assert pairs_f1(docket, cannot="off", family="off") > without
    few, many = (pairs_f1(docket, must=number, cannot="off", family="off") for number in (10, 50))
    assert without <= few <= many
    assert pairs_f1(docket) > pairs_f1(docket, cannot="off")


def test_no_cluster_contains_two_dockets(docket):
    found = neardup.find(docket.documents, method="durian").documents.to_pylist()
    dockets = {row["id"]: row["docket"] for row in docket.gold.to_pylist()}
    for name in {row["cluster"] for row in found}:
        assert len({dockets[row["id"]] for row in found if row["cluster"] == name}) == 1


def test_result_does_not_depend_on_the_order_of_the_letters(docket):
    shuffled = docket.documents.take(pa.array(np.random.default_rng(5).permutation(docket.documents.num_rows)))
    first, second = (neardup.find(table, method="durian") for table in (docket.documents, shuffled))
    by_id = [("id", "ascending")]
    assert first.documents.sort_by(by_id).equals(second.documents.sort_by(by_id))
    assert sorted(map(str, first.pairs.to_pylist())) == sorted(map(str, second.pairs.to_pylist()))


def test_constraints_are_applied_or_listed_as_conflicts(docket, tmp_path):
    found = neardup.find(docket.documents, method="durian")
    campaign, other = found.clusters[0], found.clusters[1]
    rows = [
        (campaign.members[1].id, campaign.members[2].id, "cannot"),
        (other.members[1].id, other.members[1].id, "must"),
        ("nobody", campaign.members[1].id, "must"),
        (campaign.members[1].id, campaign.members[2].id, "must"),
    ]
    constraints = tmp_path / "constraints.csv"
    with constraints.open("w", newline="") as lines:
        csv.writer(lines).writerows([("a", "b", "kind"), *rows])
    result = neardup.find(docket.documents, method="durian", constraints=constraints)
    clusters = {row["id"]: row["cluster"] for row in result.documents.to_pylist()}
    assert clusters[rows[0][0]] != clusters[rows[0][1]]
    assert any("1 of 4 constraints" in note for note in result.summary["notes"])
    assert any(set(each["documents"]) == set(rows[0][:2]) for each in result.summary["conflicts"])


def test_must_link_adds_a_letter_to_a_cluster(docket):
    found = neardup.find(docket.documents, method="durian")
    unique = next(row["id"] for row in found.documents.to_pylist() if row["relation"] == "unique")
    member = found.clusters[0].members[0].id
    constraints = [{"a": unique, "b": member, "kind": "must"}]
    result = neardup.find(docket.documents, method="durian", constraints=constraints, cannot="off")
    clusters = {row["id"]: row["cluster"] for row in result.documents.to_pylist()}
    assert clusters[unique] == clusters[member]


def test_letters_without_a_body_stay_in_input_order():
    texts = [
        "Sincerely,\nAda Bell",
        "Dear Sir,\n\nWe protest against the rule as it is.\n\nSincerely,\nBo",
        "",
    ]
    found = neardup.find(texts, method="durian").documents.to_pylist()
    assert [row["id"] for row in found] == ["0", "1", "2"]
    assert found[2]["status"] == "empty"
