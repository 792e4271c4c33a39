"""The steps of a change, each on its own."""

import pytest

from neardup.index.changes.batches import Batch, pack_ids, prepare, split_documents
from neardup.index.changes.cluster_numbers import Affected, count_claims, list_cluster_events, number_clusters
from neardup.index.changes.clusters import settle_leaders
from neardup.index.changes.documents import WORDLESS, Change, Movements, match_documents, number_documents
from neardup.index.graph.nodes import Neighbourhood, Node, by_rank
from neardup.index.graph.rules import LinkRules
from neardup.index.settings import RequestedSettings, open_index
from neardup.index.store import Counters
from neardup.index.store.clusters import FormerNumber, StoredCluster
from neardup.index.store.documents import StoredDocument
from neardup.index.store.encoding import UNTIMED_RANK
from neardup.index.store.nodes import StoredNode
from neardup.read import read


@pytest.fixture
def opened():
    requested = RequestedSettings("jaccard", {"shingle": 1, "threshold": 0.5})
    index = open_index(":memory:", requested, read_only=False, threads=1, lock_timeout_seconds=1.0)
    yield index
    index.store.close()


def arrive(opened, *texts):
    documents = read([{"id": f"d{number}", "text": text} for number, text in enumerate(texts)])
    return prepare(opened.linker, Batch(documents, pack_ids(documents), len(documents)))


def stored(number, leader, cluster=None, copies=1):
    row = StoredNode(number, 3, copies, 0, number, leader, cluster, number, b"%d" % number)
    return Node(*row, stored=row)


def test_identical_texts_are_matched_to_one_node(opened):
    arrival = arrive(opened, "one two", "three four", "one two", "")
    matched = match_documents(opened.store, arrival, 7)
    assert matched.node_of[0] == matched.node_of[2]
    assert len(set(matched.node_of)) == 3
    assert list(matched.new.values()).count(WORDLESS) == 1
    assert matched.next_node == 10


def test_updated_document_keeps_its_number(opened):
    change = Change(arrive(opened, "one two", "three four"), [StoredDocument(3, b"d1", 1, None)])
    numbered = number_documents(change, None, 5)
    assert (numbered.numbers, numbered.next_document) == ([5, 3], 6)
    assert numbered.ranks == [UNTIMED_RANK, UNTIMED_RANK]
    assert number_documents(change, "first", 5).ranks == [5, 3]


def test_batches_have_the_ids_of_their_documents(monkeypatch):
    monkeypatch.setattr("neardup.index.changes.batches.BATCH_DOCUMENTS", 2)
    documents = read([{"id": name, "text": "text"} for name in "abcde"])
    batches = split_documents(documents, pack_ids(documents))
    assert [batch.ids for batch in batches] == [[b"a", b"b"], [b"c", b"d"], [b"e"]]
    assert [batch.end for batch in batches] == [2, 4, 5]
    assert batches[0].without({b"a"}).documents.id_column().to_pylist() == ["b"]


def test_most_similar_leader_is_chosen():
    around = Neighbourhood(None)
    for number in (1, 2, 3):
        around.add(Node(number, 3, 1, 0, number, number, None, number, b"%d" % number))
    around.links = {1: {3: 0.6}, 2: {3: 0.9}, 3: {1: 0.6, 2: 0.9}}
    settle_leaders(around, [1, 2, 3], by_rank, "star")
    assert [around.nodes[number].leader for number in (1, 2, 3)] == [1, 2, 2]
    settle_leaders(around, [1, 2, 3], by_rank, "components")
    assert [around.nodes[number].leader for number in (1, 2, 3)] == [1, 1, 1]


def test_merged_clusters_keep_the_lowest_number():
    one, other = stored(1, 1, 4), stored(2, 2, 3)
    other.leader = 1
    affected = Affected({1: one, 2: other}, set(), {1: StoredCluster(4, 1, 1), 2: StoredCluster(3, 2, 1)})
    claims = count_claims(affected, Movements({}, {}, []))
    made = number_clusters(affected, claims, 9)
    assert (made.numbers, made.sizes) == ({1: 3}, {1: 2})
    assert (made.merged, made.ended) == ([FormerNumber(4, 3)], [4])
    assert len(list_cluster_events(affected, claims, made)) == 2


def test_popularity_decides_only_without_keep_and_times():
    assert LinkRules.of(None, Counters(documents=2)) == LinkRules(by_popularity=True, some_undated=True)
    assert LinkRules.of("first", Counters(documents=2)).by_popularity is False
    assert LinkRules.of(None, Counters(documents=2, timed=2)) == LinkRules(by_popularity=False, some_undated=False)


def test_events_of_a_new_index_are_numbered_from_one():
    assert (Counters().next_event, Counters().last_event) == (1, 0)
