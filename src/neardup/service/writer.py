"""The single thread that changes the index.

It applies waiting changes in the order of their arrival. Consecutive puts of single documents become one change to the
index, and each is reported when it is on disk. A hundred clients that put one document each therefore wait for one
write to the disk.

A change that has not started in time is cancelled. A change that has started is awaited, so that an error always means
that nothing was changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from neardup.api import Index
from neardup.errors import IdNotFound, OutputError
from neardup.service.handle import Handle, OpenIndex
from neardup.service.messages import Document, Put, Removed, Written, collect
from neardup.service.problems import Problem

MOST_TOGETHER = 500
"""The maximum number of changes that are taken from the queue at once."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change to the index, and the future report on it."""

    report: Future[Any] = field(default_factory=Future)


@dataclass(frozen=True, slots=True)
class PutOne(Change):
    """A document to put; the report is a Put."""

    document: Document = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class PutMany(Change):
    """Documents to put; the report is a Written."""

    documents: Sequence[Document] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Remove(Change):
    """A document to remove; the report is a Removed."""

    id: str = field(kw_only=True)


class Writer:
    """Runs the thread that changes the index."""

    def __init__(self, open_index: OpenIndex, timeout_seconds: float) -> None:
        self._timeout_seconds = timeout_seconds
        self._waiting: SimpleQueue[Change | None] = SimpleQueue()
        self._thread = Thread(target=self._work, args=(Handle(open_index),), name="writer")
        self._thread.start()

    async def put(self, document: Document, where: str) -> Put:
        """Put one document, and return the result."""
        report: Put = await self._submit(PutOne(document=document), where)
        return report

    async def load(self, documents: Sequence[Document], where: str) -> Written:
        """Put many documents, and return how many are new. If an id is repeated, the last document counts."""
        report: Written = await self._submit(PutMany(documents=documents), where)
        return report

    async def remove(self, name: str, where: str) -> Removed:
        """Remove a document."""
        report: Removed = await self._submit(Remove(id=name), where)
        return report

    def waiting(self) -> int:
        """Return how many changes have not started."""
        return self._waiting.qsize()

    def close(self) -> None:
        """Stop the thread after it has applied all waiting changes."""
        self._waiting.put(None)
        self._thread.join()

    async def _submit(self, change: Change, where: str) -> Any:
        report = asyncio.wrap_future(change.report)
        self._waiting.put(change)
        await asyncio.wait((report,), timeout=self._timeout_seconds)
        if not report.done() and change.report.cancel():
            raise Problem(
                503,
                f"the change could not start within {self._timeout_seconds:g} seconds; nothing was changed",
                where,
            )
        return await report

    def _work(self, handle: Handle) -> None:
        going = True
        while going:
            taken = [self._waiting.get(), *self._take_waiting()]
            going = None not in taken
            started = [change for change in taken if change and change.report.set_running_or_notify_cancel()]
            for together in _split_changes(started):
                _apply(handle, together)
        handle.close()

    def _take_waiting(self) -> Iterator[Change | None]:
        with suppress(Empty):
            for _ in range(MOST_TOGETHER - 1):
                yield self._waiting.get_nowait()


def _split_changes(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield changes that can be applied together: consecutive puts of documents with different ids."""
    together: list[PutOne] = []
    ids: set[str] = set()
    for change in changes:
        if together and (not isinstance(change, PutOne) or change.document.id in ids):
            yield [*together]
            together, ids = [], set()
        if isinstance(change, PutOne):
            together.append(change)
            ids.add(change.document.id)
        else:
            yield [change]
    if together:
        yield [*together]


def _apply(handle: Handle, changes: Sequence[Change]) -> None:
    """Apply changes together and report; if that is refused, apply them one by one."""
    try:
        reports = handle.use(lambda index: _change(index, changes))
    except OutputError as error:
        for change in changes:
            change.report.set_exception(error)
    except BaseException as error:
        if len(changes) == 1:
            changes[0].report.set_exception(_plain(error))
            return
        for change in changes:
            _apply(handle, [change])
    else:
        for change, report in zip(changes, reports, strict=True):
            change.report.set_result(report)


def _change(index: Index, changes: Sequence[Change]) -> Sequence[Put | Written | Removed]:
    match changes:
        case [Remove(id=name)]:
            index.remove([name])
            return [Removed(id=name)]
        case [PutMany(documents=documents)]:
            distinct = {document.id: document for document in documents}
            done = index.update(collect(list(distinct.values())), missing="add")
            repeated = len(documents) - len(distinct)
            return [Written(added=done.added, updated=done.updated + repeated)]
    documents = [change.document for change in changes if isinstance(change, PutOne)]
    new = [not _is_known(index, document.id) for document in documents]
    index.update(collect(documents), missing="add")
    return [_report_put(index, document.id, created) for document, created in zip(documents, new, strict=True)]


def _is_known(index: Index, name: str) -> bool:
    with suppress(IdNotFound):
        index.get(name)
        return True
    return False


def _report_put(index: Index, name: str, created: bool) -> Put:
    stored = index.get(name)
    return Put(id=name, created=created, status=stored.status, cluster=stored.cluster, reference=stored.reference)


def _plain(error: BaseException) -> Exception:
    """Return an exception that ends the request and not the service; a panic in the native module is not one."""
    return error if isinstance(error, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
