"""Keys that too many documents have, such as those of a footer, and how an index gets rid of them.

Where keys are the first shingles of a text in an order that does not depend on the collection, common shingles are
among them as often as rare ones. As soon as too many have a key, it is put behind all others in the order, and the
documents that had it get the keys that come first now. Any order that all documents agree on finds every pair, and they
always agree: whoever had a key stood under it, so whoever is touched by its new place is known.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.index.keys import Integers, KeyRows
from neardup.index.linking import Linker
from neardup.index.loading import Loader
from neardup.index.tables import ANYTHING, Database
from neardup.stages import Corpus

MOST = 250
"""How many documents may have a key before it is common."""
SUSPECTED = 16
"""A batch in which this part of that many have a key makes it worth counting."""


@dataclass(frozen=True, slots=True)
class CommonKeys:
    """What is known of common keys, within one change."""

    database: Database
    linker: Linker
    loader: Loader
    counters: dict[str, int]

    def shun(self, corpus: Corpus, keys: KeyRows) -> KeyRows:
        """Return the keys of a batch without those that are common or become so by it."""
        if not self.linker.shuns_common:
            return keys
        while True:
            if keys.common != len(self.linker.common):
                keys = self.linker.keys(corpus)
            suspected = keys.frequent(max(2, MOST // SUSPECTED))
            if not self._demote_any(suspected):
                return keys

    def look_at_crowds(self, keys: KeyRows, places: Integers) -> None:
        """Look at the keys of places that met too many, one for each meeting."""
        if not self.linker.shuns_common or len(places) <= MOST:
            return
        crowded = np.bincount(places, minlength=int(keys.rows[2].max()) + 1) > MOST
        self._demote_any(dict.fromkeys(keys.rows[0][crowded[keys.rows[2]]].tolist(), 0))

    def _demote_any(self, suspected: dict[int, int]) -> bool:
        """Count how many have the suspected keys, beside those who are about to, and demote those of too many."""
        known = set(self.linker.common.view(np.int64).tolist())
        asked = [key for key in suspected if key not in known]
        stored = np.bincount(self._holders(asked)[0], minlength=len(asked)).tolist()
        common = [key for key, count in zip(asked, stored, strict=True) if suspected[key] + count > MOST]
        if common:
            self._demote(common)
        return bool(common)

    def _demote(self, common: list[int]) -> None:
        numbers = np.unique(self._holders(common)[1])
        corpus = self.linker.text_corpus(self.loader.texts(numbers.tolist()))
        every = np.ones(len(numbers), bool)
        before = self.linker.keys(corpus).chosen(every, numbers)
        self.database.insert("common", [(key,) for key in sorted(common)])
        self.counters["common"] += len(common)
        self.linker.know_common(self.database, self.counters["common"])
        after = self.linker.keys(corpus).chosen(every, numbers)
        self.database.remove_keys(before[:3])
        self.database.add_keys(after)
        self.counters["keys"] += len(after[0]) - len(before[0])

    def _holders(self, keys: list[int]) -> Integers:
        """Return who has some keys: the place of the key and the node, once for each."""
        every = np.full(len(keys), ANYTHING, np.int64)
        return self.database.meet((np.arange(len(keys)), np.array(keys, np.int64), -every, every, -every, every))
