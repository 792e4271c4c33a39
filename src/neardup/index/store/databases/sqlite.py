"""An index in one SQLite file.

The write-ahead log lets any number of processes read while one writes. Every change is on disk before it is
acknowledged (`synchronous=FULL`). Writers wait for each other. A reader sees the state at the start of its transaction.
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
from neardup.index.store.databases.database import Row
from neardup.index.store.databases.schema import BY_NAME, TABLES, Table
from neardup.index.store.databases.segments import SCHEMA, KeySegments

KINDS = {"number": "INTEGER", "bytes": "BLOB", "text": "TEXT", "real": "REAL"}
APPLICATION = 0x6E647570
"""The application id in the header of the file."""
PAGE_BYTES = 8192
CACHE_KIBIBYTES = 262_144
CHECKPOINT_PAGES = 16_384
LOCK_TIMEOUT_SECONDS = 600.0
COPIED_PAGES = 4096


class SQLiteDatabase:
    """A connection to a SQLite file."""

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
        self._segments = KeySegments(self)
        if read_only and not self._path.exists():
            raise FormatError(f"{path} does not exist: neardup index build creates an index")
        with self._explained():
            self._connect("file::memory:" if self.name == ":memory:" else f"{self._url()}?mode={self._mode()}")
            self._prepare()

    def _url(self) -> str:
        # The path becomes part of a URL, in which question marks and per cent signs have a meaning.
        return self._path.absolute().as_uri()

    def _mode(self) -> str:
        if not self._read_only:
            return "rwc"
        # A connection that may write removes the log when it closes, even if it only reads.
        return "rw" if os.access(self._path, os.W_OK) else "ro"

    def _connect(self, url: str) -> None:
        self._connection = sqlite3.connect(
            url, uri=True, timeout=self._lock_timeout_seconds, isolation_level=None, check_same_thread=False
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
        """Refuse a file that is not an index before anything is written to it."""
        used = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        mark = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if used and mark != APPLICATION:
            raise FormatError(f"{self._path} is a database of another program: name another file for the index")

    def exists(self) -> bool:
        """Return whether the file contains an index."""
        return bool(self.query("SELECT 1 FROM sqlite_master WHERE name = 'facts'"))

    def create(self) -> None:
        """Create the tables."""
        with self._explained():
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            for table in TABLES:
                for statement in _definitions(table):
                    self._connection.execute(statement)
            for statement in SCHEMA:
                self._connection.execute(statement)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a transaction in which every read sees the same state."""
        with self._explained():
            self._connection.execute("BEGIN")
            try:
                yield
            finally:
                self._connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction for changes."""
        self._check_writable()
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._segments.forget()
                if self._connection.in_transaction:
                    with suppress(sqlite3.Error):
                        self._connection.execute("ROLLBACK")
                raise

    def _check_writable(self) -> None:
        if self._read_only:
            raise OutputError(f"{self._path} cannot be changed: it was opened read-only")

    def query(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement and return its rows."""
        with self._explained():
            return self._connection.execute(statement, values).fetchall()

    def query_numbers(self, statement: str, numbers: Sequence[int]) -> list[Row]:
        """Run a statement that contains `IN ?` for a list of numbers."""
        listed = json.dumps(numbers if isinstance(numbers, list) else list(numbers))
        return self.query(statement.replace("IN ?", "IN (SELECT value FROM json_each(?))"), listed)

    def query_ids(self, statement: str, ids: Sequence[bytes]) -> list[Row]:
        """Run a statement for all ids at once, and one by one for ids with a zero byte, which JSON cuts off here."""
        plain = [id_.decode() for id_ in ids if 0 not in id_]
        listed = statement.replace("= ?", "IN (SELECT CAST(value AS BLOB) FROM json_each(?))")
        found = self.query(listed, json.dumps(plain, ensure_ascii=False))
        return found + [row for id_ in ids if 0 in id_ for row in self.query(statement, id_)]

    def execute_many(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement once for each row of values."""
        with self._explained():
            self._connection.executemany(statement, rows)

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert complete rows into a table."""
        marks = ", ".join("?" * len(BY_NAME[table].columns))
        self.execute_many(f"INSERT INTO {table} VALUES ({marks})", rows)

    def add_keys(self, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        """Add keys."""
        self._segments.add(columns)

    def remove_keys(self, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        """Remove keys."""
        self._segments.remove(columns)

    def all_keys(self) -> Iterator[Sequence[npt.NDArray[np.int64]]]:
        """Yield all keys as columns, in batches."""
        return self._segments.all()

    def meet(self, probes: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """Return the stored nodes whose keys match the probes."""
        return self._segments.meet(probes)

    def bytes_used(self) -> int:
        """Return the size of the file."""
        pages, size = (self.query(f"PRAGMA {name}")[0][0] for name in ("page_count", "page_size"))
        return int(pages) * int(size)

    def backup(self, target: Path) -> None:
        """Copy the file a few pages at a time, so that writers need not wait."""
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
        """Rewrite the file without its gaps, through the log, so that readers can continue."""
        with self.writing():
            self._segments.merge_all()
        with self._explained():
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection; the last one to close removes the log."""
        self._connection.close()

    @contextmanager
    def _explained(self, path: Path | None = None) -> Iterator[None]:
        """Turn errors of SQLite into errors that say what to do."""
        try:
            yield
        except sqlite3.Error as problem:
            raise _explain(problem, path or self._path) from None


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
            f"{path} cannot be written: {problem}; nothing of this change was kept: free some space, then try again"
        )
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return OutputError(f"{path} is being written by another process: try again later")
    if name.startswith("SQLITE_READONLY"):
        return OutputError(f"{path} cannot be changed: the file or its folder is not writable")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return OutputError(f"{path} cannot be opened: {problem}; check that its folder exists and is writable")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return FormatError(f"{path} is damaged or not an index: {problem}; restore it from a backup or build it again")
    return OutputError(f"{path}: {problem}")
