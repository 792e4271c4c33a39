"""The index: documents that come, change and go, and what is asked about them now."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

from neardup.detectors import Detector
from neardup.errors import DuplicateId, IdNotFound, InputError, OutputError, SettingsError
from neardup.index.answers import LEADERS, Changes, Event, Groups, Match, StoredCluster, StoredDocument
from neardup.index.asking import Asker
from neardup.index.beginning import Wish, open_target
from neardup.index.collecting import uninterrupted
from neardup.index.grouping import group_documents, group_ids, page
from neardup.index.migrating import Migration
from neardup.index.opening import Opened, open_index
from neardup.index.packing import pack_id, pack_time, read_counters
from neardup.index.preparing import Incoming, cut, prepare
from neardup.index.tables import Row
from neardup.index.writing import Arrival, Change, Departure
from neardup.read import read
from neardup.records import Documents

Progress = Callable[[str, int, int | None], None]

REFUSE, SKIP, REPLACE, ADD = "refuse", "skip", "replace", "add"
REMOVED_AT_ONCE = 5_000
NAMED = 3


class Index:
    """Documents with their keys, links and clusters, in a SQLite file or on PostgreSQL; made if it is not there.

    `method` and its settings are fixed when the index is made; afterwards they need not be given, and others are
    refused. Without a `lexicon` a method that wants one learns it from the first documents, and keeps it.

    An object belongs to one thread at a time; any number of objects, in any number of processes, may have the same
    index open. One writes at a time, the others wait at most `lock_timeout_seconds`; readers never wait.

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
        lexicon: Any = None,
        read_only: bool = False,
        threads: int = 0,
        lock_timeout_seconds: float = 600.0,
        **settings: Any,
    ) -> None:
        given = settings if lexicon is None else {**settings, "lexicon": lexicon}
        self._opened: Opened = open_index(
            path, method, given, read_only=read_only, threads=threads, lock_timeout_seconds=lock_timeout_seconds
        )
        self._database = self._opened.database
        self._lock_timeout_seconds = lock_timeout_seconds

    def close(self) -> None:
        """Close the index."""
        self._database.close()

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
        """Every setting of the method with its value; a lexicon is named by its fingerprint."""
        return self._opened.detector.settings()

    @property
    def lexicon(self) -> Any:
        """The lexicon that the method uses; None where it wants none, or has not learned one yet."""
        self._opened.refresh()
        return getattr(self._opened.detector, "lexicon", None)

    def add(
        self,
        docs: Any,
        *,
        existing: str = REFUSE,
        text: str | None = None,
        id: str | None = None,  # noqa: A002 - the name of the option on both sides
        time: str | None = None,
        progress: Progress | None = None,
    ) -> Changes:
        """Add documents; one whose id is there already is refused, skipped or replaced, as `existing` says.

        Large collections are added in batches, each acknowledged to `progress` when it is on disk. Documents without
        ids get the next free numbers.
        """
        _check("existing", existing, (REFUSE, SKIP, REPLACE))
        documents = _documents(docs, text=text, id=id, time=time)
        return self._put(documents, existing, ADD, progress)

    def update(
        self,
        docs: Any,
        *,
        missing: str = REFUSE,
        text: str | None = None,
        id: str | None = None,  # noqa: A002 - the name of the option on both sides
        time: str | None = None,
        progress: Progress | None = None,
    ) -> Changes:
        """Replace documents by id; one that is not there is refused, skipped or added, as `missing` says."""
        _check("missing", missing, (REFUSE, SKIP, ADD))
        documents = _documents(docs, text=text, id=id, time=time)
        if documents.ids is None and len(documents):
            raise InputError("documents are updated by their ids, but these have none: name the column of the ids")
        return self._put(documents, REPLACE, missing, progress)

    def remove(self, ids: Iterable[str], *, missing: str = REFUSE) -> Changes:
        """Remove documents by id; one that is not there is refused or skipped, as `missing` says."""
        _check("missing", missing, (REFUSE, SKIP))
        wanted = list(dict.fromkeys(pack_id(_text_id(name)) for name in ([ids] if isinstance(ids, str) else ids)))
        if missing == REFUSE:
            with self._database.reading():
                self._check_known(wanted, {row[1] for row in self._find(wanted)})
        total = Changes(last_event=self._last_event())
        for start in range(0, len(wanted), REMOVED_AT_ONCE):
            part = wanted[start : start + REMOVED_AT_ONCE]
            with self._changing():
                rows = self._find(part)
                if missing == REFUSE:
                    self._check_known(part, {row[1] for row in rows})
                total = _sum(total, self._take_out(rows), skipped=len(part) - len(rows))
        return total

    def expire(self, before: datetime | str) -> Changes:
        """Remove the documents with a time before this one."""
        moment = pack_time(before)
        total = Changes()
        while True:
            with self._changing():
                rows = self._database.rows(
                    "SELECT number, id, node, time FROM documents WHERE time < ? ORDER BY number LIMIT ?",
                    moment,
                    REMOVED_AT_ONCE,
                )
                if not rows:
                    return _sum(total, self._take_out(rows))
                total = _sum(total, self._take_out(rows))

    def get(self, id: str) -> StoredDocument:  # noqa: A002 - the word of the front door
        """Return a stored document; an unknown id is an IdNotFound."""
        with self._database.reading():
            return self._asker().document(pack_id(_text_id(id)))

    def query(
        self,
        text: str | None = None,
        *,
        id: str | None = None,  # noqa: A002 - the word of the front door
        time: datetime | str | None = None,
        limit: int = 20,
    ) -> tuple[Match, ...]:
        """Return the documents that are like a text or like a stored document, the most similar first.

        They are those that would be linked with the text if it were added, published at `time`. `relation` says how a
        match differs from what was asked about, as if that were the reference.
        """
        if (text is None) == (id is None):
            raise InputError("query takes either a text or the id of a stored document")
        if text is not None and not isinstance(text, str):
            raise InputError(f"query takes a text, not {type(text).__name__}")
        _check_count("limit", limit)
        with self._database.reading():
            if id is not None:
                return self._asker().like_document(pack_id(_text_id(id)), limit)
            return self._asker().like_text(str(text), pack_time(time), limit)

    @uninterrupted
    def group(self, results: Any, *, leader: str = "rank", offset: int = 0, limit: int | None = None) -> Groups:
        """Group a result list, given as ids (strings) or as documents (mappings, a table), and return a page of it.

        Every result is kept. In the order of `leader` each joins the first leader that it is a copy of, else it leads.
        `offset` and `limit` count groups; the same list gives the same pages.
        """
        _check("leader", leader, LEADERS)
        _check_count("offset", offset)
        if limit is not None:
            _check_count("limit", limit)
        if isinstance(results, str):
            raise InputError("group takes a list of ids or of documents, not one string")
        listed = list(results) if not hasattr(results, "__arrow_c_stream__") and not _is_table(results) else results
        if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
            with self._database.reading():
                groups = group_ids(self._database, listed, leader)
            return page(groups, len(listed), offset, limit)
        documents = _documents(listed)
        self._opened.refresh()
        groups = group_documents(self._opened, documents, leader)
        return page(groups, len(documents), offset, limit)

    def cluster(self, id: int | str, *, limit: int | None = None) -> StoredCluster:  # noqa: A002 - the front door's word
        """Return a cluster by its number or by the id of one of its documents; an unknown one is an IdNotFound."""
        with self._database.reading():
            asker = self._asker()
            number = id if isinstance(id, int) else asker.document(pack_id(_text_id(id))).cluster
            return asker.cluster(number, limit)

    def events(self, since: int = 0, *, limit: int | None = None) -> tuple[Event, ...]:
        """Return what happened after the event of this number, in order."""
        _check_count("since", since)
        if limit is not None:
            _check_count("limit", limit)
        with self._database.reading():
            return self._asker().events(since, limit)

    def stats(self) -> Mapping[str, Any]:
        """Return counts, bytes, method and settings."""
        with self._database.reading():
            self._opened.refresh()
            return self._opened.describe()

    def documents(self) -> pa.Table:
        """Return a table of all documents: id, cluster (number), reference (id of the reference copy), status."""
        with self._database.reading():
            return self._asker().documents()

    def backup(self, target: str | os.PathLike[str]) -> Path:
        """Write a sound copy of the index to a new SQLite file, while others read and write."""
        path = Path(target)
        if path.exists():
            raise OutputError(f"{path} is there already: name a new file for the copy")
        self._database.backup(path)
        return path

    def compact(self) -> Mapping[str, int]:
        """Give back the room that removed documents left; return the bytes before and after."""
        before = self._database.bytes_used()
        self._database.compact()
        return {"bytes_before": before, "bytes_after": self._database.bytes_used()}

    def migrate(
        self,
        target: str | os.PathLike[str],
        *,
        method: str | Detector | None = None,
        lexicon: Any = None,
        relearn: bool = False,
        progress: Progress | None = None,
        **settings: Any,
    ) -> Changes:
        """Make a second index of the same documents, with another lexicon or other settings, or go on with it.

        This one goes on serving, also writers; what they change meanwhile is followed until the other has caught up.
        With `relearn` the other's lexicon is learned from all documents that are here now. What is not named stays as
        it is here. Called again, also after an interruption, it goes on where it was. The result counts what was done
        to the other index; `last_event` is the event of this one that the other has caught up with.
        """
        given = settings if lexicon is None else {**settings, "lexicon": lexicon}
        wish = Wish(method, given, relearn)
        self._opened.refresh()
        other = open_target(self._opened, target, wish, lock_timeout_seconds=self._lock_timeout_seconds)
        try:
            return Migration(self._opened, other, progress).run()
        finally:
            other.database.close()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Make everything inside one change; what was learned on the way is forgotten if it fails."""
        try:
            with self._database.writing():
                yield
        except BaseException:
            self._opened.linker.forget_common()
            raise

    def _asker(self) -> Asker:
        self._opened.refresh()
        return Asker(self._opened)

    def _put(self, documents: Documents, existing: str, missing: str, progress: Progress | None) -> Changes:
        """Write documents batch by batch; the next one is prepared while one is written."""
        if not len(documents):
            return Changes(last_event=self._last_event())
        self._check_ids(documents, existing, missing)
        self._opened.learn(documents)
        total = Changes()
        with ThreadPoolExecutor(1) as pool:
            ahead: Future[Arrival] | None = None
            parts = cut(documents)
            for place, part in enumerate(parts):
                arrival = prepare(self._opened.linker, part) if ahead is None else ahead.result()
                if place + 1 < len(parts):
                    ahead = pool.submit(prepare, self._opened.linker, parts[place + 1])
                total = _sum(total, self._put_batch(part, arrival, existing, missing))
                if progress is not None:
                    progress("add", part.end, len(documents))
        return total

    def _check_ids(self, documents: Documents, existing: str, missing: str) -> None:
        """Refuse before anything is written."""
        if documents.ids is None or REFUSE not in (existing, missing):
            return
        ids = [pack_id(name) for name in documents.ids.to_pylist()]
        with self._database.reading():
            known = {row[0] for row in self._database.each("SELECT id FROM documents WHERE id = ?", ids)}
        self._check_policies(ids, known, existing, missing)

    def _check_policies(self, ids: list[bytes], known: set[bytes], existing: str, missing: str) -> None:
        if existing == REFUSE and known:
            names = _names(sorted(known))
            raise DuplicateId(f"{self._database.name} has these ids already: {names}; update replaces documents")
        if missing == REFUSE:
            self._check_known(ids, known)

    def _check_known(self, ids: list[bytes], known: set[bytes]) -> None:
        if unknown := [name for name in ids if name not in known]:
            raise IdNotFound(f"{self._database.name} has no document of the id {_names(unknown)}")

    def _put_batch(self, part: Incoming, arrival: Arrival, existing: str, missing: str) -> Changes:
        with self._changing():
            if not arrival.named:
                arrival = part.number(arrival, self._free_numbers(len(arrival)))
            rows = self._find(arrival.ids)
            known = {row[1]: row for row in rows}
            self._check_policies(arrival.ids, set(known), existing, missing)
            skipped = known.keys() if existing == SKIP else set()
            if missing == SKIP:
                skipped = set(arrival.ids) - known.keys()
            if skipped:
                kept = part.without(skipped)
                rows = [row for row in rows if row[1] not in skipped]
                arrival = prepare(self._opened.linker, kept, known)
                if not len(arrival):
                    return Changes(skipped=len(skipped), last_event=read_counters(self._database)["next_event"] - 1)
            elif known and self._opened.detector.keep == "first":
                arrival = prepare(self._opened.linker, part, known)
            departures = [Departure(*row) for row in rows]
            changes = Change(self._database, self._opened.linker, arrival, departures).apply()
            return _sum(Changes(), changes, skipped=len(skipped))

    def _take_out(self, rows: list[Row]) -> Changes:
        if not rows:
            return Changes(last_event=read_counters(self._database)["next_event"] - 1)
        self._opened.refresh()
        return Change(self._database, self._opened.linker, None, [Departure(*row) for row in rows]).apply()

    def _find(self, ids: list[bytes]) -> list[Row]:
        return self._database.each("SELECT number, id, node, time FROM documents WHERE id = ?", ids)

    def _free_numbers(self, count: int) -> list[str]:
        """Return the next numbers that are no document's id."""

        def free(start: int) -> Iterator[str]:
            while True:
                names = [str(number) for number in range(start, start + count)]
                rows = self._database.each("SELECT id FROM documents WHERE id = ?", [pack_id(name) for name in names])
                taken = {bytes(row[0]).decode() for row in rows}
                yield from (name for name in names if name not in taken)
                start += count

        numbers = free(read_counters(self._database)["next_document"])
        return [next(numbers) for _ in range(count)]

    def _last_event(self) -> int:
        with self._database.reading():
            return read_counters(self._database)["next_event"] - 1


def _sum(total: Changes, more: Changes, skipped: int = 0) -> Changes:
    return Changes(
        total.added + more.added,
        total.updated + more.updated,
        total.removed + more.removed,
        total.skipped + more.skipped + skipped,
        max(total.last_event, more.last_event),
    )


def _documents(docs: Any, **options: Any) -> Documents:
    return docs if isinstance(docs, Documents) else read(docs, **options)


def _is_table(results: Any) -> bool:
    return isinstance(results, Documents | os.PathLike) or hasattr(results, "columns")


def _check(name: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(known)}")


def _check_count(name: str, value: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise InputError(f"{name} is {value!r}, but must be a whole number from 0")


def _text_id(name: object) -> str:
    if not isinstance(name, str):
        raise InputError(f"{name!r} is {type(name).__name__}, but an id is a string")
    return name


def _names(ids: list[bytes]) -> str:
    shown = ", ".join(repr(bytes(name).decode()) for name in ids[:NAMED])
    return shown + (f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else "")
