"""Keys that too many documents have, such as those of a footer, are moved to the end of the key order.

Some methods use the first shingles of a text as keys, in an order that does not depend on the collection. Common
shingles are then as likely to be keys as rare ones. When more than `MAX_HOLDERS` nodes have a key, it is moved after
all other keys in that order, and the nodes that had it get their new first keys. Any order on which all nodes agree
finds every pair. They always agree, because the nodes that are affected are those that are stored under the key.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.index.graph.sides import SideLoader
from neardup.index.keys import Integers, KeyRows
from neardup.index.linking import AnyRepresented

MAX_HOLDERS = 250
"""A key that more nodes have is common."""
SUSPECT_SHARE = 16
"""The holders of a key are counted if a batch alone has 1/16 of `MAX_HOLDERS`."""


@dataclass(frozen=True, slots=True)
class KeyCounts:
    """How many keys, and how many common keys, a step added to the index."""

    keys: int = 0
    common: int = 0

    def plus(self, other: KeyCounts) -> KeyCounts:
        """Return the sum."""
        return KeyCounts(self.keys + other.keys, self.common + other.common)


def avoid_common(loader: SideLoader, represented: AnyRepresented, keys: KeyRows) -> tuple[KeyRows, KeyCounts]:
    """Return the keys of a batch without common ones, after moving keys that this batch makes common."""
    total, linker = KeyCounts(), loader.linker
    while linker.defers_common_keys:
        if keys.common != len(linker.common):
            keys = linker.keys(represented)
        counts = _demote_suspects(loader, keys.frequent(max(2, MAX_HOLDERS // SUSPECT_SHARE)))
        total = total.plus(counts)
        if not counts.common:
            break
    return keys, total


def demote_crowded(loader: SideLoader, keys: KeyRows, met: Integers) -> KeyCounts:
    """Move the common keys of nodes that met more than `MAX_HOLDERS` others; `met` has one entry for each meeting."""
    if not loader.linker.defers_common_keys or len(met) <= MAX_HOLDERS:
        return KeyCounts()
    crowded = np.bincount(met, minlength=int(keys.rows[2].max()) + 1) > MAX_HOLDERS
    return _demote_suspects(loader, dict.fromkeys(keys.of_nodes(crowded), 0))


def _demote_suspects(loader: SideLoader, suspects: dict[int, int]) -> KeyCounts:
    """Move those of the keys that are common; `suspects` says how many nodes not stored yet have each key."""
    known = set(loader.linker.common.view(np.int64).tolist())
    asked = [key for key in suspects if key not in known]
    holders = np.bincount(loader.store.keys.find_holders(asked)[0], minlength=len(asked)).tolist()
    common = [key for key, count in zip(asked, holders, strict=True) if suspects[key] + count > MAX_HOLDERS]
    return _demote(loader, common) if common else KeyCounts()


def _demote(loader: SideLoader, common: list[int]) -> KeyCounts:
    """Store keys as common, and give the nodes that have them their new keys."""
    store, linker = loader.store, loader.linker
    numbers = np.unique(store.keys.find_holders(common)[1])
    represented = linker.represent_side(loader.load_texts(numbers.tolist()))
    every = np.ones(len(numbers), bool)
    before = linker.keys(represented).chosen(every, numbers)
    store.keys.add_common(common)
    linker.know_common(store.keys.read_common())
    after = linker.keys(represented).chosen(every, numbers)
    store.keys.remove(before)
    store.keys.add(after)
    return KeyCounts(len(after[0]) - len(before[0]), len(common))
