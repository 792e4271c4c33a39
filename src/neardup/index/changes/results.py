"""The last steps of a change: nodes, clusters and events are written."""

from __future__ import annotations

from dataclasses import dataclass

from neardup.index.answers import ADDED, REMOVED, UPDATED
from neardup.index.changes.cluster_numbers import KIND, ClusterChange, ClusterNumbers
from neardup.index.changes.documents import WORDLESS, PlacedDocuments
from neardup.index.graph.nodes import Neighbourhood, Node
from neardup.index.graph.sides import SideLoader
from neardup.index.store import Store
from neardup.index.store.clusters import StoredCluster
from neardup.index.store.events import EventContent
from neardup.index.store.nodes import Fingerprint, NewNode, NodeState

_NO_FINGERPRINT = Fingerprint(None, None)


def write_nodes(loader: SideLoader, placed: PlacedDocuments, changed: set[int], made: ClusterNumbers) -> int:
    """Write nodes; return how many more distinct texts there are than before."""
    store, nodes, new = loader.store.nodes, loader.around.nodes, placed.matched.new
    store.delete(sorted(placed.empty))
    store.insert([_new_node(placed, nodes[number], index, made) for number, index in new.items()])
    moved = {number for number, node in nodes.items() if node.leader != node.former_leader}
    touched = placed.movements.touched | changed | made.numbers.keys() | moved
    written = sorted(touched - new.keys() - placed.empty)
    store.update((number, _state(nodes[number], made)) for number in written if number in nodes)
    return len(placed.matched.new_with_words) - len(placed.going)


def _new_node(placed: PlacedDocuments, node: Node, index: int, made: ClusterNumbers) -> NewNode:
    state, arrival = _state(node, made), placed.change.arrival
    if index == WORDLESS or arrival is None:
        return NewNode(node.number, _NO_FINGERPRINT, node.words, state, None)
    features = arrival.features[index] if arrival.features else None
    return NewNode(node.number, placed.matched.fingerprints[index], node.words, state, features)


def _state(node: Node, made: ClusterNumbers) -> NodeState:
    return node.state(made.numbers.get(node.number, node.cluster))


@dataclass(frozen=True, slots=True)
class ClusterCounts:
    """How many clusters of several documents, and how many duplicates, there are more than before."""

    clusters: int
    duplicates: int


def write_clusters(store: Store, change: ClusterChange) -> ClusterCounts:
    """Write clusters and former numbers."""
    made, former = change.made, change.affected.clusters.values()
    known = {cluster.number for cluster in former}
    store.clusters.delete(sorted(made.ended))
    clusters = sorted(StoredCluster(number, leader, made.sizes[leader]) for leader, number in made.numbers.items())
    store.clusters.insert([cluster for cluster in clusters if cluster.number not in known])
    store.clusters.update([cluster for cluster in clusters if cluster.number in known])
    store.clusters.insert_former(made.merged)
    before, after = [cluster.size for cluster in former], made.sizes.values()
    return ClusterCounts(
        sum(size > 1 for size in after) - sum(size > 1 for size in before),
        sum(size - 1 for size in after) - sum(size - 1 for size in before),
    )


def list_document_events(around: Neighbourhood, placed: PlacedDocuments, clusters: ClusterChange) -> list[EventContent]:
    """Return what happened to documents: first the removed ones, then those that were added or updated."""
    change, nodes = placed.change, around.nodes
    arriving = set(change.arriving_ids)
    gone = {departure.id for departure in change.departures}
    events = []
    for departure in change.departures:
        if departure.id not in arriving:
            leader = nodes[departure.node].former_leader
            assert leader is not None, "the node of a stored document has a leader"
            events.append(EventContent(KIND[REMOVED], departure.id, clusters.affected.clusters[leader].number, None))
    for id_, node in zip(change.arriving_ids, placed.matched.node_of, strict=True):
        kind = UPDATED if id_ in gone else ADDED
        events.append(EventContent(KIND[kind], id_, clusters.made.numbers[nodes[node].leader], None))
    return events
