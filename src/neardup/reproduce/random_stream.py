"""Random numbers from a seed, the same on every machine and under every version of Python.

Only `random.Random.random` is used: it is the one method whose sequence the language guarantees. No function of the
mathematics library is used, because their last digits differ between platforms.
"""

from __future__ import annotations

import random
from collections.abc import MutableSequence, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")


class RandomStream:
    """A stream of random numbers; streams with the same seed and different purposes are independent."""

    def __init__(self, seed: int, purpose: str) -> None:
        digest = sha256(f"{seed} {purpose}".encode()).digest()
        self.random = random.Random(int.from_bytes(digest, "big")).random

    def happens(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.random() < probability

    def below(self, end: int) -> int:
        """Return an integer from 0 to `end` - 1."""
        return int(self.random() * end)

    def between(self, first: int, last: int) -> int:
        """Return an integer from `first` to `last`, both included."""
        return first + int(self.random() * (last - first + 1))

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of the items."""
        return items[int(self.random() * len(items))]

    def pick_some(self, items: Sequence[Item], count: int) -> list[Item]:
        """Return `count` different items in their original order, or all of them if there are fewer."""
        indices = list(range(len(items)))
        self.shuffle(indices)
        return [items[index] for index in sorted(indices[:count])]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Shuffle the items in place."""
        draw = self.random
        for index in range(len(items) - 1, 0, -1):
            other = int(draw() * (index + 1))
            items[index], items[other] = items[other], items[index]
