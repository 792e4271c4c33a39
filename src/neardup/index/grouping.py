"""A result list grouped: every result is kept, and copies stand under the first of their kind.

Conrad, Guo & Schriber 2003, section 8. In the order of whoever shall lead (rank, time or length) each result joins the
first leader that it is linked to, else it leads itself: so every member is a copy of its leader, and nothing chains.
Groups stand where their best result stood. By rank the groups of a list are those of its beginning, continued: what
comes later in the list never changes who leads before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from neardup.index.answers import Group, Groups, Result
from neardup.index.opening import Opened
from neardup.index.packing import pack_id
from neardup.index.preparing import Incoming, prepare
from neardup.index.tables import Database
from neardup.records import Documents

NO_TIME = 1 << 62


@dataclass(frozen=True, slots=True)
class Listed:
    """A result of a list: its rank, its distinct text (None if nothing is known of it), time, and length if asked."""

    rank: int
    node: int | None
    time: int | None = None
    words: int = 0


def group_ids(database: Database, ids: list[str], leader: str) -> list[Group]:
    """Group results by the ids of stored documents."""
    listed = _look_up(database, ids, with_words=leader == "longest")
    nodes = sorted({each.node for each in listed if each.node is not None})
    # Most results have no link at all: the nodes at both ends are compared here, not in the database.
    inside = set(nodes)
    links: dict[int, dict[int, float]] = {}
    for a, b, similarity in database.among("SELECT a, b, similarity FROM links WHERE a IN ?", nodes):
        if b in inside:
            links.setdefault(a, {})[b] = similarity
    return _group(ids, listed, links, leader)


def _look_up(database: Database, ids: list[str], *, with_words: bool) -> list[Listed]:
    lengths = "n.words FROM documents d JOIN nodes n ON n.node = d.node" if with_words else "0 FROM documents d"
    rows = database.each(
        f"SELECT d.id, d.node, d.time, {lengths} WHERE d.id = ?", [pack_id(name) for name in dict.fromkeys(ids)]
    )
    found = {bytes(row[0]): row for row in rows}
    listed = []
    for rank, name in enumerate(ids):
        row = found.get(pack_id(name))
        listed.append(Listed(rank, None) if row is None else Listed(rank, row[1], row[2], row[3]))
    return listed


def group_documents(opened: Opened, documents: Documents, leader: str) -> list[Group]:
    """Group documents that need not be stored, by the index's method and lexicon."""
    if opened.learning:
        opened = opened.taught(documents)
    arrival = prepare(opened.linker, Incoming(documents, len(documents)))
    found = arrival.links if arrival.links is not None else opened.linker.link_within(arrival.corpus)
    links: dict[int, dict[int, float]] = {}
    for a, b, similarity in zip(found.a.tolist(), found.b.tolist(), found.similarities.tolist(), strict=True):
        links.setdefault(a, {})[b] = similarity
        links.setdefault(b, {})[a] = similarity
    words = arrival.corpus.lengths.tolist()
    listed = [
        Listed(rank, None if at < 0 else at, time, words[at] if at >= 0 else 0)
        for rank, (at, time) in enumerate(zip(arrival.at.tolist(), arrival.times, strict=True))
    ]
    names = documents.id_column().to_pylist()
    return _group(names, listed, links, leader, known=True)


def _group(
    ids: Sequence[str], listed: list[Listed], links: dict[int, dict[int, float]], leader: str, known: bool = False
) -> list[Group]:
    """Form the groups, in the order of the best result of each."""
    keys = {
        "rank": lambda each: each.rank,
        "first": lambda each: (NO_TIME if each.time is None else each.time, each.rank),
        "last": lambda each: (NO_TIME if each.time is None else -each.time, each.rank),
        "longest": lambda each: (-each.words, each.rank),
    }
    order = listed if leader == "rank" else sorted(listed, key=keys[leader])
    leading: dict[int, int] = {}
    places: dict[int, int] = {}
    members: dict[int, list[tuple[int, float]]] = {}
    for place, each in enumerate(order):
        joined = _first_leader(each.node, links, leading, places)
        if joined is None:
            members[each.rank] = [(each.rank, 1.0)]
            if each.node is not None:
                leading[each.node], places[each.node] = each.rank, place
        else:
            members[leading[joined[0]]].append((each.rank, joined[1]))
    groups = []
    for chosen, ranks in members.items():
        if len(ranks) > 1:
            ranks[1:] = sorted(ranks[1:])
        results = tuple(
            Result(ids[rank], rank, similarity, known or listed[rank].node is not None) for rank, similarity in ranks
        )
        groups.append((min(ranks)[0], Group(ids[chosen], results)))
    return [group for _, group in sorted(groups, key=lambda pair: pair[0])]


def _first_leader(
    node: int | None, links: dict[int, dict[int, float]], leading: dict[int, int], places: dict[int, int]
) -> tuple[int, float] | None:
    """Return the first leading text that a text is linked to, or the same text, and how alike they are."""
    if node is None:
        return None
    partners = links.get(node)
    if not partners:
        return (node, 1.0) if node in leading else None
    met = [(places[other], other) for other in (node, *partners) if other in leading]
    if not met:
        return None
    first = min(met)[1]
    return first, partners.get(first, 1.0)


def page(groups: list[Group], results: int, offset: int, limit: int | None) -> Groups:
    """Return a page of the groups."""
    end = len(groups) if limit is None else min(offset + limit, len(groups))
    return Groups(tuple(groups[offset:end]), len(groups), results, end if end < len(groups) else None)
