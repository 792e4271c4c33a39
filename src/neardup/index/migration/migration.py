"""Copies the documents of an index to another one while both are in use.

Documents are copied in batches in the order of their numbers, which they keep. The log of the source is then followed
until both indexes contain the same documents. A checkpoint is written to the target in the same transaction as each
batch, so that a migration can stop at any time and continue later. At the end the clusters of the target take over the
numbers of the clusters of the source.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from neardup.errors import FormatError, OutputError
from neardup.index.answers import Changes
from neardup.index.changes.batches import Batch, pack_ids, prepare
from neardup.index.changes.change import apply_change
from neardup.index.changes.documents import Change
from neardup.index.changes.writer import Progress
from neardup.index.migration.checkpoint import Checkpoint, read_checkpoint, write_checkpoint
from neardup.index.migration.numbers import read_memberships, take_over_numbers
from neardup.index.migration.source import as_documents, describe_event, read_changed_ids, read_documents_after
from neardup.index.migration.target import TargetSettings, open_target
from neardup.index.settings import OpenedIndex
from neardup.index.store.documents import DocumentRecord, StoredDocument


def migrate(
    source: OpenedIndex,
    target: str | os.PathLike[str],
    wanted: TargetSettings,
    *,
    progress: Progress | None,
    lock_timeout_seconds: float,
) -> Changes:
    """Start a migration or continue it, until the target has caught up with the source."""
    opened = open_target(source, target, wanted, lock_timeout_seconds=lock_timeout_seconds)
    try:
        return Migration(source, opened, progress).run()
    finally:
        opened.store.close()


@dataclass(frozen=True, slots=True)
class Transfer:
    """Documents to remove from the target, to update there under the same number, and to bring over."""

    removed: list[DocumentRecord]
    updated: list[DocumentRecord]
    brought: list[DocumentRecord]


class Migration:
    """A migration from one open index to another."""

    def __init__(self, source: OpenedIndex, target: OpenedIndex, progress: Progress | None) -> None:
        self._source, self._target = source.store, target.store
        self._linker = target.linker
        self._progress = progress or (lambda stage, done, total: None)
        checkpoint = read_checkpoint(target.store)
        assert checkpoint is not None, "open_target refuses an index that is not a target"
        self._checkpoint = checkpoint
        self._done = Changes()

    def run(self) -> Changes:
        """Continue until the target has caught up; return what was done to it, and the last event it has followed."""
        while self._checkpoint.copied is not None:
            self._copy(self._checkpoint.copied)
        while True:
            while self._follow():
                pass
            if self._checkpoint.numbered == self._checkpoint.event or self._take_over_numbers():
                return replace(self._done, last_event=self._checkpoint.event)

    def _copy(self, after: int) -> None:
        """Copy the next batch of documents."""
        with self._source.reading():
            total = self._source.facts.read_counters().documents
            records = read_documents_after(self._source, after)
        self._write(records, [], replace(self._checkpoint, copied=records[-1].number if records else None))
        if records:
            self._progress("copy", self._target.facts.read_counters().documents, total)

    def _follow(self) -> bool:
        """Follow the next batch of events; return whether there were any."""
        since = self._checkpoint.event
        with self._source.reading():
            self._check_history()
            last = self._source.facts.read_counters().last_event
            if last == since:
                return False
            ids, event = read_changed_ids(self._source, since, last)
            records = sorted(self._source.documents.find_records(ids))
            content = describe_event(self._source, event)
        found = {record.id for record in records}
        removed = [id_ for id_ in ids if id_ not in found]
        self._write(records, removed, replace(self._checkpoint, event=event, event_content=content))
        self._progress("follow", event, last)
        return True

    def _check_history(self) -> None:
        """Refuse a source that was restored to an earlier state: its log is not the one that was followed."""
        if describe_event(self._source, self._checkpoint.event) != self._checkpoint.event_content:
            raise FormatError(
                f"{self._source.name} has another history than {self._target.name} has followed, as if it had been "
                "restored from a backup: start the migration again with another target"
            )

    def _write(self, records: Sequence[DocumentRecord], removed: Sequence[bytes], checkpoint: Checkpoint) -> None:
        """Bring the target to the state of the source for these documents, and write the checkpoint."""
        transfer = self._compare(records, removed)
        arrival = None
        if transfer.brought:
            documents = as_documents(transfer.brought)
            numbers = {record.id: record.number for record in transfer.brought}
            arrival = prepare(self._linker, Batch(documents, pack_ids(documents), 0), numbers)
        with self._changing(checkpoint):
            if transfer.removed:
                self._apply(Change(None, _stored(transfer.removed)))
            if arrival is not None:
                self._apply(Change(arrival, _stored(transfer.updated), transfer.brought))

    def _compare(self, records: Sequence[DocumentRecord], removed: Sequence[bytes]) -> Transfer:
        """Return how the target differs from the source."""
        keep = self._linker.detector.keep
        with self._target.reading():
            found = self._target.documents.find_records([*(record.id for record in records), *removed])
        there = {record.id: record for record in found}
        brought = [
            record
            for record in records
            if (known := there.get(record.id)) is None
            or known.content() != record.content()
            or known.rank != record.rank_under(keep)
        ]
        replaced = [(there[record.id], record) for record in brought if record.id in there]
        gone = [there[id_] for id_ in removed if id_ in there]
        # A document that was removed and added again has another number: it is removed and added here too.
        gone += [old for old, new in replaced if old.number != new.number]
        return Transfer(gone, [old for old, new in replaced if old.number == new.number], brought)

    def _apply(self, change: Change) -> None:
        done = apply_change(self._target, self._linker, change)
        self._done = replace(self._done.plus(done), last_event=0)

    @contextmanager
    def _changing(self, checkpoint: Checkpoint) -> Iterator[None]:
        """Change the target and its checkpoint in one transaction; refuse if another process has changed it."""
        done = self._done
        try:
            with self._target.writing():
                self._check_unchanged()
                yield
                checkpoint = replace(checkpoint, own_event=self._target.facts.read_counters().last_event)
                write_checkpoint(self._target, checkpoint)
        except BaseException:
            self._linker.forget_common()
            self._done = done
            raise
        self._checkpoint = checkpoint

    def _check_unchanged(self) -> None:
        if read_checkpoint(self._target) != self._checkpoint:
            raise OutputError(f"another process is migrating to {self._target.name}: try again later")
        if self._target.facts.read_counters().last_event != self._checkpoint.own_event:
            raise FormatError(
                f"{self._target.name} was changed since it last followed {self._source.name}, as it is after the "
                "switch: use it as it is, or start a migration with another target"
            )

    def _take_over_numbers(self) -> bool:
        """Give clusters the numbers of the source; return whether the source still has the same documents."""
        with self._source.reading():
            counters = self._source.facts.read_counters()
            if counters.last_event != self._checkpoint.event:
                return False
            before = read_memberships(self._source)
            former = self._source.clusters.read_former()
        with self._changing(replace(self._checkpoint, numbered=self._checkpoint.event)):
            now = read_memberships(self._target)
            if not np.array_equal(before.documents, now.documents):
                raise FormatError(
                    f"{self._target.name} does not contain the documents of {self._source.name}, although it has "
                    "followed its whole log: start the migration again with another target"
                )
            count = take_over_numbers(self._target, counters, former, before.clusters, now.clusters)
        self._progress("number", count, count)
        return True


def _stored(records: Iterable[DocumentRecord]) -> list[StoredDocument]:
    return [StoredDocument(record.number, record.id, record.node, record.time) for record in records]
