"""An index in one SQLite file.

The write-ahead log lets any number of processes read while one writes; every change is on disk before it is
acknowledged (`synchronous=FULL`). A writer waits for its turn, readers see the state at the beginning of what they ask.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.errors import FormatError, NeardupError, OutputError
from neardup.index.runs import SCHEMA, KeyRuns
from neardup.index.tables import BY_NAME, TABLES, Row, Table

KINDS = {"number": "INTEGER", "bytes": "BLOB", "text": "TEXT", "real": "REAL"}
APPLICATION = 0x6E647570
"""Marks the file as an index of neardup."""
PAGE_BYTES = 8192
CACHE_KIBIBYTES = 262_144
CHECKPOINT_PAGES = 16_384
LOCK_TIMEOUT_SECONDS = 600.0
COPIED_PAGES = 4096


class SQLiteDatabase:
    """A connection to the file."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        read_only: bool = False,
        lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS,
    ) -> None:
        self.name = str(path)
        self._path = Path(path)
        self._read_only = read_only
        self._lock_timeout_seconds = lock_timeout_seconds
        self._runs = KeyRuns(self)
        inside = self.name == ":memory:"
        if read_only and not self._path.exists():
            raise FormatError(f"{path} is not there: neardup index build makes an index")
        with self._explained():
            # The path goes into an address, where question marks and per cent signs mean something.
            address = self._path.absolute().as_uri()
            if inside:
                self._connect("file::memory:")
            elif not read_only:
                self._connect(f"{address}?mode=rwc")
            else:
                # Who may write tidies up the log in the end, also one who only reads.
                self._connect(f"{address}?mode={'rw' if os.access(path, os.W_OK) else 'ro'}")
            self._prepare()

    def _connect(self, address: str) -> None:
        self._connection = sqlite3.connect(
            address, uri=True, timeout=self._lock_timeout_seconds, isolation_level=None, check_same_thread=False
        )

    def _prepare(self) -> None:
        run = self._connection.execute
        self._check()
        if not self._read_only:
            run(f"PRAGMA page_size = {PAGE_BYTES}")
            run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = FULL")
            run(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        run(f"PRAGMA cache_size = -{CACHE_KIBIBYTES}")
        run("PRAGMA temp_store = MEMORY")

    def _check(self) -> None:
        """Refuse a file that is something else before anything is written to it."""
        used = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        mark = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if used and mark != APPLICATION:
            raise FormatError(f"{self._path} is a database of something else: name another file for the index")

    def exists(self) -> bool:
        """Say whether there is an index."""
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = 'facts'"))

    def create(self) -> None:
        """Make the tables."""
        with self._explained():
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            for table in TABLES:
                for statement in _definitions(table):
                    self._connection.execute(statement)
            for statement in SCHEMA:
                self._connection.execute(statement)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let everything inside see one state of the index."""
        with self._explained():
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one change."""
        self._check_writable()
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._runs.forget()
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                raise

    def _check_writable(self) -> None:
        if self._read_only:
            raise OutputError(f"{self._path} cannot be changed: it was opened for reading only")

    def rows(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement and return its rows."""
        with self._explained():
            return self._connection.execute(statement, values).fetchall()

    def among(self, statement: str, numbers: Sequence[int], *values: Any) -> list[Row]:
        """Run a statement with `IN ?` for a list of numbers."""
        listed = json.dumps(numbers if isinstance(numbers, list) else list(numbers))
        return self.rows(statement.replace("IN ?", "IN (SELECT value FROM json_each(?))"), listed, *values)

    def each(self, statement: str, values: Sequence[bytes]) -> list[Row]:
        """Run a statement for each of the values; all at once but for those with a zero, which JSON loses here."""
        plain = [value.decode() for value in values if 0 not in value]
        listed = statement.replace("= ?", "IN (SELECT CAST(value AS BLOB) FROM json_each(?))")
        found = self.rows(listed, json.dumps(plain, ensure_ascii=False))
        return found + [row for value in values if 0 in value for row in self.rows(statement, value)]

    def run(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement for each of the rows."""
        with self._explained():
            self._connection.executemany(statement, rows)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert whole rows into a table."""
        marks = ", ".join("?" * len(BY_NAME[table].columns))
        self.run(f"INSERT INTO {table} VALUES ({marks})", rows)

    def add_keys(self, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        """Add keys."""
        self._runs.add(columns)

    def remove_keys(self, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        """Remove keys."""
        self._runs.remove(columns)

    def all_keys(self) -> Iterator[Sequence[npt.NDArray[np.int64]]]:
        """Yield all keys as columns, some at a time."""
        return self._runs.all()

    def meet(self, probes: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """Return whom keys meet."""
        return self._runs.meet(probes)

    def bytes_used(self) -> int:
        """Return the size of the file."""
        pages, size = (self.rows(f"PRAGMA {name}")[0][0] for name in ("page_count", "page_size"))
        return int(pages) * int(size)

    def backup(self, target: Path) -> None:
        """Copy the file page by page, a few at a time, so that a writer need not wait."""
        unfinished = target.with_name(target.name + ".part")
        try:
            with self._explained(target):
                _copy(self._connection, unfinished)
            unfinished.replace(target)
        except OSError as problem:
            raise OutputError(f"cannot write the copy to {target}: {problem.strerror or problem}") from None
        finally:
            unfinished.unlink(missing_ok=True)

    def compact(self) -> None:
        """Write the file anew without its gaps, through the log: readers go on."""
        with self.writing():
            self._runs.merge_all()
        with self._explained():
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection; the last one to leave empties the log."""
        self._connection.close()

    @contextmanager
    def _explained(self, place: Path | None = None) -> Iterator[None]:
        """Turn what SQLite complains about into an error that says what to do."""
        try:
            yield
        except sqlite3.Error as problem:
            raise _explain(problem, place or self._path) from None


def _copy(source: sqlite3.Connection, target: Path) -> None:
    target.unlink(missing_ok=True)
    made = sqlite3.connect(target, isolation_level=None)
    try:
        source.backup(made, pages=COPIED_PAGES)
        made.execute("PRAGMA journal_mode = DELETE")
    finally:
        made.close()
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _definitions(table: Table) -> Iterator[str]:
    columns = [f"{column} {KINDS[table.kind(column)]}" for column in table.columns]
    if table.key == 1 and table.kind(table.columns[0]) == "number":
        columns[0] += " PRIMARY KEY"
        clustered = ""
    else:
        columns.append(f"PRIMARY KEY ({', '.join(table.columns[: table.key])})")
        clustered = " WITHOUT ROWID"
    yield f"CREATE TABLE {table.name} ({', '.join(columns)}){clustered}"
    for number, (kind, over) in enumerate(table.indexes):
        listed, where, condition = over.partition(" WHERE ")
        yield f"CREATE {kind} INDEX {table.name}_{number} ON {table.name} ({listed}){where}{condition}"


def _explain(problem: sqlite3.Error, path: Path) -> NeardupError:
    name = getattr(problem, "sqlite_errorname", "") or ""
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return OutputError(
            f"{path} cannot be written: {problem}; nothing of this change was kept: make room, try again"
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return OutputError(f"{path} is being written by another process: try again when it is done")
    if name.startswith("SQLITE_READONLY"):
        return OutputError(f"{path} cannot be changed: it or its folder may not be written")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return OutputError(f"{path} cannot be opened: {problem}; look whether its folder is there and may be written")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return FormatError(f"{path} is not a sound index: {problem}; restore it from a backup or build it again")
    return OutputError(f"{path}: {problem}")
