"""One state of an index, as queries within a transaction see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from neardup.errors import IdNotFound
from neardup.explain import relate_members
from neardup.index.graph.nodes import Neighbourhood
from neardup.index.graph.rules import refresh_common
from neardup.index.graph.sides import SideLoader
from neardup.index.linking import Linker, Side
from neardup.index.settings import OpenedIndex
from neardup.index.store import Store
from neardup.index.store.documents import DocumentState
from neardup.index.store.encoding import unpack_id
from neardup.records import Documents


class Difference(NamedTuple):
    """How a text differs from a reference."""

    relation: str
    added: str
    removed: str


EXACT = Difference("exact", "", "")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The store, the stages of the method, and the nodes that were read so far."""

    store: Store
    linker: Linker
    around: Neighbourhood
    loader: SideLoader
    lacks_lexicon: bool

    @classmethod
    def of(cls, opened: OpenedIndex) -> Snapshot:
        """Return the current state of an open index, inside a transaction."""
        store, linker = opened.store, opened.query_linker
        if linker.defers_common_keys:
            refresh_common(store, linker, store.facts.read_counters().common)
        around = Neighbourhood(store)
        return cls(store, linker, around, SideLoader(store, linker, around), opened.lacks_lexicon)

    def find(self, id_: bytes) -> DocumentState:
        """Return a document; raise IdNotFound if there is no such id."""
        found = self.store.documents.read(id_)
        if found is None:
            raise IdNotFound(f"{self.store.name} has no document with the id {unpack_id(id_)!r}")
        return found

    def cluster_of(self, node: int) -> int:
        """Return the number of the cluster of a node."""
        cluster = self.around.leader(node).cluster
        assert cluster is not None, "a leader has a cluster"
        return cluster

    def first_ids(self, nodes: list[int], limit: int, without: bytes = b"") -> list[tuple[bytes, int]]:
        """Return the ids of the first documents of some nodes, node by node, each with its node."""
        chosen: list[tuple[bytes, int]] = []
        for node in nodes:
            if len(chosen) >= limit:
                break
            # One more than needed, since one of them may be left out.
            ids = self.store.documents.read_ids_of_node(node, limit + bool(without) - len(chosen))
            chosen += [(id_, node) for id_ in ids if id_ != without]
        return chosen[:limit]

    def compare(self, reference: Side, nodes: list[int]) -> dict[int, Difference]:
        """Return how the texts of nodes differ from a reference."""
        if not nodes:
            return {}
        members = self.loader.load_texts(nodes)
        html = np.array(reference.html + members.html, bool)
        texts = self.linker.open(Documents(reference.texts + members.texts, html=html if html.any() else None))
        rows = np.arange(1, len(nodes) + 1, dtype=np.uint32)
        found = relate_members(texts, rows, np.zeros_like(rows))
        columns = (found.relations.to_pylist(), found.added.to_pylist(), found.removed.to_pylist())
        return dict(zip(nodes, map(Difference, *columns), strict=True))
