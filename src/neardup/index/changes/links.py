"""The middle steps of a change: nodes lose their keys and links, and get new ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from neardup.index.changes.batches import Arrival
from neardup.index.changes.common_keys import avoid_common, demote_crowded
from neardup.index.changes.documents import Matched, PlacedDocuments
from neardup.index.graph.nodes import Neighbourhood
from neardup.index.graph.rules import LinkRules
from neardup.index.graph.sides import SideLoader
from neardup.index.keys import Integers, KeyRows
from neardup.index.linking import Side
from neardup.index.store import Store
from neardup.index.store.encoding import is_html
from neardup.index.store.nodes import Link
from neardup.stages import Flags, Scores


@dataclass(frozen=True, slots=True)
class LinkChange:
    """How many keys, common keys and links a step added, and which nodes it changed."""

    keys: int = 0
    common: int = 0
    links: int = 0
    changed: set[int] = field(default_factory=set)


def change_links(loader: SideLoader, placed: PlacedDocuments, rules: LinkRules) -> LinkChange:
    """Unlink nodes that go, link new nodes, and link stored nodes again where their links may be different."""
    arrival, days = placed.change.arrival, placed.days
    loader = replace(loader, days=days.after)
    relinked, changed = find_relinked(loader, placed, rules)
    texts = loader.load_texts(relinked)
    former = replace(texts, days=replace(loader, days=days.before).describe(relinked).days)
    steps = (
        unlink(loader, placed.going, placed.going_texts),
        unlink(loader, relinked, former),
        link_new(loader, arrival, placed.matched, rules),
        relink(_with_features(loader, placed), relinked, texts, rules),
    )
    return LinkChange(
        sum(step.keys for step in steps),
        sum(step.common for step in steps),
        sum(step.links for step in steps),
        changed.union(*(step.changed for step in steps)) - placed.empty,
    )


def find_relinked(loader: SideLoader, placed: PlacedDocuments, rules: LinkRules) -> tuple[list[int], set[int]]:
    """Return the stored nodes that are to be linked again, and those whose position among the others may change.

    All positions change when the first document with a time arrives or the last one goes.
    """
    relinked, changed = set(placed.days.different), set(placed.changed)
    if loader.linker.directed:
        relinked |= changed
    if rules.by_popularity != LinkRules.of(loader.linker.detector.keep, placed.before).by_popularity:
        changed |= loader.store.links.read_linked_nodes() - placed.empty
        if loader.linker.directed:
            relinked |= loader.store.nodes.read_all_with_words() - placed.empty
    return sorted(relinked), changed


def _with_features(loader: SideLoader, placed: PlacedDocuments) -> SideLoader:
    """Return a loader that knows the features of new nodes, which are not stored yet."""
    arrival = placed.change.arrival
    if arrival is None or not arrival.features:
        return loader
    new = placed.matched.new_with_words
    return replace(loader, features={number: arrival.features[index] for number, index in new.items()})


def unlink(loader: SideLoader, numbers: list[int], side: Side) -> LinkChange:
    """Remove the keys and the links of nodes; `side` has their texts and days as they were when they were linked."""
    if not numbers:
        return LinkChange()
    store, around = loader.store, loader.around
    rows = _every_key(loader, side).chosen(np.ones(len(numbers), bool), np.array(numbers, np.int64))
    store.keys.remove(rows)
    around.fetch_links(numbers)
    ends = [(a, b) for a in numbers for b in around.links[a]]
    store.links.delete(ends)
    for a, b in ends:
        around.nodes[b].partners -= 1
        around.links.get(b, {}).pop(a, None)
    for number in numbers:
        around.links[number] = {}
        around.nodes[number].partners = 0
    # A link between two of the nodes is found from both ends.
    links = len({frozenset(end) for end in ends})
    return LinkChange(-len(rows[0]), 0, -links, {*numbers, *(b for _, b in ends)})


def link_new(loader: SideLoader, arrival: Arrival | None, matched: Matched, rules: LinkRules) -> LinkChange:
    """Link new nodes with stored nodes and with each other, and store their keys."""
    indexes = list(matched.new_with_words.values())
    if arrival is None or not indexes:
        return LinkChange()
    store, linker = loader.store, loader.linker
    new = np.zeros(len(matched.nodes), bool)
    new[indexes] = True
    numbers = np.array(matched.nodes, np.int64)
    keys, counts = avoid_common(loader, arrival.represented, arrival.keys)
    met = linker.meet(store.keys, keys, new, some_unplaced=rules.some_undated)
    found = linker.link_stored(
        met, _describe_arrived(loader, arrival, matched), loader.load, by_popularity=rules.by_popularity
    )
    stored = _links(numbers[found.rows], found.nodes, found.similarities)
    among = _link_among(loader, arrival, new, numbers, rules)
    _add_links(store, loader.around, stored)
    _add_links(store, loader.around, among)
    added = _store_keys(store, keys, new, numbers)
    counts = counts.plus(demote_crowded(loader, keys, met[0]))
    return LinkChange(added + counts.keys, counts.common, len(stored) + len(among), _ends([*stored, *among]))


def relink(loader: SideLoader, numbers: list[int], side: Side, rules: LinkRules) -> LinkChange:
    """Link stored nodes that were unlinked, and store their keys."""
    if not numbers:
        return LinkChange()
    store, linker = loader.store, loader.linker
    own, every = np.array(numbers, np.int64), np.ones(len(numbers), bool)
    keys = _every_key(loader, side)
    added = _store_keys(store, keys, every, own)
    indexes, nodes = linker.meet(store.keys, keys, every, some_unplaced=rules.some_undated)
    # Two nodes that are both relinked meet twice, and each node meets itself.
    once = (own[indexes] < nodes) | ~np.isin(nodes, own)
    once &= own[indexes] != nodes
    found = linker.link_stored(
        (indexes[once], nodes[once]),
        lambda chosen: loader.load([numbers[index] for index in chosen]),
        loader.load,
        by_popularity=rules.by_popularity,
    )
    links = _links(own[found.rows], found.nodes, found.similarities)
    _add_links(store, loader.around, links)
    return LinkChange(added, 0, len(links), _ends(links))


def _every_key(loader: SideLoader, side: Side) -> KeyRows:
    return loader.linker.keys(loader.linker.represent_side(side))


def _describe_arrived(loader: SideLoader, arrival: Arrival, matched: Matched) -> Callable[[list[int]], Side]:
    """Return a function that gives what verification needs to know of nodes of the corpus."""

    def describe(nodes: list[int]) -> Side:
        side = loader.describe([matched.nodes[node] for node in nodes])
        if loader.linker.featured:
            return replace(side, features=[arrival.features[node] for node in nodes])
        documents = arrival.represented.documents_of(nodes)
        texts = [arrival.documents.text(document) for document in documents]
        return replace(side, texts=texts, html=[is_html(arrival.statuses[document]) for document in documents])

    return describe


def _link_among(loader: SideLoader, arrival: Arrival, new: Flags, numbers: Integers, rules: LinkRules) -> list[Link]:
    """Return the links between new nodes."""
    links = arrival.links
    if links is None:
        links = loader.linker.link_within(arrival.represented, by_popularity=rules.by_popularity)
    both = new[links.a] & new[links.b]
    return _links(numbers[links.a[both]], numbers[links.b[both]], links.similarities[both])


def _store_keys(store: Store, keys: KeyRows, chosen: Flags, numbers: Integers) -> int:
    rows = keys.chosen(chosen, numbers)
    store.keys.add(rows)
    return len(rows[0])


def _links(a: Integers, b: Integers, similarities: Scores) -> list[Link]:
    return list(map(Link, a.tolist(), b.tolist(), similarities.tolist()))


def _ends(links: Iterable[Link]) -> set[int]:
    return {end for link in links for end in link[:2]}


def _add_links(store: Store, around: Neighbourhood, links: list[Link]) -> None:
    """Store links, and add them to the nodes at their ends."""
    if not links:
        return
    ends = _ends(links)
    around.fetch(ends)
    around.fetch_links(ends)
    for one, other, similarity in links:
        around.links[one][other] = around.links[other][one] = similarity
        around.nodes[one].partners += 1
        around.nodes[other].partners += 1
    store.links.insert(links)
