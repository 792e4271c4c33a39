"""The plain twin of the keys of an index: a list of rows, and every row looked at for every question."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

KeyRow = tuple[int, int, int, int]
"""Key, moment, node, size."""
Question = tuple[int, int, int, int, int, int]
"""Who asks, the key, and the least and the most of moment and size."""


@dataclass
class PlainKeys:
    """Rows that come, go and are met."""

    rows: list[KeyRow] = field(default_factory=list)

    def add(self, rows: list[KeyRow]) -> None:
        self.rows = sorted(self.rows + rows)

    def remove(self, rows: list[KeyRow]) -> None:
        gone = {row[:3] for row in rows}
        self.rows = [row for row in self.rows if row[:3] not in gone]

    def meet(self, questions: list[Question]) -> list[tuple[int, int]]:
        return sorted(
            (asked, node)
            for asked, key, earliest, latest, smallest, largest in questions
            for known, moment, node, size in self.rows
            if known == key and earliest <= moment <= latest and smallest <= size <= largest
        )


def tally(asked: Sequence[int], nodes: Sequence[int], needed: Sequence[int] | None) -> list[tuple[int, int]]:
    """Return which askers met which nodes as often as they need, or by a key that is enough by itself."""
    pairs = list(zip(asked, nodes, strict=True))
    enough = {(-1 - place, node) for place, node in pairs if place < 0}
    times = Counter((place if place >= 0 else -1 - place, node) for place, node in pairs)
    return sorted(pair for pair in times if pair in enough or times[pair] >= (needed[pair[0]] if needed else 1))
