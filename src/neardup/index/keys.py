"""The keys of a batch of nodes: the rows to store and the probes that look for nodes with matching keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from neardup.stages import UNPLACED, Flags, KeyRange, Keys, Numbers

Integers = npt.NDArray[np.int64]
Columns = tuple[Integers, ...]


@dataclass(frozen=True, slots=True)
class KeyRows:
    """The keys of a batch, sorted as in the store.

    `rows` has the columns key, point of the key range, index of the node in the batch, and size. `own_probes` has the
    columns of `Database.meet`: the index of the node, the key, and the least and the greatest point and size. The node
    is given as -1 - index where one such key is enough by itself. `unplaced_probes` look for stored keys without a
    point where `own_probes` do not. `common` is how many common keys were known.
    """

    rows: Columns
    own_probes: Columns
    unplaced_probes: Columns
    needed: Numbers | None
    common: int = 0

    @classmethod
    def sort(cls, keys: Keys, common: int = 0) -> Self:
        """Sort the keys of a batch. A node appears once for each key and point, even if a rule repeats it."""
        counts = (keys.offsets[1:] - keys.offsets[:-1]).astype(np.int64)
        nodes = np.repeat(np.arange(len(keys), dtype=np.int64), counts)
        values = keys.values.view(np.int64)
        point, least, most = _key_range(keys.key_range, len(values))
        size, smallest, largest = _key_range(keys.size_range, len(values))
        order = np.lexsort((nodes, point, values))
        rows = tuple(column[order] for column in (values, point, nodes, size))
        new = np.append(True, np.any([np.diff(column) != 0 for column in rows[:3]], axis=0))[: len(values)]
        asked = nodes if keys.sufficient is None else np.where(keys.sufficient, -1 - nodes, nodes)
        columns = (asked, values, least, most, smallest, largest)
        probes = tuple(column[order][new] for column in columns)
        unplaced = _probe_unplaced(keys.key_range, probes)
        return cls(tuple(column[new] for column in rows), probes, unplaced, keys.needed, common)

    def chosen(self, nodes: Flags, numbers: Integers) -> Columns:
        """Return the rows of the chosen nodes, with their numbers in the index in place of those in the batch."""
        kept = nodes[self.rows[2]]
        key, point, node, size = (column[kept] for column in self.rows)
        return key, point, numbers[node], size

    def frequent(self, least: int) -> dict[int, int]:
        """Return the keys that at least `least` rows have, with the number of rows."""
        keys, counts = np.unique(self.rows[0], return_counts=True)
        often = counts >= least
        return dict(zip(keys[often].tolist(), counts[often].tolist(), strict=True))

    def of_nodes(self, nodes: Flags) -> list[int]:
        """Return the keys of the chosen nodes."""
        found: list[int] = self.rows[0][nodes[self.rows[2]]].tolist()
        return found

    def probes(self, nodes: Flags, *, some_unplaced: bool) -> Columns:
        """Return the probes of the chosen nodes."""
        asked = _of_nodes(self.own_probes, nodes)
        if not some_unplaced or not len(self.unplaced_probes[0]):
            return asked
        more = _of_nodes(self.unplaced_probes, nodes)
        return tuple(np.concatenate(pair) for pair in zip(asked, more, strict=True))


def _of_nodes(probes: Columns, nodes: Flags) -> Columns:
    asked = np.where(probes[0] < 0, -1 - probes[0], probes[0])
    return tuple(column[nodes[asked]] for column in probes)


def _key_range(key_range: KeyRange | None, count: int) -> Columns:
    if key_range is None:
        nothing = np.zeros(count, np.int64)
        return nothing, nothing, nothing
    return key_range.position, key_range.first, key_range.last


def _probe_unplaced(key_range: KeyRange | None, probes: Columns) -> Columns:
    asked, values, least, _, smallest, largest = probes
    wanted = least > UNPLACED
    if key_range is None or not key_range.some_unplaced:
        wanted = np.zeros(len(least), bool)
    unplaced = np.full(int(wanted.sum()), UNPLACED, np.int64)
    return asked[wanted], values[wanted], unplaced, unplaced, smallest[wanted], largest[wanted]
