"""The keys of an index in a SQLite file: many at once are kept in sorted runs of packed blocks, a few as rows.

A row of its own for each key would take five times the room, and a batch would touch every page of the table. So a
batch becomes a run: blocks of bytes, each with some hundred sorted keys, and a directory of what each block begins
with. Keys that come one by one are collected as rows of the table `keys` until they make a run. A few runs of about the
same size are merged into one, so that there are never many to look into, and each key is rewritten a few times only.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.errors import FormatError
from neardup.index.tables import ANYTHING, Database
from neardup.stages import NOWHERE

Integers = npt.NDArray[np.int64]
Place = tuple[int, int]
"""A key and a moment."""

SCHEMA = (
    "CREATE TABLE runs (run INTEGER PRIMARY KEY AUTOINCREMENT, rows INTEGER, earliest INTEGER, latest INTEGER, "
    "nowhere INTEGER, keys BLOB, moments BLOB)",
    "CREATE TABLE blocks (number INTEGER PRIMARY KEY, bytes BLOB)",
)
RUN_ROWS = 1 << 14
"""So many keys at once become a run."""
RECENT_ROWS = 1 << 16
"""How many keys stand as rows before they become a run."""
RUNS_ALIKE = 4
"""How many runs of about the same size there may be before they are merged; each merged one is that much larger."""
BLOCKS_AT_ONCE = 4_096
LAST_BLOCK = (1 << 32) - 1
FEW_KEYS = 1_000
"""Rows of the table are looked up by their keys for so many; for more, all of them are looked at."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run: how many rows were written, between which moments the dated ones stand, and whether there are others."""

    number: int
    rows: int
    earliest: int
    latest: int
    nowhere: int

    @property
    def level(self) -> int:
        """How large it is, in powers of the number of runs that are merged."""
        return (self.rows // RUN_ROWS).bit_length() // 2

    def block(self, place: int) -> int:
        """Return the number of a block."""
        return self.number << 32 | place


@dataclass(frozen=True, slots=True)
class Directory:
    """The key and the moment of the first row of each block."""

    keys: Integers
    moments: Integers

    def places(self) -> list[Place]:
        """Return them as pairs."""
        return list(zip(self.keys.tolist(), self.moments.tolist(), strict=True))


class KeyRuns:
    """The keys in a database that has the tables of `SCHEMA` beside `keys`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._directories: dict[int, Directory] = {}

    def forget(self) -> None:
        """Forget what was read, since it may never have been written."""
        self._directories.clear()

    def add(self, columns: Sequence[Integers]) -> None:
        """Add rows: key, moment, node and size."""
        if len(columns[0]) >= RUN_ROWS:
            self._add_run(columns)
        else:
            self._database.insert("keys", zip(*(column.tolist() for column in columns), strict=True))
            if self._database.rows("SELECT count(*) FROM keys")[0][0] > RECENT_ROWS:
                self._add_run(self._recent())
                self._database.run("DELETE FROM keys", [()])
        self._merge_alike()

    def remove(self, columns: Sequence[Integers]) -> None:
        """Remove rows by key, moment and node."""
        keys, moments, nodes = columns
        if self._database.rows("SELECT 1 FROM keys LIMIT 1"):
            rows = zip(*(column.tolist() for column in columns), strict=True)
            self._database.run("DELETE FROM keys WHERE key = ? AND moment = ? AND node = ?", rows)
        everyone, every = np.zeros(len(keys), np.int64), np.full(len(keys), ANYTHING, np.int64)
        probes = _core.KeyProbes.from_arrays(everyone, keys, moments, moments, -every, every)
        for found in self._blocks(self._chosen(probes)):
            with _sound(self._database):
                content, ends, _ = _core.remove_keys(*_join(bytes_ for _, bytes_ in found), keys, moments, nodes)
            left = content.tobytes()
            parts = [left[start:end] for start, end in pairwise(ends.tolist())]
            changed = [(new, number) for (number, old), new in zip(found, parts, strict=True) if new != old]
            self._database.run("UPDATE blocks SET bytes = ? WHERE number = ?", [row for row in changed if row[0]])
            self._database.run("DELETE FROM blocks WHERE number = ?", [(number,) for new, number in changed if not new])

    def meet(self, columns: Sequence[Integers]) -> Integers:
        """Return whom keys meet: who asked and the node, once for each key."""
        probes = _core.KeyProbes.from_arrays(*columns)
        met = [self._meet_recent(probes, columns[1])]
        for found in self._blocks(self._chosen(probes)):
            with _sound(self._database):
                met.append(probes.meet(*_join(bytes_ for _, bytes_ in found)))
        both = np.empty((2, sum(len(asked) for asked, _ in met)), np.int64)
        for row, column in zip(both, zip(*met, strict=True), strict=True):
            np.concatenate(column, out=row)
        return both

    def all(self) -> Iterator[Sequence[Integers]]:
        """Yield all rows as columns, some at a time, in no certain order."""
        yield self._recent()
        rows = self._database.rows("SELECT number FROM blocks")
        for found in self._blocks([row[0] for row in rows]):
            with _sound(self._database):
                columns = _core.unpack_keys(*_join(bytes_ for _, bytes_ in found))
            yield columns

    def merge_all(self) -> None:
        """Make one run of everything."""
        if self._database.rows("SELECT 1 FROM keys LIMIT 1"):
            self._add_run(self._recent())
            self._database.run("DELETE FROM keys", [()])
        runs = self._runs()
        if len(runs) > 1:
            self._merge(runs)

    def _recent(self) -> tuple[Integers, ...]:
        rows = self._database.rows("SELECT key, moment, node, size FROM keys ORDER BY key, moment, node")
        return _columns(rows)

    def _meet_recent(self, probes: _core.KeyProbes, keys: Integers) -> tuple[Integers, Integers]:
        """Ask the keys that stand as rows."""
        asked = np.unique(keys)
        if len(asked) <= FEW_KEYS:
            rows = self._database.among("SELECT key, moment, node, size FROM keys WHERE key IN ?", asked.tolist())
            columns = _columns(rows)
        else:
            columns = self._recent()
        content, ends, _, _ = _core.pack_keys(*columns)
        return probes.meet(content, ends)

    def _runs(self) -> list[Run]:
        rows = self._database.rows("SELECT run, rows, earliest, latest, nowhere FROM runs ORDER BY run")
        return [Run(*row) for row in rows]

    def _directory(self, run: Run) -> Directory:
        if run.number not in self._directories:
            rows = self._database.rows("SELECT keys, moments FROM runs WHERE run = ?", run.number)
            self._directories[run.number] = Directory(*(np.frombuffer(column, "<i8") for column in rows[0]))
        return self._directories[run.number]

    def _chosen(self, probes: _core.KeyProbes) -> list[int]:
        """Return the numbers of the blocks that probes have to look into."""
        numbers: list[int] = []
        runs = self._runs()
        for run in runs:
            directory = self._directory(run)
            nowhere = NOWHERE if run.nowhere else None
            chosen = probes.choose(directory.keys, directory.moments, run.earliest, run.latest, nowhere)
            numbers += (chosen.astype(np.int64) + run.block(0)).tolist()
        if len(self._directories) > len(runs):
            self._directories = {run.number: self._directories[run.number] for run in runs}
        return numbers

    def _blocks(self, numbers: list[int]) -> Iterator[list[tuple[int, bytes]]]:
        """Yield blocks with their numbers, some at a time; those that lost all their rows are no more."""
        for start in range(0, len(numbers), BLOCKS_AT_ONCE):
            part = numbers[start : start + BLOCKS_AT_ONCE]
            found = self._database.among("SELECT number, bytes FROM blocks WHERE number IN ?", part)
            if found:
                yield [(number, bytes_) for number, bytes_ in found]

    def _add_run(self, columns: Sequence[Integers]) -> None:
        with self._writing_run() as run:
            run.write(_core.pack_keys(*(np.ascontiguousarray(column) for column in columns)), len(columns[0]))
            moments = columns[1]
            dated = moments[moments != NOWHERE]
            run.span = (int(dated.min()), int(dated.max())) if len(dated) else (ANYTHING, -ANYTHING)
            run.nowhere = len(dated) < len(moments)

    def _merge_alike(self) -> None:
        """Merge runs of about the same size until there are few of each."""
        while True:
            runs = self._runs()
            levels = [run.level for run in runs]
            crowded = [level for level in levels if levels.count(level) >= RUNS_ALIKE]
            if not crowded:
                return
            self._merge([run for run in runs if run.level == min(crowded)])

    def _merge(self, runs: list[Run]) -> None:
        """Merge runs into one, a stretch of the order at a time, so that any number of rows can be merged."""
        directories = [(run, self._directory(run).places()) for run in runs]
        cuts = sorted({place for _, places in directories for place in places})[BLOCKS_AT_ONCE::BLOCKS_AT_ONCE]
        with self._writing_run() as made:
            for start, end in pairwise([None, *cuts, None]):
                numbers = [run.block(place) for run, places in directories for place in _between(places, start, end)]
                stored = [bytes_ for found in self._blocks(numbers) for _, bytes_ in found]
                with _sound(self._database):
                    packed, count = _core.merge_keys(*_join(stored), start, end)
                made.write(packed, count)
            made.span = (min(run.earliest for run in runs), max(run.latest for run in runs))
            made.nowhere = any(run.nowhere for run in runs)
        for run in runs:
            self._database.run(
                "DELETE FROM blocks WHERE number BETWEEN ? AND ?", [(run.block(0), run.block(LAST_BLOCK))]
            )
        self._database.run("DELETE FROM runs WHERE run = ?", [(run.number,) for run in runs])

    @contextmanager
    def _writing_run(self) -> Iterator[_Writing]:
        self._database.run("INSERT INTO runs (rows) VALUES (?)", [(0,)])
        number = self._database.rows("SELECT max(run) FROM runs")[0][0]
        run = _Writing(self._database, number)
        yield run
        run.finish()


class _Writing:
    """A run that is being written."""

    def __init__(self, database: Database, number: int) -> None:
        self._database, self._number = database, number
        self._rows = 0
        self._places = 0
        self._keys: list[Integers] = []
        self._moments: list[Integers] = []
        self.span = (0, 0)
        self.nowhere = False

    def write(self, packed: tuple[npt.NDArray[np.uint8], Integers, Integers, Integers], rows: int) -> None:
        """Write blocks behind those that are there."""
        content, ends, keys, moments = packed
        stored, first = content.tobytes(), (self._number << 32) + self._places
        parts = (stored[start:end] for start, end in pairwise(ends.tolist()))
        self._database.run("INSERT INTO blocks VALUES (?, ?)", list(enumerate(parts, first)))
        self._keys.append(keys)
        self._moments.append(moments)
        self._places += len(keys)
        self._rows += rows

    def finish(self) -> None:
        """Write down what the run is; one without rows is none."""
        if not self._rows:
            self._database.run("DELETE FROM runs WHERE run = ?", [(self._number,)])
            return
        directory = (np.concatenate(parts).astype("<i8").tobytes() for parts in (self._keys, self._moments))
        self._database.run(
            "UPDATE runs SET rows = ?, earliest = ?, latest = ?, nowhere = ?, keys = ?, moments = ? WHERE run = ?",
            [(self._rows, *self.span, int(self.nowhere), *directory, self._number)],
        )


def _between(places: list[Place], start: Place | None, end: Place | None) -> range:
    """Return which blocks have rows from one place in the order, up to before another, by what each begins with."""
    # The block before the first that begins there may end with some of it.
    low = 0 if start is None else max(0, bisect_left(places, start) - 1)
    return range(low, len(places) if end is None else bisect_left(places, end))


def _columns(rows: Sequence[tuple[int, ...]]) -> tuple[Integers, ...]:
    table = np.array(rows, np.int64).reshape(-1, 4)
    return tuple(np.ascontiguousarray(column) for column in table.T)


def _join(parts: Iterable[bytes]) -> tuple[npt.NDArray[np.uint8], Integers]:
    """Return blocks behind each other, and where each begins."""
    listed = list(parts)
    lengths = np.fromiter(map(len, listed), np.int64, len(listed))
    return np.frombuffer(b"".join(listed), np.uint8), np.append(0, np.cumsum(lengths))


@contextmanager
def _sound(database: Database) -> Iterator[None]:
    try:
        yield
    except ValueError as problem:
        raise FormatError(
            f"{database.name} is not a sound index: {problem}; restore it from a backup or build it again"
        ) from None
