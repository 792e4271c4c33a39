"""Applies a change to an index: documents go and arrive, and everything that follows from it is updated.

Documents are matched to nodes; nodes lose and get links; links determine leaders; leaders determine clusters; the log
records what happened. A change costs what it touches: its documents, their links, and the nodes that depend on them.
"""

from __future__ import annotations

from dataclasses import replace

from neardup.index.answers import Changes
from neardup.index.changes.cluster_numbers import update_clusters
from neardup.index.changes.clusters import settle_leaders
from neardup.index.changes.documents import Change, place_documents
from neardup.index.changes.links import change_links
from neardup.index.changes.results import list_document_events, write_clusters, write_nodes
from neardup.index.garbage import without_collection
from neardup.index.graph.nodes import Neighbourhood, node_order
from neardup.index.graph.rules import LinkRules, refresh_common
from neardup.index.graph.sides import SideLoader
from neardup.index.linking import Linker
from neardup.index.store import Store


@without_collection
def apply_change(store: Store, linker: Linker, change: Change) -> Changes:
    """Remove and add documents inside a transaction. A document that is updated keeps its number."""
    before = store.facts.read_counters()
    refresh_common(store, linker, before.common)
    loader = SideLoader(store, linker, Neighbourhood(store))
    placed = place_documents(loader, change, before)
    rules = LinkRules.of(linker.detector.keep, placed.counters, len(change.departures))
    links = change_links(loader, placed, rules)
    order = node_order(linker.detector.keep, by_popularity=rules.by_popularity, by_partners=not linker.directed)
    settle_leaders(loader.around, links.changed, order, linker.linkage)
    result = update_clusters(loader, placed, before.next_cluster)
    distinct = write_nodes(loader, placed, links.changed, result.made)
    counts = write_clusters(store, result)
    events = [*list_document_events(loader.around, placed, result), *result.events]
    store.events.append(events, before.next_event)
    after = placed.counters.plus(
        keys=links.keys,
        common=links.common,
        links=links.links,
        distinct=distinct,
        clusters=counts.clusters,
        duplicates=counts.duplicates,
        next_event=len(events),
    )
    store.facts.write_counters(replace(after, next_cluster=result.made.next_number(before.next_cluster)))
    updated = len(placed.movements.updated)
    return Changes(len(placed.numbers) - updated, updated, len(change.departures) - updated, 0, after.last_event)
