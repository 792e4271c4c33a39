"""The log of an index: what happened to its documents and clusters, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neardup.index.store.databases import Database


class EventContent(NamedTuple):
    """An event without its number. `kind` is an index into the list of kinds."""

    kind: int
    document: bytes | None
    cluster: int
    other: int | None


class StoredEvent(NamedTuple):
    """An event with its number."""

    number: int
    content: EventContent


@dataclass(frozen=True, slots=True)
class EventStore:
    """Reads and writes events."""

    database: Database

    def read(self, since: int, limit: int | None) -> list[StoredEvent]:
        """Return the events after this number."""
        most = "" if limit is None else f" LIMIT {limit}"
        rows = self.database.query(
            f"SELECT number, kind, document, cluster, other FROM events WHERE number > ? ORDER BY number{most}", since
        )
        return [StoredEvent(number, EventContent._make(content)) for number, *content in rows]

    def read_one(self, number: int) -> EventContent | None:
        """Return one event; None if the log does not contain it."""
        rows = self.database.query("SELECT kind, document, cluster, other FROM events WHERE number = ?", number)
        return EventContent._make(rows[0]) if rows else None

    def read_documents(self, since: int, kinds: Sequence[int], limit: int) -> list[tuple[int, bytes]]:
        """Return the events of some kinds after a number: pairs of number and document."""
        listed = ", ".join(str(kind) for kind in kinds)
        rows = self.database.query(
            f"SELECT number, document FROM events WHERE number > ? AND kind IN ({listed}) ORDER BY number LIMIT ?",
            since,
            limit,
        )
        return [(number, bytes(document)) for number, document in rows]

    def append(self, events: Iterable[EventContent], first_number: int) -> None:
        """Append events, numbered from `first_number`."""
        self.database.insert("events", ((number, *event) for number, event in enumerate(events, first_number)))

    def clear(self) -> None:
        """Delete all events."""
        self.database.query("DELETE FROM events")
