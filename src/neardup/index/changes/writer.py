"""Adds, updates and removes documents in batches, each in a transaction of its own."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass

from neardup.errors import DuplicateId, IdNotFound
from neardup.index.answers import Changes
from neardup.index.changes.batches import Arrival, Batch, pack_ids, prepare, split_documents
from neardup.index.changes.change import apply_change
from neardup.index.changes.documents import Change
from neardup.index.settings import OpenedIndex
from neardup.index.store.documents import StoredDocument
from neardup.index.store.encoding import pack_id, unpack_id
from neardup.records import Documents

Progress = Callable[[str, int, int | None], None]

REFUSE, SKIP, REPLACE, ADD = "refuse", "skip", "replace", "add"
REMOVED_AT_ONCE = 5_000
IDS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class IdPolicy:
    """What to do with a document whose id exists (refuse, skip, replace) or does not exist (refuse, skip, add)."""

    existing: str
    missing: str

    def skipped(self, ids: list[bytes], known: set[bytes]) -> set[bytes]:
        """Return the ids to skip."""
        if self.missing == SKIP:
            return set(ids) - known
        return known if self.existing == SKIP else set()


class Writer:
    """Changes an open index."""

    def __init__(self, opened: OpenedIndex) -> None:
        self._opened = opened
        self._store = opened.store

    def put(self, documents: Documents, policy: IdPolicy, progress: Progress | None) -> Changes:
        """Write documents in batches. The next batch is prepared while one is written."""
        if not len(documents):
            return Changes(last_event=self.last_event())
        ids = pack_ids(documents)
        if ids is not None and REFUSE in (policy.existing, policy.missing):
            # Ids are refused before anything is written.
            with self._store.reading():
                self._check_ids(ids, self._store.documents.find_ids(ids), policy)
        self._opened.learn(documents)
        total = Changes()
        with closing(self._prepare_all(split_documents(documents, ids))) as prepared:
            for batch, arrival in prepared:
                total = total.plus(self._put_batch(batch, arrival, policy))
                if progress is not None:
                    progress("add", batch.end, len(documents))
        return total

    def _prepare_all(self, batches: list[Batch]) -> Generator[tuple[Batch, Arrival], None, None]:
        """Yield prepared batches, and prepare the next one meanwhile."""
        with ThreadPoolExecutor(1) as pool:
            prefetched: Future[Arrival] | None = None
            for index, batch in enumerate(batches):
                arrival = prepare(self._opened.linker, batch) if prefetched is None else prefetched.result()
                if index + 1 < len(batches):
                    prefetched = pool.submit(prepare, self._opened.linker, batches[index + 1])
                yield batch, arrival

    def _put_batch(self, batch: Batch, arrival: Arrival, policy: IdPolicy) -> Changes:
        with self._changing():
            if not arrival.named:
                arrival = arrival.with_ids(self._free_ids(len(arrival)))
            known = {document.id: document for document in self._store.documents.find(arrival.ids)}
            self._check_ids(arrival.ids, set(known), policy)
            skipped = policy.skipped(arrival.ids, set(known))
            numbers = {document.id: document.number for document in known.values()}
            if skipped:
                arrival = prepare(self._opened.linker, batch.without(skipped), numbers)
                if not len(arrival):
                    return Changes(skipped=len(skipped), last_event=self._store.facts.read_counters().last_event)
            elif known and self._opened.detector.keep == "first":
                arrival = prepare(self._opened.linker, batch, numbers)
            departures = [document for document in known.values() if document.id not in skipped]
            changes = apply_change(self._store, self._opened.linker, Change(arrival, departures))
            return changes.plus(Changes(skipped=len(skipped)))

    def remove(self, ids: list[bytes], missing: str) -> Changes:
        """Remove documents by id."""
        if missing == REFUSE:
            with self._store.reading():
                self._check_known(ids, self._store.documents.find_ids(ids))
        total = Changes(last_event=self.last_event())
        for start in range(0, len(ids), REMOVED_AT_ONCE):
            part = ids[start : start + REMOVED_AT_ONCE]
            with self._changing():
                documents = self._store.documents.find(part)
                if missing == REFUSE:
                    self._check_known(part, {document.id for document in documents})
                changes = self._remove_batch(documents)
            total = total.plus(changes).plus(Changes(skipped=len(part) - len(documents)))
        return total

    def expire(self, before: int | None) -> Changes:
        """Remove the documents with a time before this one."""
        total = Changes()
        while True:
            with self._changing():
                documents = self._store.documents.find_before(before, REMOVED_AT_ONCE)
                total = total.plus(self._remove_batch(documents))
            if not documents:
                return total

    def _remove_batch(self, documents: list[StoredDocument]) -> Changes:
        if not documents:
            return Changes(last_event=self._store.facts.read_counters().last_event)
        self._opened.refresh()
        return apply_change(self._store, self._opened.linker, Change(None, documents))

    def last_event(self) -> int:
        """Return the number of the last event."""
        with self._store.reading():
            return self._store.facts.read_counters().last_event

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Open a transaction for changes; if it fails, the common keys that it found are forgotten."""
        try:
            with self._store.writing():
                yield
        except BaseException:
            self._opened.linker.forget_common()
            raise

    def _check_ids(self, ids: list[bytes], known: set[bytes], policy: IdPolicy) -> None:
        if policy.existing == REFUSE and known:
            names = _list_ids(sorted(known))
            raise DuplicateId(f"{self._store.name} has these ids already: {names}; update replaces documents")
        if policy.missing == REFUSE:
            self._check_known(ids, known)

    def _check_known(self, ids: list[bytes], known: set[bytes]) -> None:
        if unknown := [name for name in ids if name not in known]:
            raise IdNotFound(f"{self._store.name} has no document with the id {_list_ids(unknown)}")

    def _free_ids(self, count: int) -> list[bytes]:
        """Return the next numbers that are not the id of a document, as ids."""
        free: list[bytes] = []
        start = self._store.facts.read_counters().next_document
        while len(free) < count:
            ids = [pack_id(str(number)) for number in range(start, start + count)]
            taken = self._store.documents.find_ids(ids)
            free += [id_ for id_ in ids if id_ not in taken]
            start += count
        return free[:count]


def _list_ids(ids: list[bytes]) -> str:
    shown = ", ".join(repr(unpack_id(name)) for name in ids[:IDS_SHOWN])
    return shown + (f" and {len(ids) - IDS_SHOWN:,} more" if len(ids) > IDS_SHOWN else "")
