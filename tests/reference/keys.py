"""The reference implementation of the keys of an index: a list of rows that every query scans."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

KeyRow = tuple[int, int, int, int]
"""Key, position, node, size."""
Query = tuple[int, int, int, int, int, int]
"""Number of the query, key, least and greatest position, least and greatest size."""


@dataclass
class PlainKeys:
    """Rows that are added, removed and looked up."""

    rows: list[KeyRow] = field(default_factory=list)

    def add(self, rows: list[KeyRow]) -> None:
        self.rows = sorted(self.rows + rows)

    def remove(self, rows: list[KeyRow]) -> None:
        gone = {row[:3] for row in rows}
        self.rows = [row for row in self.rows if row[:3] not in gone]

    def meet(self, queries: list[Query]) -> list[tuple[int, int]]:
        return sorted(
            (query, node)
            for query, key, first, last, smallest, largest in queries
            for stored_key, position, node, size in self.rows
            if stored_key == key and first <= position <= last and smallest <= size <= largest
        )


def tally(query: Sequence[int], nodes: Sequence[int], needed: Sequence[int] | None) -> list[tuple[int, int]]:
    """Return the pairs of query and node that share enough keys, or one key that is sufficient by itself."""
    pairs = list(zip(query, nodes, strict=True))
    enough = {(-1 - query, node) for query, node in pairs if query < 0}
    times = Counter((query if query >= 0 else -1 - query, node) for query, node in pairs)
    return sorted(pair for pair in times if pair in enough or times[pair] >= (needed[pair[0]] if needed else 1))
