"""Facts about the stored collection on which linking depends."""

from __future__ import annotations

from dataclasses import dataclass

from neardup.index.linking import Linker
from neardup.index.store import Counters, Store


@dataclass(frozen=True, slots=True)
class LinkRules:
    """How nodes are linked.

    `by_popularity`: the text with the most copies leads, since no `keep` is set and no document has a time.
    `some_undated`: some documents have no day, or had none before the change.
    """

    by_popularity: bool
    some_undated: bool

    @classmethod
    def of(cls, keep: str | None, counters: Counters, departures: int = 0) -> LinkRules:
        """Return the rules for a collection with these counters, which has just lost some documents."""
        return cls(keep is None and not counters.timed, counters.timed < counters.documents + departures)


def refresh_common(store: Store, linker: Linker, count: int) -> None:
    """Load the common keys if the index has another number of them than the linker."""
    if linker.defers_common_keys and count != len(linker.common):
        linker.know_common(store.keys.read_common())
