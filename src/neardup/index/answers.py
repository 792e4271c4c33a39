"""The answers of an index: matches, groups, clusters, documents, events, and summaries of changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from neardup.records import Member

ADDED, UPDATED, REMOVED = "added", "updated", "removed"
MERGED, SPLIT, MOVED, REFERENCE_CHANGED = "merged", "split", "moved", "reference_changed"
EVENT_KINDS = (ADDED, UPDATED, REMOVED, MERGED, SPLIT, MOVED, REFERENCE_CHANGED)
"""The kinds of events. A stored event has the index of its kind in this list."""

LEADERS = ("rank", "first", "last", "longest")
"""Which result leads a group: the first of the list, the earliest, the latest, or the longest text."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How many documents a call added, updated, removed and skipped, and the number of its last event."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    skipped: int = 0
    last_event: int = 0

    def plus(self, other: Changes) -> Changes:
        """Return the sum of two changes; the last event is the later one."""
        return Changes(
            self.added + other.added,
            self.updated + other.updated,
            self.removed + other.removed,
            self.skipped + other.skipped,
            max(self.last_event, other.last_event),
        )


@dataclass(frozen=True, slots=True)
class Match:
    """A document similar to the query: its similarity, its relation to the query, and its cluster."""

    id: str
    similarity: float
    relation: str
    cluster: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A stored document; `reference` is true for the reference copy of its cluster."""

    id: str
    text: str
    time: datetime | None
    status: str
    cluster: int
    reference: bool


@dataclass(frozen=True, slots=True)
class StoredCluster:
    """A cluster. Its number outlives a change of its reference copy; `former` are numbers that it took over.

    `members` begins with the reference copy; the others follow in the order in which they would lead. There are at most
    as many as were asked for, while `size` counts all documents.
    """

    number: int
    reference: str
    size: int
    members: tuple[Member, ...]
    former: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a list: its id, its rank, its similarity to the leader, and whether its document is known."""

    id: str
    rank: int
    similarity: float = 1.0
    known: bool = True


@dataclass(frozen=True, slots=True)
class Group:
    """Results that are copies of one leader: the leader first, then the others by rank."""

    leader: str
    results: tuple[Result, ...]

    def __len__(self) -> int:
        return len(self.results)


@dataclass(frozen=True, slots=True)
class Groups:
    """A page of the groups of a result list, ordered by the best result of each group.

    `count` is the number of all groups and `results` that of all results. `next` is the offset of the next page, None
    on the last page.
    """

    groups: tuple[Group, ...]
    count: int
    results: int
    next: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a document or a cluster. Events are numbered from 1.

    `added`, `updated` and `removed` name the document and its cluster. `merged`: `other` became part of `cluster`.
    `split`: `other` was part of `cluster`. `moved`: the text of `document` went from `other` to `cluster`.
    `reference_changed`: `document` is now the reference copy of `cluster`.
    """

    number: int
    kind: str
    cluster: int
    document: str | None = None
    other: int | None = None
