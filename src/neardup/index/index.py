"""The index: add, update and remove documents, and query what is stored."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

import pyarrow as pa

from neardup.detectors import Detector, Settings
from neardup.errors import InputError, OutputError, SettingsError
from neardup.index.answers import LEADERS, Changes, Event, Groups, Match, StoredCluster, StoredDocument
from neardup.index.changes.writer import ADD, REFUSE, REPLACE, SKIP, IdPolicy, Progress, Writer
from neardup.index.garbage import without_collection
from neardup.index.lexicons import lexicon_of
from neardup.index.migration import TargetSettings, migrate
from neardup.index.queries import (
    Snapshot,
    find_like_document,
    find_like_text,
    group_documents,
    group_ids,
    list_documents,
    page_groups,
    read_cluster,
    read_document,
    read_events,
)
from neardup.index.settings import RequestedSettings, open_index
from neardup.index.store.encoding import pack_id, pack_time
from neardup.read import read
from neardup.records import Documents
from neardup.represent import Lexicon


class Index:
    """Documents with their keys, links and clusters, in a SQLite file or on PostgreSQL.

    An index that does not exist is created. `method` and its settings are fixed then; they need not be given again, and
    other ones are refused. If a method needs a lexicon and none is given, it is learned from the first documents that
    are added, and stored.

    An object must be used by one thread at a time. Several objects, in several processes, can have the same index open.
    One of them writes at a time; the others wait at most `lock_timeout_seconds`. Readers never wait.

    >>> with Index(":memory:", method="jaccard", shingle=2, threshold=0.5) as index:
    ...     changes = index.add([{"id": "a", "text": "the cat sat on the mat"}])
    ...     [match.id for match in index.query("the cat sat on a mat")]
    ['a']
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        method: str | Detector | None = None,
        *,
        read_only: bool = False,
        threads: int = 0,
        lock_timeout_seconds: float = 600.0,
        **settings: Unpack[Settings],
    ) -> None:
        self._lock_timeout_seconds = lock_timeout_seconds
        self._opened = open_index(
            path,
            RequestedSettings(method, _without_none(settings)),
            read_only=read_only,
            threads=threads,
            lock_timeout_seconds=lock_timeout_seconds,
        )
        self._store = self._opened.store
        self._writer = Writer(self._opened)

    def close(self) -> None:
        """Close the index."""
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def method(self) -> str:
        """The name of the method."""
        return self._opened.detector.name

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of the method by name; a lexicon is given by its fingerprint."""
        return self._opened.detector.settings()

    @property
    def lexicon(self) -> Lexicon | None:
        """The lexicon of the method; None if the method uses none or has not learned one yet."""
        self._opened.refresh()
        return lexicon_of(self._opened.detector)

    def add(
        self,
        docs: Any,
        *,
        existing: str = REFUSE,
        text: str | None = None,
        id: str | None = None,  # noqa: A002 - the same name as on the command line
        time: str | None = None,
        progress: Progress | None = None,
    ) -> Changes:
        """Add documents. `existing` says what to do if an id is already stored: refuse, skip or replace.

        Large collections are added in batches. `progress` is called after each batch, when it is on disk. Documents
        without ids get the next free numbers as ids.
        """
        _check_choice("existing", existing, (REFUSE, SKIP, REPLACE))
        documents = _read_documents(docs, text=text, id=id, time=time)
        return self._writer.put(documents, IdPolicy(existing, ADD), progress)

    def update(
        self,
        docs: Any,
        *,
        missing: str = REFUSE,
        text: str | None = None,
        id: str | None = None,  # noqa: A002 - the same name as on the command line
        time: str | None = None,
        progress: Progress | None = None,
    ) -> Changes:
        """Replace documents by id. `missing` says what to do if an id is not stored: refuse, skip or add."""
        _check_choice("missing", missing, (REFUSE, SKIP, ADD))
        documents = _read_documents(docs, text=text, id=id, time=time)
        if documents.ids is None and len(documents):
            raise InputError("update needs the ids of the documents, but these have none: name the id column")
        return self._writer.put(documents, IdPolicy(REPLACE, missing), progress)

    def remove(self, ids: Iterable[str], *, missing: str = REFUSE) -> Changes:
        """Remove documents by id. `missing` says what to do if an id is not stored: refuse or skip."""
        _check_choice("missing", missing, (REFUSE, SKIP))
        listed = [ids] if isinstance(ids, str) else ids
        return self._writer.remove(list(dict.fromkeys(_pack_id(name) for name in listed)), missing)

    def expire(self, before: datetime | str) -> Changes:
        """Remove the documents with a time before this one."""
        return self._writer.expire(pack_time(before))

    def get(self, id: str) -> StoredDocument:  # noqa: A002 - the same name as everywhere
        """Return a stored document; raise IdNotFound if there is no such id."""
        with self._store.reading():
            return read_document(self._snapshot(), _pack_id(id))

    def query(
        self,
        text: str | None = None,
        *,
        id: str | None = None,  # noqa: A002 - the same name as everywhere
        time: datetime | str | None = None,
        limit: int = 20,
    ) -> tuple[Match, ...]:
        """Return the documents that are similar to a text or to a stored document, the most similar first.

        These are the documents that would be linked with the text if it were added with this `time`. `relation` says
        how a match differs from the text, as if the text were the reference.
        """
        if (text is None) == (id is None):
            raise InputError("query takes either a text or the id of a stored document")
        if text is not None and not isinstance(text, str):
            raise InputError(f"query takes a text, not {type(text).__name__}")
        _check_count("limit", limit)
        with self._store.reading():
            if id is not None:
                return find_like_document(self._snapshot(), _pack_id(id), limit)
            return find_like_text(self._snapshot(), str(text), pack_time(time), limit)

    @without_collection
    def group(self, results: Any, *, leader: str = "rank", offset: int = 0, limit: int | None = None) -> Groups:
        """Group a result list and return one page of the groups.

        The list is given as ids (strings) or as documents (mappings, a table). Every result is kept. In the order of
        `leader` each result joins the first leader that it is a copy of, or becomes a leader. `offset` and `limit`
        count groups; the same list always has the same pages.
        """
        _check_choice("leader", leader, LEADERS)
        _check_count("offset", offset)
        if limit is not None:
            _check_count("limit", limit)
        if isinstance(results, str):
            raise InputError("group takes a list of ids or of documents, not one string")
        listed = results if _is_table(results) else list(results)
        if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
            with self._store.reading():
                groups = group_ids(self._store, listed, leader)
            return page_groups(groups, len(listed), offset, limit)
        documents = _read_documents(listed)
        self._opened.refresh()
        groups = group_documents(self._opened, documents, leader)
        return page_groups(groups, len(documents), offset, limit)

    def cluster(self, id: int | str, *, limit: int | None = None) -> StoredCluster:  # noqa: A002 - as everywhere
        """Return a cluster by its number or by the id of one of its documents; raise IdNotFound if there is none."""
        with self._store.reading():
            snapshot = self._snapshot()
            number = id if isinstance(id, int) else read_document(snapshot, _pack_id(id)).cluster
            return read_cluster(snapshot, number, limit)

    def events(self, since: int = 0, *, limit: int | None = None) -> tuple[Event, ...]:
        """Return the events after the one with this number, in order."""
        _check_count("since", since)
        if limit is not None:
            _check_count("limit", limit)
        with self._store.reading():
            return read_events(self._store, since, limit)

    def stats(self) -> Mapping[str, Any]:
        """Return counts, bytes, method and settings."""
        with self._store.reading():
            self._opened.refresh()
            return self._opened.describe()

    def documents(self) -> pa.Table:
        """Return a table of all documents: id, cluster (number), reference (id of the reference copy), status."""
        with self._store.reading():
            return list_documents(self._store)

    def backup(self, target: str | os.PathLike[str]) -> Path:
        """Write a consistent copy of the index to a new SQLite file, while other processes read and write."""
        path = Path(target)
        if path.exists():
            raise OutputError(f"{path} exists already: name a new file for the copy")
        self._store.database.backup(path)
        return path

    def compact(self) -> Mapping[str, int]:
        """Release the space of removed documents; return the bytes before and after."""
        before = self._store.database.bytes_used()
        self._store.database.compact()
        return {"bytes_before": before, "bytes_after": self._store.database.bytes_used()}

    def migrate(
        self,
        target: str | os.PathLike[str],
        *,
        method: str | Detector | None = None,
        relearn: bool = False,
        progress: Progress | None = None,
        **settings: Unpack[Settings],
    ) -> Changes:
        """Create a second index of the same documents, with another lexicon or other settings, or continue with it.

        This index stays in use, also by writers; their changes are followed until the target has caught up. With
        `relearn` the lexicon of the target is learned from all documents of this index. What is not named stays as it
        is here. If it is called again, also after an interruption, it continues where it stopped. The result counts
        what was done to the target; `last_event` is the event of this index up to which the target has followed it.
        """
        wanted = TargetSettings(RequestedSettings(method, _without_none(settings)), relearn)
        self._opened.refresh()
        return migrate(self._opened, target, wanted, progress=progress, lock_timeout_seconds=self._lock_timeout_seconds)

    def _snapshot(self) -> Snapshot:
        self._opened.refresh()
        return Snapshot.of(self._opened)


def _without_none(settings: Settings) -> dict[str, Any]:
    """Return the settings that are given; a lexicon that is None is not."""
    return {name: value for name, value in settings.items() if not (name == "lexicon" and value is None)}


def _read_documents(docs: Any, **options: Any) -> Documents:
    return docs if isinstance(docs, Documents) else read(docs, **options)


def _is_table(results: Any) -> bool:
    if isinstance(results, Documents | os.PathLike):
        return True
    return hasattr(results, "__arrow_c_stream__") or hasattr(results, "columns")


def _check_choice(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(known)}")


def _check_count(name: str, value: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(f"{name} is {value!r}, but must be a whole number of at least 0")


def _pack_id(name: object) -> bytes:
    if not isinstance(name, str):
        raise InputError(f"{name!r} is {type(name).__name__}, but an id is a string")
    return pack_id(name)
