"""The index: documents that come, change and go, and what is asked about them now."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from neardup.index.answers import Changes, Event, Groups, Match, StoredCluster, StoredDocument

Progress = Callable[[str, int, int | None], None]


class Index:
    """Documents with their keys, links and clusters, in a SQLite file or on PostgreSQL; made if it is not there.

    An object belongs to one thread at a time; any number of objects, in any number of processes, may have the same
    index open. One writes at a time, the others wait; readers never wait.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        method: str | None = None,
        *,
        lexicon: Any = None,
        read_only: bool = False,
        threads: int = 0,
        **settings: Any,
    ) -> None:
        raise NotImplementedError

    def close(self) -> None:
        """Close the index."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def add(
        self,
        docs: Any,
        *,
        existing: str = "refuse",
        text: str | None = None,
        id: str | None = None,
        time: str | None = None,
        progress: Progress | None = None,
    ) -> Changes:
        """Add documents; one whose id is there already is refused, skipped or replaced, as `existing` says."""
        raise NotImplementedError

    def update(
        self,
        docs: Any,
        *,
        missing: str = "refuse",
        text: str | None = None,
        id: str | None = None,
        time: str | None = None,
        progress: Progress | None = None,
    ) -> Changes:
        """Replace documents by id; one that is not there is refused, skipped or added, as `missing` says."""
        raise NotImplementedError

    def remove(self, ids: Iterable[str], *, missing: str = "refuse") -> Changes:
        """Remove documents by id; one that is not there is refused or skipped, as `missing` says."""
        raise NotImplementedError

    def expire(self, before: datetime | str) -> Changes:
        """Remove the documents with a time before this one."""
        raise NotImplementedError

    def get(self, id: str) -> StoredDocument:
        """Return a stored document; an unknown id is an UnknownId."""
        raise NotImplementedError

    def query(
        self,
        text: str | None = None,
        *,
        id: str | None = None,
        time: datetime | str | None = None,
        limit: int = 20,
    ) -> tuple[Match, ...]:
        """Return the documents that are like a text or like a stored document, the most similar first."""
        raise NotImplementedError

    def group(self, results: Any, *, leader: str = "rank", offset: int = 0, limit: int | None = None) -> Groups:
        """Group a result list, given as ids (strings) or as documents (mappings, a table), and return a page of it."""
        raise NotImplementedError

    def cluster(self, id: int | str, *, limit: int | None = None) -> StoredCluster:
        """Return a cluster by its number or by the id of one of its documents; an unknown one is an UnknownId."""
        raise NotImplementedError

    def events(self, since: int = 0, *, limit: int | None = None) -> tuple[Event, ...]:
        """Return what happened after the event of this number, in order."""
        raise NotImplementedError

    def stats(self) -> Mapping[str, Any]:
        """Return counts, bytes, method and settings."""
        raise NotImplementedError

    def documents(self) -> pa.Table:
        """Return a table of all documents: id, cluster (number), reference (id of the reference copy), status."""
        raise NotImplementedError

    def backup(self, target: str | os.PathLike[str]) -> Path:
        """Write a sound copy of the index to a new SQLite file, while others read and write."""
        raise NotImplementedError

    def compact(self) -> Mapping[str, int]:
        """Give back the room that removed documents left; return the bytes before and after."""
        raise NotImplementedError
