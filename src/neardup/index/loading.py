"""What verification wants to know of stored nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from neardup.index.leading import Neighbourhood, lead_by
from neardup.index.linking import Linker, Side
from neardup.index.packing import unpack_text
from neardup.index.tables import Database


class Loader:
    """Loads texts, features, days and places of stored nodes.

    `days` has those that are others now, `features` those that are not stored yet.
    """

    def __init__(self, database: Database, linker: Linker, around: Neighbourhood) -> None:
        self._database = database
        self._linker = linker
        self._around = around
        self.days: dict[int, dict[int, int]] = {}
        self.features: dict[int, bytes] = {}

    def candidates(self, numbers: list[int]) -> Side:
        """Load nodes to be verified: by their features where these are kept, else by their texts."""
        if not self._linker.featured:
            return self.texts(numbers)
        asked = [number for number in numbers if number not in self.features]
        rows = self._database.among("SELECT node, features FROM nodes WHERE node IN ?", asked)
        found: dict[int, bytes] = {**self.features, **dict(rows)} if self.features else dict(rows)
        return replace(self.describe(numbers), features=[found[number] for number in numbers])

    def texts(self, numbers: list[int]) -> Side:
        """Load nodes with their texts."""
        if not numbers:
            return Side()
        self._around.fetch(numbers)
        firsts = [self._around.nodes[number].first for number in numbers]
        rows = self._database.among(
            "SELECT d.number, d.status, t.text FROM documents d JOIN texts t ON t.number = d.number "
            "WHERE d.number IN ?",
            firsts,
        )
        found = {row[0]: row for row in rows}
        texts = [unpack_text(found[first][2]) for first in firsts]
        return replace(self.describe(numbers), texts=texts, html=[bool(found[first][1] % 2) for first in firsts])

    def describe(self, numbers: list[int]) -> Side:
        """Return copies, and days and places where the method asks for them."""
        days: list[Sequence[int]] = []
        orders = []
        copies = [1] * len(numbers)
        if self._linker.directed:
            self._around.fetch(numbers)
            order = lead_by(self._linker.detector.keep, popular=False, by_partners=False)
            nodes = [self._around.nodes[number] for number in numbers]
            orders, copies = [order(node) for node in nodes], [node.copies for node in nodes]
        if self._linker.dated:
            stored = self.count_days([number for number in numbers if number not in self.days])
            days = [list(self.days[n] if n in self.days else stored[n]) for n in numbers]
        return Side(days=days, copies=copies, orders=orders)

    def count_days(self, numbers: list[int]) -> dict[int, dict[int, int]]:
        """Return how many copies each node has on each day, as it is stored."""
        found: dict[int, dict[int, int]] = {number: {} for number in numbers}
        for node, day, copies in self._database.among("SELECT node, day, copies FROM days WHERE node IN ?", numbers):
            found[node][day] = copies
        return found
