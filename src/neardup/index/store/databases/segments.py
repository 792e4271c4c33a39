"""The keys of an index in a SQLite file. Large batches are stored as sorted segments of packed blocks.

One row for each key would take five times the space, and a batch would touch every page of the table. A batch therefore
becomes a segment: blocks of bytes with some hundred sorted keys each, and a directory of the first row of each block.
Keys that arrive in small numbers are rows of the table `keys` until there are enough for a segment. Segments of about
the same size are merged, as in a log-structured merge tree, so that a lookup reads few segments and each key is
rewritten a few times only. In the file the tables of segments are named `runs` and `blocks`.
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
from neardup.index.store.databases.database import UNBOUNDED, Database, Integers
from neardup.stages import UNPLACED

Position = tuple[int, int]
"""A key and a point of its key range, the order in which rows are sorted."""

SCHEMA = (
    "CREATE TABLE runs (run INTEGER PRIMARY KEY AUTOINCREMENT, rows INTEGER, earliest INTEGER, latest INTEGER, "
    "nowhere INTEGER, keys BLOB, moments BLOB)",
    "CREATE TABLE blocks (number INTEGER PRIMARY KEY, bytes BLOB)",
)
"""A run is a segment, a moment a point of the key range: these names belong to format 2 of an index."""

SEGMENT_ROWS = 1 << 14
"""A batch of at least this many keys becomes a segment."""
RECENT_ROWS = 1 << 16
"""This many keys are stored as rows before they become a segment."""
SEGMENTS_PER_LEVEL = 4
"""This many segments of about the same size are merged into one, which is this many times larger."""
BLOCKS_AT_ONCE = 4_096
LAST_BLOCK = (1 << 32) - 1
FEW_KEYS = 1_000
"""Up to this many keys are looked up in the table one by one; for more, the whole table is read."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment: its number of rows, the range of their points, and whether it has rows without a point."""

    number: int
    rows: int
    earliest: int
    latest: int
    unplaced: int

    @property
    def level(self) -> int:
        """The size, as a power of the number of segments that are merged."""
        return (self.rows // SEGMENT_ROWS).bit_length() // 2

    def block(self, index: int) -> int:
        """Return the number of a block."""
        return self.number << 32 | index


@dataclass(frozen=True, slots=True)
class Directory:
    """The key and the point of the first row of each block."""

    keys: Integers
    points: Integers

    def positions(self) -> list[Position]:
        """Return them as pairs."""
        return list(zip(self.keys.tolist(), self.points.tolist(), strict=True))


class KeySegments:
    """The keys in a database that has the tables of `SCHEMA` and the table `keys`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._directories: dict[int, Directory] = {}

    def forget(self) -> None:
        """Drop cached directories, since the transaction that wrote them was undone."""
        self._directories.clear()

    def add(self, columns: Sequence[Integers]) -> None:
        """Add rows: key, point, node and size."""
        if len(columns[0]) >= SEGMENT_ROWS:
            self._add_segment(columns)
        else:
            self._database.insert("keys", zip(*(column.tolist() for column in columns), strict=True))
            if self._database.query("SELECT count(*) FROM keys")[0][0] > RECENT_ROWS:
                self._add_segment(self._recent())
                self._database.execute_many("DELETE FROM keys", [()])
        self._merge_levels()

    def remove(self, columns: Sequence[Integers]) -> None:
        """Remove rows by key, point and node."""
        keys, points, nodes = columns
        if self._database.query("SELECT 1 FROM keys LIMIT 1"):
            rows = zip(*(column.tolist() for column in columns), strict=True)
            self._database.execute_many("DELETE FROM keys WHERE key = ? AND moment = ? AND node = ?", rows)
        asked, bound = np.zeros(len(keys), np.int64), np.full(len(keys), UNBOUNDED, np.int64)
        probes = _core.KeyProbes.from_arrays(asked, keys, points, points, -bound, bound)
        for found in self._blocks(self._chosen(probes)):
            with _checked(self._database):
                content, ends, _ = _core.remove_keys(*_join(bytes_ for _, bytes_ in found), keys, points, nodes)
            left = content.tobytes()
            parts = [left[start:end] for start, end in pairwise(ends.tolist())]
            changed = [(new, number) for (number, old), new in zip(found, parts, strict=True) if new != old]
            self._database.execute_many(
                "UPDATE blocks SET bytes = ? WHERE number = ?", [row for row in changed if row[0]]
            )
            self._database.execute_many(
                "DELETE FROM blocks WHERE number = ?", [(number,) for new, number in changed if not new]
            )

    def meet(self, columns: Sequence[Integers]) -> Integers:
        """Return the label of the probe and the node that was found, once for each matching key."""
        probes = _core.KeyProbes.from_arrays(*columns)
        met = [self._meet_recent(probes, columns[1])]
        for found in self._blocks(self._chosen(probes)):
            with _checked(self._database):
                met.append(probes.meet(*_join(bytes_ for _, bytes_ in found)))
        both = np.empty((2, sum(len(asked) for asked, _ in met)), np.int64)
        for row, column in zip(both, zip(*met, strict=True), strict=True):
            np.concatenate(column, out=row)
        return both

    def all(self) -> Iterator[Sequence[Integers]]:
        """Yield all rows as columns, in batches, in any order."""
        yield self._recent()
        rows = self._database.query("SELECT number FROM blocks")
        for found in self._blocks([row[0] for row in rows]):
            with _checked(self._database):
                columns = _core.unpack_keys(*_join(bytes_ for _, bytes_ in found))
            yield columns

    def merge_all(self) -> None:
        """Merge all rows into one segment."""
        if self._database.query("SELECT 1 FROM keys LIMIT 1"):
            self._add_segment(self._recent())
            self._database.execute_many("DELETE FROM keys", [()])
        segments = self._segments()
        if len(segments) > 1:
            self._merge(segments)

    def _recent(self) -> tuple[Integers, ...]:
        rows = self._database.query("SELECT key, moment, node, size FROM keys ORDER BY key, moment, node")
        return _columns(rows)

    def _meet_recent(self, probes: _core.KeyProbes, keys: Integers) -> tuple[Integers, Integers]:
        """Look up the keys that are stored as rows."""
        asked = np.unique(keys)
        if len(asked) <= FEW_KEYS:
            rows = self._database.query_numbers(
                "SELECT key, moment, node, size FROM keys WHERE key IN ?", asked.tolist()
            )
            columns = _columns(rows)
        else:
            columns = self._recent()
        content, ends, _, _ = _core.pack_keys(*columns)
        return probes.meet(content, ends)

    def _segments(self) -> list[Segment]:
        rows = self._database.query("SELECT run, rows, earliest, latest, nowhere FROM runs ORDER BY run")
        return [Segment(*row) for row in rows]

    def _directory(self, segment: Segment) -> Directory:
        if segment.number not in self._directories:
            rows = self._database.query("SELECT keys, moments FROM runs WHERE run = ?", segment.number)
            self._directories[segment.number] = Directory(*(np.frombuffer(column, "<i8") for column in rows[0]))
        return self._directories[segment.number]

    def _chosen(self, probes: _core.KeyProbes) -> list[int]:
        """Return the numbers of the blocks that may contain rows for the probes."""
        numbers: list[int] = []
        segments = self._segments()
        for segment in segments:
            directory = self._directory(segment)
            unplaced = UNPLACED if segment.unplaced else None
            chosen = probes.choose(directory.keys, directory.points, segment.earliest, segment.latest, unplaced)
            numbers += (chosen.astype(np.int64) + segment.block(0)).tolist()
        if len(self._directories) > len(segments):
            self._directories = {segment.number: self._directories[segment.number] for segment in segments}
        return numbers

    def _blocks(self, numbers: list[int]) -> Iterator[list[tuple[int, bytes]]]:
        """Yield blocks with their numbers, in batches; blocks that have lost all their rows no longer exist."""
        for start in range(0, len(numbers), BLOCKS_AT_ONCE):
            part = numbers[start : start + BLOCKS_AT_ONCE]
            found = self._database.query_numbers("SELECT number, bytes FROM blocks WHERE number IN ?", part)
            if found:
                yield [(number, bytes_) for number, bytes_ in found]

    def _add_segment(self, columns: Sequence[Integers]) -> None:
        with self._writing_segment() as writing:
            writing.write(_core.pack_keys(*(np.ascontiguousarray(column) for column in columns)), len(columns[0]))
            points = columns[1]
            placed = points[points != UNPLACED]
            writing.span = (int(placed.min()), int(placed.max())) if len(placed) else (UNBOUNDED, -UNBOUNDED)
            writing.unplaced = len(placed) < len(points)

    def _merge_levels(self) -> None:
        """Merge segments of about the same size until each level has few of them."""
        while True:
            segments = self._segments()
            levels = [segment.level for segment in segments]
            crowded = [level for level in levels if levels.count(level) >= SEGMENTS_PER_LEVEL]
            if not crowded:
                return
            self._merge([segment for segment in segments if segment.level == min(crowded)])

    def _merge(self, segments: list[Segment]) -> None:
        """Merge segments into one, one stretch of the sort order at a time, so that memory is bounded."""
        directories = [(segment, self._directory(segment).positions()) for segment in segments]
        cuts = sorted({position for _, positions in directories for position in positions})
        with self._writing_segment() as merged:
            for start, end in pairwise([None, *cuts[BLOCKS_AT_ONCE::BLOCKS_AT_ONCE], None]):
                numbers = [
                    segment.block(index)
                    for segment, positions in directories
                    for index in _between(positions, start, end)
                ]
                stored = [bytes_ for found in self._blocks(numbers) for _, bytes_ in found]
                with _checked(self._database):
                    packed, count = _core.merge_keys(*_join(stored), start, end)
                merged.write(packed, count)
            merged.span = (min(each.earliest for each in segments), max(each.latest for each in segments))
            merged.unplaced = any(each.unplaced for each in segments)
        spans = [(segment.block(0), segment.block(LAST_BLOCK)) for segment in segments]
        self._database.execute_many("DELETE FROM blocks WHERE number BETWEEN ? AND ?", spans)
        self._database.execute_many("DELETE FROM runs WHERE run = ?", [(segment.number,) for segment in segments])

    @contextmanager
    def _writing_segment(self) -> Iterator[_Writing]:
        self._database.execute_many("INSERT INTO runs (rows) VALUES (?)", [(0,)])
        number = self._database.query("SELECT max(run) FROM runs")[0][0]
        writing = _Writing(self._database, number)
        yield writing
        writing.finish()


class _Writing:
    """A segment that is being written."""

    def __init__(self, database: Database, number: int) -> None:
        self._database, self._number = database, number
        self._rows = 0
        self._blocks = 0
        self._keys: list[Integers] = []
        self._points: list[Integers] = []
        self.span = (0, 0)
        self.unplaced = False

    def write(self, packed: tuple[npt.NDArray[np.uint8], Integers, Integers, Integers], rows: int) -> None:
        """Append blocks."""
        content, ends, keys, points = packed
        stored, first = content.tobytes(), (self._number << 32) + self._blocks
        parts = (stored[start:end] for start, end in pairwise(ends.tolist()))
        self._database.execute_many("INSERT INTO blocks VALUES (?, ?)", list(enumerate(parts, first)))
        self._keys.append(keys)
        self._points.append(points)
        self._blocks += len(keys)
        self._rows += rows

    def finish(self) -> None:
        """Write the directory; a segment without rows is deleted."""
        if not self._rows:
            self._database.execute_many("DELETE FROM runs WHERE run = ?", [(self._number,)])
            return
        directory = (np.concatenate(parts).astype("<i8").tobytes() for parts in (self._keys, self._points))
        self._database.execute_many(
            "UPDATE runs SET rows = ?, earliest = ?, latest = ?, nowhere = ?, keys = ?, moments = ? WHERE run = ?",
            [(self._rows, *self.span, int(self.unplaced), *directory, self._number)],
        )


def _between(firsts: list[Position], start: Position | None, end: Position | None) -> range:
    """Return the blocks that may have rows from `start` up to, but without, `end`, by the first row of each block."""
    # The block before the first one that begins at or after `start` may end with rows after `start`.
    low = 0 if start is None else max(0, bisect_left(firsts, start) - 1)
    return range(low, len(firsts) if end is None else bisect_left(firsts, end))


def _columns(rows: Sequence[tuple[int, ...]]) -> tuple[Integers, ...]:
    table = np.array(rows, np.int64).reshape(-1, 4)
    return tuple(np.ascontiguousarray(column) for column in table.T)


def _join(parts: Iterable[bytes]) -> tuple[npt.NDArray[np.uint8], Integers]:
    """Concatenate blocks; return the bytes and the offset of each block."""
    listed = list(parts)
    lengths = np.fromiter(map(len, listed), np.int64, len(listed))
    return np.frombuffer(b"".join(listed), np.uint8), np.append(0, np.cumsum(lengths))


@contextmanager
def _checked(database: Database) -> Iterator[None]:
    try:
        yield
    except ValueError as problem:
        raise FormatError(
            f"{database.name} is damaged or not an index: {problem}; restore it from a backup or build it again"
        ) from None
