"""The documents that are similar to a text or to a stored document."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neardup.index.answers import Match
from neardup.index.graph.nodes import by_rank
from neardup.index.graph.rules import LinkRules
from neardup.index.linking import AnyRepresented, Order, Side
from neardup.index.queries.snapshot import EXACT, Snapshot
from neardup.index.store.encoding import UNTIMED_RANK, day_of, rank_document, unpack_id

NO_NODE = -1


def find_like_document(snapshot: Snapshot, id_: bytes, limit: int) -> tuple[Match, ...]:
    """Return the documents linked to a stored document; its identical copies come first."""
    number = snapshot.find(id_).node
    if not snapshot.around.node(number).words:
        return ()
    similarities = {number: 1.0, **snapshot.around.partners(number)}
    return _list_matches(snapshot, snapshot.loader.load_texts([number]), number, similarities, limit, without=id_)


def find_like_text(snapshot: Snapshot, text: str, time: int | None, limit: int) -> tuple[Match, ...]:
    """Return the documents that would be linked to a text if it were added."""
    linker = snapshot.linker
    side = Side([text], [False], days=[[day_of(time)]] if linker.dated else [], copies=[1])
    represented = linker.represent_side(side)
    if snapshot.lacks_lexicon or not represented.lengths()[0]:
        return ()
    same = _find_same(snapshot, represented)
    similarities = _link_text(snapshot, side, represented, same, time)
    if same != NO_NODE:
        similarities[same] = 1.0
    snapshot.around.fetch(similarities)
    return _list_matches(snapshot, side, same, similarities, limit)


def _find_same(snapshot: Snapshot, represented: AnyRepresented) -> int:
    """Return the node of the same text; `NO_NODE` if it is not stored."""
    (fingerprint,) = represented.fingerprints()
    found = snapshot.store.nodes.find_by_fingerprint([fingerprint.low or 0])
    return found.get(fingerprint, NO_NODE)


def _link_text(
    snapshot: Snapshot, side: Side, represented: AnyRepresented, same: int, time: int | None
) -> dict[int, float]:
    """Return the stored nodes that would be linked to a text, apart from the node of the same text."""
    linker, store = snapshot.linker, snapshot.store
    rules = LinkRules.of(linker.detector.keep, store.facts.read_counters())
    one = np.ones(1, bool)
    indexes, nodes = linker.meet(store.keys, linker.keys(represented), one, some_unplaced=rules.some_undated)
    other = nodes != same
    if linker.directed:
        side = replace(side, orders=[_order_text(linker.detector.keep, time, represented.lengths()[0])])
    if features := represented.stored_features():
        side = replace(side, texts=[], html=[], features=features)
    found = linker.link_stored(
        (indexes[other], nodes[other]),
        lambda _: side,
        snapshot.loader.load,
        by_popularity=rules.by_popularity and time is None,
    )
    return dict(zip(found.nodes.tolist(), found.similarities.tolist(), strict=True))


def _order_text(keep: str | None, time: int | None, words: int) -> Order:
    """Return the position of a text that is not stored: after all documents with the same time."""
    position = (rank_document(keep, time, UNTIMED_RANK), b"\xff")
    return (-words, *position) if keep == "longest" else position


def _list_matches(
    snapshot: Snapshot, side: Side, same: int, similarities: dict[int, float], limit: int, *, without: bytes = b""
) -> tuple[Match, ...]:
    """Return the documents of nodes, the most similar node first, with their relations to the query."""
    around = snapshot.around
    nodes = sorted(similarities, key=lambda n: (-similarities[n], n != same, by_rank(around.nodes[n])))
    chosen = snapshot.first_ids(nodes, limit, without)
    shown = dict.fromkeys(node for _, node in chosen)
    differences = snapshot.compare(side, [node for node in shown if node != same])
    around.fetch(around.nodes[node].leader for node in shown)
    return tuple(
        Match(unpack_id(id_), similarities[node], differences.get(node, EXACT).relation, snapshot.cluster_of(node))
        for id_, node in chosen
    )
