"""Groups a result list: every result is kept, and copies follow the result that leads them.

Conrad, Guo & Schriber 2003, section 8. In the order of leadership (rank, time or length) each result joins the first
leader that it is linked to, or becomes a leader. Every member is therefore a copy of its leader, and nothing chains.
A group is at the position of its best result. Under `rank` the groups of the beginning of a list stay the same when the
list becomes longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from neardup.index.answers import Group, Groups, Result
from neardup.index.changes.batches import Batch, pack_ids, prepare
from neardup.index.settings import OpenedIndex
from neardup.index.store import Store
from neardup.index.store.encoding import pack_id
from neardup.records import Documents

NO_TIME = 1 << 62
Similarities = dict[int, dict[int, float]]
"""The nodes that are linked to each node, with their similarities."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A result: its rank, its node (None for an unknown document), its time, and its words if they are needed."""

    rank: int
    node: int | None
    time: int | None = None
    words: int = 0


def group_ids(store: Store, ids: list[str], leader: str) -> list[Group]:
    """Group results given by the ids of stored documents."""
    listed = _find_results(store, ids, with_words=leader == "longest")
    nodes = {each.node for each in listed if each.node is not None}
    links: Similarities = {}
    # Most results have no links, so the far ends are compared here and not by the database.
    for a, b, similarity in store.links.read(sorted(nodes)):
        if b in nodes:
            links.setdefault(a, {})[b] = similarity
    return _group(ids, listed, links, leader)


def _find_results(store: Store, ids: list[str], *, with_words: bool) -> list[Listed]:
    packed = [pack_id(name) for name in ids]
    found = store.documents.find_results(list(dict.fromkeys(packed)), with_words=with_words)
    listed = []
    for rank, name in enumerate(packed):
        row = found.get(name)
        listed.append(Listed(rank, None) if row is None else Listed(rank, *row))
    return listed


def group_documents(opened: OpenedIndex, documents: Documents, leader: str) -> list[Group]:
    """Group documents that need not be stored, with the method and the lexicon of the index."""
    if opened.lacks_lexicon:
        opened = opened.taught(documents)
    arrival = prepare(opened.linker, Batch(documents, pack_ids(documents), len(documents)))
    found = arrival.links if arrival.links is not None else opened.linker.link_within(arrival.represented)
    links: Similarities = {}
    for a, b, similarity in zip(found.a.tolist(), found.b.tolist(), found.similarities.tolist(), strict=True):
        links.setdefault(a, {})[b] = similarity
        links.setdefault(b, {})[a] = similarity
    words = arrival.represented.lengths()
    listed = [
        Listed(rank, node if node >= 0 else None, time, words[node] if node >= 0 else 0)
        for rank, (node, time) in enumerate(zip(arrival.node_of.tolist(), arrival.times, strict=True))
    ]
    return _group(documents.id_column().to_pylist(), listed, links, leader, known=True)


def _group(
    ids: Sequence[str], listed: list[Listed], links: Similarities, leader: str, *, known: bool = False
) -> list[Group]:
    """Form the groups, ordered by the best result of each."""
    groups = []
    for leading, members in _join_leaders(_order(listed, leader), links).items():
        if len(members) > 1:
            members[1:] = sorted(members[1:])
        results = tuple(
            Result(ids[rank], rank, similarity, known or listed[rank].node is not None) for rank, similarity in members
        )
        groups.append((min(members)[0], Group(ids[leading], results)))
    return [group for _, group in sorted(groups, key=lambda pair: pair[0])]


def _order(listed: list[Listed], leader: str) -> list[Listed]:
    """Order results by how they lead."""
    if leader == "rank":
        return listed
    if leader == "longest":
        return sorted(listed, key=lambda each: (-each.words, each.rank))
    sign = -1 if leader == "last" else 1
    return sorted(listed, key=lambda each: (NO_TIME if each.time is None else sign * each.time, each.rank))


def _join_leaders(ordered: list[Listed], links: Similarities) -> dict[int, list[tuple[int, float]]]:
    """Return the members of each leader, by rank: the rank of each member and its similarity to the leader."""
    leading: dict[int, tuple[int, int]] = {}
    members: dict[int, list[tuple[int, float]]] = {}
    for position, each in enumerate(ordered):
        joined = None if each.node is None else _first_leader(each.node, links.get(each.node), leading)
        if joined is None:
            members[each.rank] = [(each.rank, 1.0)]
            if each.node is not None:
                leading[each.node] = (position, each.rank)
        else:
            rank, similarity = joined
            members[rank].append((each.rank, similarity))
    return members


def _first_leader(
    node: int, partners: dict[int, float] | None, leading: dict[int, tuple[int, int]]
) -> tuple[int, float] | None:
    """Return the rank of the first leader that is linked to a node or has the same text, and the similarity."""
    if not partners:
        return (leading[node][1], 1.0) if node in leading else None
    met = [(leading[other], other) for other in (node, *partners) if other in leading]
    if not met:
        return None
    (_, rank), first = min(met)
    return rank, partners.get(first, 1.0)


def page_groups(groups: list[Group], results: int, offset: int, limit: int | None) -> Groups:
    """Return a page of the groups."""
    end = len(groups) if limit is None else min(offset + limit, len(groups))
    return Groups(tuple(groups[offset:end]), len(groups), results, end if end < len(groups) else None)
