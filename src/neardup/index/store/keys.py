"""The keys under which nodes are found, and the keys that too many nodes have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from neardup.index.store.databases import UNBOUNDED, Database
from neardup.index.store.databases.database import Integers


@dataclass(frozen=True, slots=True)
class KeyStore:
    """Reads and writes keys. Each row has a key, a point of the key range, a node and a size."""

    database: Database

    def add(self, columns: Sequence[Integers]) -> None:
        """Add rows, given as columns."""
        self.database.add_keys(columns)

    def remove(self, columns: Sequence[Integers]) -> None:
        """Remove rows, given as columns of key, point and node; further columns are ignored."""
        self.database.remove_keys(columns[:3])

    def read_all(self) -> Iterator[Sequence[Integers]]:
        """Yield all rows in batches of columns, in any order."""
        return self.database.all_keys()

    def meet(self, probes: Sequence[Integers]) -> Integers:
        """Return the label of the probe and the node that was found, once for each matching key."""
        return self.database.meet(probes)

    def find_holders(self, keys: Sequence[int]) -> Integers:
        """Return which nodes have these keys: the index of the key and the node, once for each."""
        bound = np.full(len(keys), UNBOUNDED, np.int64)
        return self.database.meet((np.arange(len(keys)), np.array(keys, np.int64), -bound, bound, -bound, bound))

    def read_common(self) -> npt.NDArray[np.uint64]:
        """Return the keys that are known to be common, sorted."""
        rows = self.database.query("SELECT key FROM common")
        return np.sort(np.array([row[0] for row in rows], np.int64).view(np.uint64))

    def add_common(self, keys: Iterable[int]) -> None:
        """Store keys as common."""
        self.database.insert("common", [(key,) for key in sorted(keys)])
