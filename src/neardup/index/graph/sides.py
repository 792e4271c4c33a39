"""Loads what the verification of a pair needs to know of stored nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from neardup.index.graph.nodes import Neighbourhood, node_order
from neardup.index.linking import Linker, Side
from neardup.index.store import Store
from neardup.index.store.encoding import is_html, unpack_text

Days = dict[int, int]
"""The number of copies by day."""


@dataclass(frozen=True, slots=True)
class SideLoader:
    """Loads texts, features, days and orders of nodes.

    `days` and `features` take precedence over the store: they are those of a change that is not written yet.
    """

    store: Store
    linker: Linker
    around: Neighbourhood
    days: Mapping[int, Days] = field(default_factory=dict)
    features: Mapping[int, bytes] = field(default_factory=dict)

    def load(self, numbers: list[int]) -> Side:
        """Load nodes for verification: by their features where these are stored, else by their texts."""
        if not self.linker.featured:
            return self.load_texts(numbers)
        found = self.store.nodes.read_features([number for number in numbers if number not in self.features])
        features = [found[number] if number in found else self.features[number] for number in numbers]
        return replace(self.describe(numbers), features=features)

    def load_texts(self, numbers: list[int]) -> Side:
        """Load nodes with their texts."""
        if not numbers:
            return Side()
        self.around.fetch(numbers)
        firsts = [self.around.nodes[number].first for number in numbers]
        found = self.store.documents.read_texts(firsts)
        texts = [unpack_text(found[first].text) for first in firsts]
        return replace(self.describe(numbers), texts=texts, html=[is_html(found[first].status) for first in firsts])

    def describe(self, numbers: list[int]) -> Side:
        """Return the number of copies, and days and orders where the method uses them."""
        days: list[Sequence[int]] = []
        orders = []
        copies = [1] * len(numbers)
        if self.linker.directed:
            self.around.fetch(numbers)
            order = node_order(self.linker.detector.keep, by_popularity=False, by_partners=False)
            nodes = [self.around.nodes[number] for number in numbers]
            orders, copies = [order(node) for node in nodes], [node.copies for node in nodes]
        if self.linker.dated:
            stored = self.count_days([number for number in numbers if number not in self.days])
            days = [list(self.days[number] if number in self.days else stored[number]) for number in numbers]
        return Side(days=days, copies=copies, orders=orders)

    def count_days(self, numbers: list[int]) -> dict[int, Days]:
        """Return the stored number of copies of each node by day."""
        found: dict[int, Days] = {number: {} for number in numbers}
        for node, day, copies in self.store.nodes.read_days(numbers):
            found[node][day] = copies
        return found
