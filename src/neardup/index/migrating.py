"""The documents of an index go over to another one, made with another lexicon or elsewhere, while both serve.

Documents are copied batch by batch in the order of their numbers, which they keep. What happened to the old index
meanwhile is then followed by its log, until both hold the same. How far that has come stands in the new index and is
written together with each batch, so that a migration can end at any moment and go on later. Last of all the clusters of
the new index take over the numbers of the old ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from neardup.errors import FormatError, OutputError
from neardup.index.answers import ADDED, REMOVED, UPDATED, Changes
from neardup.index.beginning import (
    BATCH_DOCUMENTS,
    COLUMNS,
    FACT,
    STORED,
    Position,
    Stored,
    as_documents,
    cut_sizes,
    read_position,
    tell_event,
)
from neardup.index.identity import KIND
from neardup.index.keys import Integers
from neardup.index.linking import Linker
from neardup.index.opening import Opened
from neardup.index.packing import read_counters, write_counters
from neardup.index.preparing import Incoming, prepare
from neardup.index.tables import Database, Row
from neardup.index.writing import Arrival, Change, Departure

Progress = Callable[[str, int, int | None], None]

ROWS_AT_ONCE = 100_000
TOLD = ", ".join(str(KIND[kind]) for kind in (ADDED, UPDATED, REMOVED))


class Transfer(Change):
    """A change in which documents keep the numbers that they have elsewhere."""

    def __init__(
        self,
        database: Database,
        linker: Linker,
        arrival: Arrival,
        departures: Sequence[Departure],
        stored: Sequence[Stored],
    ) -> None:
        super().__init__(database, linker, arrival, departures)
        self._stored = {document.number: document for document in stored}
        self._brought = [document.number for document in stored]

    def _number(self, at: int) -> int:
        self.counters["next_document"] = max(self.counters["next_document"], self._brought[at] + 1)
        return self._brought[at]

    def _places(self, arrival: Arrival) -> list[int]:
        return [self._stored[number].place_by(self.linker.detector.keep) for number in self.numbers]


class Migration:
    """The way of one index to another."""

    def __init__(self, source: Opened, target: Opened, progress: Progress | None) -> None:
        self._source, self._target = source.database, target.database
        self._linker = target.linker
        self._progress = progress or (lambda stage, done, total: None)
        position = read_position(target.database)
        assert position is not None, "only what was begun as a migration goes on as one"
        self._position = position
        self._done = Changes()

    def run(self) -> Changes:
        """Go on until the new index has caught up; return what was done to it, and the last event that it has."""
        while self._position.copied is not None:
            self._copy(self._position.copied)
        while True:
            while self._follow():
                pass
            if self._position.numbered == self._position.event or self._take_over_numbers():
                return replace(self._done, last_event=self._position.event)

    def _copy(self, after: int) -> None:
        """Copy the next documents."""
        with self._source.reading():
            total = read_counters(self._source)["documents"]
            stored = self._read_after(after)
        self._write(stored, [], replace(self._position, copied=stored[-1].number if stored else None))
        if stored:
            self._progress("copy", read_counters(self._target)["documents"], total)

    def _read_after(self, after: int) -> list[Stored]:
        sizes = self._source.rows(
            f"SELECT d.number, length(t.text) FROM {STORED} WHERE d.number > ? ORDER BY d.number LIMIT ?",
            after,
            BATCH_DOCUMENTS,
        )
        if not sizes:
            return []
        rows = self._source.rows(
            f"SELECT {COLUMNS} FROM {STORED} WHERE d.number > ? AND d.number <= ? ORDER BY d.number",
            after,
            sizes[cut_sizes(size for _, size in sizes) - 1][0],
        )
        return [Stored(*row) for row in rows]

    def _follow(self) -> bool:
        """Take in the next events; say whether there were any."""
        since = self._position.event
        with self._source.reading():
            self._check_log()
            last = read_counters(self._source)["next_event"] - 1
            if last == since:
                return False
            ids, event = self._read_log(since, last)
            stored = [Stored(*row) for row in _by_id(self._source, COLUMNS, ids)]
            told = tell_event(self._source, event)
        stored.sort()
        found = {bytes(document.id) for document in stored}
        gone = [name for name in ids if name not in found]
        self._write(stored, gone, replace(self._position, event=event, told=told))
        self._progress("follow", event, last)
        return True

    def _read_log(self, since: int, last: int) -> tuple[list[bytes], int]:
        """Return to which documents something happened, as far as they go together, and the event up to which."""
        rows = self._source.rows(
            f"SELECT number, document FROM events WHERE number > ? AND kind IN ({TOLD}) ORDER BY number LIMIT ?",
            since,
            BATCH_DOCUMENTS,
        )
        ids = list(dict.fromkeys(bytes(row[1]) for row in rows))
        sizes = {bytes(name): size for name, size in _by_id(self._source, "d.id, length(t.text)", ids)}
        chosen = ids[: cut_sizes(sizes.get(name, 0) for name in ids)]
        if len(chosen) == len(ids):
            return chosen, last if len(rows) < BATCH_DOCUMENTS else rows[-1][0]
        known = set(chosen)
        beyond = next(number for number, name in rows if bytes(name) not in known)
        return chosen, beyond - 1

    def _check_log(self) -> None:
        """Refuse an old index that was set back to an earlier state: what it said since is not what it says now."""
        if tell_event(self._source, self._position.event) != self._position.told:
            raise FormatError(
                f"{self._source.name} has another history than {self._target.name} has followed, as if it had been "
                "restored from a backup: begin the migration anew in another place"
            )

    def _write(self, stored: Sequence[Stored], gone: Sequence[bytes], position: Position) -> None:
        """Bring documents and their absence over, as far as they are not so already, and note the new position."""
        keep = self._linker.detector.keep
        with self._target.reading():
            rows = _by_id(self._target, COLUMNS, [*(document.id for document in stored), *gone])
        there = {bytes(row[1]): Stored(*row) for row in rows}
        come = [
            document
            for document in stored
            if (known := there.get(document.id)) is None
            or known.content() != document.content()
            or known.place != document.place_by(keep)
        ]
        back = {document.id: document.number for document in come}
        leaving = [there[name] for name in gone if name in there]
        replaced = [there[name] for name in back if name in there]
        # One that was removed and came again has another number now: it goes and comes here too.
        leaving += [document for document in replaced if document.number != back[document.id]]
        staying = [document for document in replaced if document.number == back[document.id]]
        known_numbers: dict[bytes, Row] = {document.id: (document.number,) for document in come}
        arrival = prepare(self._linker, Incoming(as_documents(come), 0), known_numbers) if come else None
        with self._changing(position):
            if leaving:
                self._count(Change(self._target, self._linker, None, _departures(leaving)).apply())
            if arrival is not None:
                self._count(Transfer(self._target, self._linker, arrival, _departures(staying), come).apply())

    def _count(self, more: Changes) -> None:
        done = self._done
        self._done = Changes(done.added + more.added, done.updated + more.updated, done.removed + more.removed)

    @contextmanager
    def _changing(self, position: Position) -> Iterator[None]:
        """Change the new index and the position in one transaction; refuse if another has changed it meanwhile."""
        done = self._done
        try:
            with self._target.writing():
                self._check_untouched()
                yield
                own = read_counters(self._target)["next_event"] - 1
                position = replace(position, own=own)
                self._target.run(f"UPDATE facts SET value = ? WHERE name = '{FACT}'", [(position.pack(),)])
        except BaseException:
            self._linker.forget_common()
            self._done = done
            raise
        self._position = position

    def _check_untouched(self) -> None:
        if read_position(self._target) != self._position:
            raise OutputError(f"another process migrates to {self._target.name}: try again when it is done")
        if read_counters(self._target)["next_event"] - 1 != self._position.own:
            raise FormatError(
                f"{self._target.name} was changed by others since {self._source.name} was last followed, as it is "
                "after the switch: use it as it is, or begin a migration in another place"
            )

    def _take_over_numbers(self) -> bool:
        """Give clusters the numbers that they had, once both hold the same; say whether they still do."""
        with self._source.reading():
            counters = read_counters(self._source)
            if counters["next_event"] - 1 != self._position.event:
                return False
            numbers, before = _memberships(self._source)
            former = self._source.rows("SELECT cluster, successor FROM former")
        with self._changing(replace(self._position, numbered=self._position.event)):
            same, now = _memberships(self._target)
            if not np.array_equal(numbers, same):
                raise FormatError(
                    f"{self._target.name} does not hold the documents of {self._source.name}, although it has followed "
                    "all that was told: begin the migration anew in another place"
                )
            names, lost = name_clusters(before, now, counters["next_cluster"])
            self._rename(names)
            self._target.rows("DELETE FROM former")
            self._target.insert("former", sorted([*map(tuple, former), *lost.items()]))
            self._target.rows("DELETE FROM events")
            own = read_counters(self._target)
            own["next_cluster"] = max(counters["next_cluster"], *(number + 1 for number in names.values()), 1)
            # Documents without ids, and those who read the log, go on counting where they are.
            own["next_document"], own["next_event"] = counters["next_document"], counters["next_event"]
            write_counters(self._target, own)
        self._progress("number", len(names), len(names))
        return True

    def _rename(self, names: Mapping[int, int]) -> None:
        rows = self._target.rows("SELECT cluster, leader, size FROM clusters")
        others = [(names[row[0]], *row[1:], row[0]) for row in rows if names[row[0]] != row[0]]
        self._target.run("DELETE FROM clusters WHERE cluster = ?", [(row[3],) for row in others])
        self._target.insert("clusters", sorted(row[:3] for row in others))
        self._target.run("UPDATE nodes SET cluster = ? WHERE node = ?", [row[:2] for row in others])


def name_clusters(before: Integers, now: Integers, fresh: int) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of each cluster by the one that it has now, and who took over the numbers that are no more.

    Documents are given in their order by the clusters that they were in and are in. As in any change, a number goes
    where most of its documents are, of equals to the part of the oldest document; of several that come together the
    smallest stays, and a cluster to which none has come gets a fresh one.
    """
    if not len(now):
        return {}, {}
    present, first = np.unique(now, return_index=True)
    age = dict(zip(present.tolist(), first.tolist(), strict=True))
    pairs, counts = np.unique(np.stack([before, now]), axis=1, return_counts=True)
    best: dict[int, tuple[int, int, int]] = {}
    for number, part, count in zip(*pairs.tolist(), counts.tolist(), strict=True):
        claim = (-count, age[part], part)
        best[number] = min(best.get(number, claim), claim)
    names: dict[int, int] = {}
    lost: dict[int, int] = {}
    for number in sorted(best):
        stays = names.setdefault(best[number][2], number)
        if stays != number:
            lost[number] = stays
    for part in sorted(age, key=age.__getitem__):
        if part not in names:
            names[part] = fresh
            fresh += 1
    return names, lost


def _memberships(database: Database) -> tuple[Integers, Integers]:
    """Return the numbers of all documents in their order, and the clusters that they are in."""
    parts, after = [np.zeros((2, 0), np.int64)], -1
    while rows := database.rows(
        "SELECT d.number, l.cluster FROM documents d JOIN nodes n ON n.node = d.node JOIN nodes l ON l.node = n.leader "
        "WHERE d.number > ? ORDER BY d.number LIMIT ?",
        after,
        ROWS_AT_ONCE,
    ):
        parts.append(np.array(rows, np.int64).T)
        after = rows[-1][0]
    numbers, clusters = np.concatenate(parts, axis=1)
    return numbers, clusters


def _by_id(database: Database, columns: str, ids: Sequence[bytes]) -> list[Row]:
    return database.each(f"SELECT {columns} FROM {STORED} WHERE d.id = ?", ids)


def _departures(stored: Iterable[Stored]) -> list[Departure]:
    return [Departure(document.number, document.id, document.node, document.time) for document in stored]
