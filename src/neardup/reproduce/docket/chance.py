"""Chance from a seed number, the same on every machine and under every version of Python.

Only `random.Random.random` is used, the one method whose sequence the language promises to keep, and no function of the
mathematics library, whose last digit differs between platforms.
"""

from __future__ import annotations

import random
from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from typing import Any, TypeVar

Item = TypeVar("Item")


class Chance:
    """A stream of chances; streams of the same seed with different purposes do not depend on each other."""

    def __init__(self, seed: int, purpose: str) -> None:
        digest = sha256(f"{seed} {purpose}".encode()).digest()
        self.random = random.Random(int.from_bytes(digest, "big")).random

    def happens(self, share: float) -> bool:
        """Say yes in this share of the cases."""
        return self.random() < share

    def below(self, end: int) -> int:
        """Return a whole number from 0 to before the end."""
        return int(self.random() * end)

    def between(self, first: int, last: int) -> int:
        """Return a whole number from the first to the last, both included."""
        return first + int(self.random() * (last - first + 1))

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[int(self.random() * len(items))]

    def pick_some(self, items: Sequence[Item], count: int) -> list[Item]:
        """Return so many different items, in the order in which they stand."""
        places = list(range(len(items)))
        self.shuffle(places)
        return [items[place] for place in sorted(places[:count])]

    def shuffle(self, items: MutableSequence[Any]) -> None:
        """Put the items in an order of chance."""
        draw = self.random
        for place in range(len(items) - 1, 0, -1):
            other = int(draw() * (place + 1))
            items[place], items[other] = items[other], items[place]
