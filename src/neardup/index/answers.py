"""What an index answers: matches, groups, clusters, documents, events, and what a change did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from neardup.records import Member

ADDED, UPDATED, REMOVED = "added", "updated", "removed"
MERGED, SPLIT, MOVED, REFERENCE_CHANGED = "merged", "split", "moved", "reference_changed"
EVENT_KINDS = (ADDED, UPDATED, REMOVED, MERGED, SPLIT, MOVED, REFERENCE_CHANGED)
"""The kinds of events; a stored event holds the place of its kind in this list."""

LEADERS = ("rank", "first", "last", "longest")
"""Who leads a group of results: the first of the list, the earliest, the latest, or the longest text."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How many documents a call added, updated, removed and left as they were, and the last event of it."""

    added: int = 0
    updated: int = 0
    removed: int = 0
    skipped: int = 0
    last_event: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """A document like the one that was asked about: how alike, how it relates to it, and the cluster that it is in."""

    id: str
    similarity: float
    relation: str
    cluster: int


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as the index keeps it; `reference` says whether it is the reference copy of its cluster."""

    id: str
    text: str
    time: datetime | None
    status: str
    cluster: int
    reference: bool


@dataclass(frozen=True, slots=True)
class StoredCluster:
    """A cluster by its own number, which outlives a change of reference; `former` are the numbers that it took over.

    `members` has the reference first, then the others in the order in which they lead; of a large cluster only as
    many as were asked for, while `size` counts all documents.
    """

    number: int
    reference: str
    size: int
    members: tuple[Member, ...]
    former: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One result of a list: its id, its place in the list, how alike the leader, and whether the index knows it."""

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
    """A page of the groups of a result list, in the order of the best result of each.

    `count` is the number of all groups and `results` that of all results; `next` is where the next page begins, None
    on the last.
    """

    groups: tuple[Group, ...]
    count: int
    results: int
    next: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a document or a cluster, numbered from 1.

    `added`, `updated` and `removed` name the document and its cluster; `merged`: `other` became part of `cluster`;
    `split`: `other` was part of `cluster`; `moved`: the text of `document` went from `other` to `cluster`;
    `reference_changed`: `document` is the reference copy of `cluster` now.
    """

    number: int
    kind: str
    cluster: int
    document: str | None = None
    other: int | None = None
