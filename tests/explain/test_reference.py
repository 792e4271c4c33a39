from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.explain import Keep, rank_documents
from reference.examples import as_documents, collections, run
from reference.runs import Record, rank_key

LETTER = "please save the whales from the nets and from the ships that hunt them in the north"
RECORDS = [
    Record("b", LETTER, 30),
    Record("c", f"{LETTER} sea", 20),
    Record("d", f"{LETTER} now", 10),
    Record("a", f"{LETTER} now and for ever", None),
    Record("e", LETTER.upper(), 40),
]


@given(collections(), st.sampled_from([None, *get_args(Keep)]))
def test_documents_are_ranked_by_time_then_id(records, keep):
    ranks = rank_documents(as_documents(records), keep).tolist()
    order = sorted(range(len(records)), key=lambda at: rank_key(records[at], at, keep))
    assert [order.index(at) for at in range(len(records))] == ranks


@pytest.mark.parametrize(
    ("keep", "reference"),
    [(None, "d"), ("earliest", "d"), ("latest", "e"), ("longest", "a"), ("first", "b")],
)
def test_policy_determines_the_reference(keep, reference):
    result = run("jaccard", RECORDS, shingle=1, threshold=0.7, keep=keep)
    assert result.clusters[0].reference == reference
    assert len(result.clusters[0]) == 5


def test_without_times_most_copies_then_partners_then_the_smaller_id_decide():
    timeless = [Record(record.id, record.text) for record in RECORDS]
    assert run("jaccard", timeless, shingle=1, threshold=0.7).clusters[0].reference == "b"
    middle = [Record("x", "one two three four nine"), Record("z", "one two three four"), Record("y", "two three four")]
    assert run("jaccard", middle, shingle=1, threshold=0.7).clusters[0].reference == "z"
    equal = [Record("z", "one two three four five"), Record("y", "one two three four six")]
    assert run("jaccard", equal, shingle=1, threshold=0.6).clusters[0].reference == "y"


def test_ids_are_compared_as_bytes():
    records = [Record(name, "the same text") for name in ("é", "z", "Z", "10", "9")]
    assert run("exact", records).clusters[0].reference == "10"
    assert run("exact", records[:3]).clusters[0].reference == "Z"
    assert run("exact", records[:2]).clusters[0].reference == "z"


def test_copy_without_a_time_is_the_reference_only_if_none_has_one():
    records = [Record("a", "the same text"), Record("b", "The same text!", 5)]
    for keep in (None, "earliest", "latest"):
        assert run("exact", records, keep=keep).clusters[0].reference == "b"
