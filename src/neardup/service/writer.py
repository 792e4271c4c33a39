"""The one thread that changes the index.

It takes whatever changes are waiting and applies them in the order in which they came, single documents that are put in
a row as one change to the index; each is reported when it is on disk. So a hundred clients that put one document each
wait for one write to the disk and not for a hundred.

A change that has not begun in time is withdrawn, and one that has begun is waited for, so that an error always means
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
"""How many changes are taken up at once: who comes next does not wait for more."""


@dataclass(frozen=True, slots=True)
class Change:
    """What to do to the index, with the report on it."""

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
    """The one thread that changes the index."""

    def __init__(self, open_index: OpenIndex, timeout_seconds: float) -> None:
        self._timeout_seconds = timeout_seconds
        self._waiting: SimpleQueue[Change | None] = SimpleQueue()
        self._thread = Thread(target=self._work, args=(Handle(open_index),), name="writer")
        self._thread.start()

    async def put(self, document: Document, where: str) -> Put:
        """Put one document, and return what became of it."""
        report: Put = await self._submit(PutOne(document=document), where)
        return report

    async def load(self, documents: Sequence[Document], where: str) -> Written:
        """Put many documents, and return how many of them are new; of two with one id the second counts."""
        report: Written = await self._submit(PutMany(documents=documents), where)
        return report

    async def remove(self, name: str, where: str) -> Removed:
        """Remove a document."""
        report: Removed = await self._submit(Remove(id=name), where)
        return report

    def waiting(self) -> int:
        """Return how many changes have not begun."""
        return self._waiting.qsize()

    def close(self) -> None:
        """Let the writer do what is waiting, and end."""
        self._waiting.put(None)
        self._thread.join()

    async def _submit(self, change: Change, where: str) -> Any:
        report = asyncio.wrap_future(change.report)
        self._waiting.put(change)
        await asyncio.wait((report,), timeout=self._timeout_seconds)
        if not report.done() and change.report.cancel():
            raise Problem(
                503,
                f"the change did not have its turn within {self._timeout_seconds:g} seconds; nothing changed",
                where,
            )
        return await report

    def _work(self, handle: Handle) -> None:
        going = True
        while going:
            taken = [self._waiting.get(), *self._take_waiting()]
            going = None not in taken
            begun = [change for change in taken if change and change.report.set_running_or_notify_cancel()]
            for run in _split_runs(begun):
                _apply(handle, run)
        handle.close()

    def _take_waiting(self) -> Iterator[Change | None]:
        with suppress(Empty):
            for _ in range(MOST_TOGETHER - 1):
                yield self._waiting.get_nowait()


def _split_runs(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield what can be done at once: documents that are put one by one, as long as no id comes again."""
    run: list[Change] = []
    ids: set[str] = set()
    for change in changes:
        alone = not isinstance(change, PutOne)
        if run and (alone or change.document.id in ids):  # type: ignore[attr-defined]  # alone says which it is
            yield run
            run, ids = [], set()
        if isinstance(change, PutOne):
            run.append(change)
            ids.add(change.document.id)
        else:
            yield [change]
    if run:
        yield run


def _apply(handle: Handle, run: Sequence[Change]) -> None:
    """Make the changes and report; where one of several is refused, make them one by one."""
    try:
        reports = handle.use(lambda index: _change(index, run))
    except OutputError as error:
        for change in run:
            change.report.set_exception(error)
    except BaseException as error:
        if len(run) == 1:
            run[0].report.set_exception(_plain(error))
            return
        for change in run:
            _apply(handle, [change])
    else:
        for change, report in zip(run, reports, strict=True):
            change.report.set_result(report)


def _change(index: Index, run: Sequence[Change]) -> Sequence[Put | Written | Removed]:
    match run:
        case [Remove(id=name)]:
            index.remove([name])
            return [Removed(id=name)]
        case [PutMany(documents=documents)]:
            distinct = {document.id: document for document in documents}
            changes = index.update(collect(list(distinct.values())), missing="add")
            repeated = len(documents) - len(distinct)
            return [Written(added=changes.added, updated=changes.updated + repeated)]
    documents = [change.document for change in run if isinstance(change, PutOne)]
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
    """Return an exception that ends a request and not the service: a panic of the native part is none."""
    return error if isinstance(error, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
