"""Keys of nodes, candidate pairs, and verified pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from neardup.stages.arrays import Counts, Flags, Hashes, Numbers, Scores

UNPLACED = -(1 << 31)
"""The position of a key that has none: it meets keys of every position."""


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The position of each key on a line, and the first and last position of the keys that it meets.

    A key at `UNPLACED` meets all others. Unless `some_unplaced` is false, every lookup also searches for such keys.
    """

    position: Counts
    first: Counts
    last: Counts
    some_unplaced: bool = True


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of nodes, each computed from one node alone: those of node i are `values[offsets[i]:offsets[i + 1]]`.

    A node and another are candidates if they share at least `needed` keys (one where it is None), or a single key that
    is `sufficient`. A key can have a position, such as a day or a role (`key_range`), and a size (`size_range`). It
    then meets only keys in these ranges, which include every pair that the verifier accepts.
    """

    values: Hashes
    offsets: Hashes
    needed: Numbers | None = None
    key_range: KeyRange | None = None
    size_range: KeyRange | None = None
    sufficient: Flags | None = None

    @classmethod
    def uniform(cls, values: Hashes, each: int = 1) -> Keys:
        """Return keys of which every node has the same number."""
        return cls(values, np.arange(0, len(values) + 1, each, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.offsets) - 1


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs of nodes, the smaller number first.

    `similarities` is given where the rule computed them exactly. `examined` counts the comparisons, `guards` what was
    cut off.
    """

    a: Numbers
    b: Numbers
    similarities: Scores | None = None
    examined: int = 0
    guards: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Links:
    """Verified pairs of nodes with their exact similarity, sorted by a, then b.

    `grounds` lists the possible reasons for a link; `evidence` is the index of the reason for each link.
    """

    a: Numbers
    b: Numbers
    similarities: Scores
    grounds: tuple[str, ...]
    evidence: npt.NDArray[np.uint8] | None = None


_NONE = np.zeros(0, np.uint32)
NO_LINKS = Links(_NONE, _NONE, np.zeros(0), ())


def renumber(nodes: int, a: Numbers, b: Numbers) -> tuple[Numbers, tuple[Numbers, Numbers]]:
    """Return the nodes that occur in the pairs, and the pairs as indexes into that list."""
    used = np.zeros(nodes, bool)
    used[a] = True
    used[b] = True
    occurring = np.flatnonzero(used).astype(np.uint32)
    indexes = np.zeros(nodes, np.uint32)
    indexes[occurring] = np.arange(len(occurring), dtype=np.uint32)
    return occurring, (indexes[a], indexes[b])
