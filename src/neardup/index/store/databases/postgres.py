"""An index on a PostgreSQL server, for writers and readers on several machines.

The tables are in the current schema of the connection, and their names begin with `neardup_`. An advisory lock admits
one writer at a time. A reader sees the state at the start of its transaction.
"""

from __future__ import annotations

import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.errors import FormatError, MissingExtra, NeardupError, OutputError
from neardup.index.store.databases.database import Row
from neardup.index.store.databases.schema import BY_NAME, TABLES, Table
from neardup.index.store.databases.sqlite import SQLiteDatabase

try:
    import psycopg
except ImportError:
    psycopg = None  # type: ignore[assignment]

KINDS = {"number": "bigint", "bytes": "bytea", "text": "text", "real": "double precision"}
NAMES = re.compile(r"(?<=\bFROM )\w+|(?<=\bJOIN )\w+|(?<=\bINTO )\w+|(?<=\bUPDATE )\w+")
COPIED_ROWS = 20_000


class PostgresDatabase:
    """A connection to a PostgreSQL server."""

    def __init__(self, url: str, *, read_only: bool = False, lock_timeout_seconds: float = 600.0) -> None:
        if psycopg is None:
            raise MissingExtra("psycopg", "postgres", "an index on PostgreSQL")
        self.name = re.sub(r"://[^@/]*@", "://", url)
        self._read_only = read_only
        self._statements: dict[str, str] = {}
        with self._explained():
            self._connection = psycopg.connect(url, autocommit=True)
            self._connection.execute(f"SET lock_timeout = {max(1, round(lock_timeout_seconds * 1000))}")
            if read_only:
                self._connection.execute("SET default_transaction_read_only = on")
            schema = self._one("SELECT coalesce(current_schema(), '')")
        if not schema:
            self._connection.close()
            raise OutputError(f"{self.name} names a schema that does not exist: create it with CREATE SCHEMA")
        self._lock = zlib.crc32(f"neardup {schema}".encode())

    def _one(self, statement: str, *values: Any) -> Any:
        row = self._connection.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def exists(self) -> bool:
        """Return whether the schema contains an index."""
        with self._explained():
            return self._one("SELECT to_regclass('neardup_facts')") is not None

    def create(self) -> None:
        """Create the tables, unless another process was faster."""
        with self._explained():
            for table in TABLES:
                for statement in _definitions(table):
                    self._connection.execute(statement)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Open a transaction in which every read sees the same state."""
        with self._explained(), self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Open a transaction for changes."""
        if self._read_only:
            raise OutputError(f"{self.name} cannot be changed: it was opened read-only")
        with self._explained(), self._connection.transaction():
            # The lock is taken before anything is read, so that reads see the changes of the previous writer.
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._lock,))
            yield

    def query(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement and return its rows."""
        with self._explained():
            cursor = self._connection.execute(self._translate(statement), values)
            return cursor.fetchall() if cursor.description else []

    def query_numbers(self, statement: str, numbers: Sequence[int]) -> list[Row]:
        """Run a statement that contains `IN ?` for a list of numbers."""
        return self.query(statement.replace("IN ?", "= ANY(?::bigint[])"), list(numbers))

    def query_ids(self, statement: str, ids: Sequence[bytes]) -> list[Row]:
        """Run a statement for all ids at once."""
        return self.query(statement.replace("= ?", "= ANY(?)"), list(ids))

    def execute_many(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement once for each row of values."""
        with self._explained(), self._connection.cursor() as cursor:
            cursor.executemany(self._translate(statement), list(rows))

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert complete rows into a table."""
        known = BY_NAME[table]
        into = f"COPY neardup_{table} ({', '.join(known.columns)}) FROM STDIN (FORMAT binary)"
        with self._explained(), self._connection.cursor() as cursor, cursor.copy(into) as copy:
            copy.set_types(
                [KINDS[known.kind(column)].replace("double precision", "float8") for column in known.columns]
            )
            for row in rows:
                copy.write_row(row)

    def add_keys(self, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        """Add keys."""
        self.insert("keys", zip(*(column.tolist() for column in columns), strict=True))

    def remove_keys(self, columns: Sequence[npt.NDArray[np.int64]]) -> None:
        """Remove keys."""
        rows = zip(*(column.tolist() for column in columns), strict=True)
        self.execute_many("DELETE FROM keys WHERE key = ? AND moment = ? AND node = ?", rows)

    def all_keys(self) -> Iterator[Sequence[npt.NDArray[np.int64]]]:
        """Yield all keys as columns, in batches."""
        with self._explained(), self._connection.transaction(), self._connection.cursor("all_keys") as cursor:
            cursor.execute("SELECT key, moment, node, size FROM neardup_keys")
            while rows := cursor.fetchmany(COPIED_ROWS):
                yield list(np.array(rows, np.int64).T)

    def meet(self, probes: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """Return the stored nodes whose keys match the probes."""
        found = self.query(
            "SELECT p.asked, k.node FROM unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], "
            "?::bigint[]) AS p (asked, key, earliest, latest, smallest, largest) JOIN keys k ON k.key = p.key "
            "AND k.moment BETWEEN p.earliest AND p.latest AND k.size BETWEEN p.smallest AND p.largest",
            *(column.tolist() for column in probes),
        )
        return np.ascontiguousarray(np.array(found, np.int64).reshape(-1, 2).T)

    def bytes_used(self) -> int:
        """Return the size of the tables with their indexes."""
        sizes = " + ".join(f"pg_total_relation_size('neardup_{table.name}')" for table in TABLES)
        with self._explained():
            return int(self._one(f"SELECT {sizes}"))

    def backup(self, target: Path) -> None:
        """Copy all rows of one state to a new SQLite file."""
        unfinished = target.with_name(target.name + ".part")
        try:
            unfinished.unlink(missing_ok=True)
            copy = SQLiteDatabase(unfinished)
            try:
                with self.reading(), copy.writing():
                    copy.create()
                    for table in TABLES:
                        if table.name != "keys":
                            self._copy_table(table, copy)
                    for columns in self.all_keys():
                        copy.add_keys(columns)
            finally:
                copy.close()
            unfinished.replace(target)
        except OSError as problem:
            raise OutputError(f"cannot write the copy to {target}: {problem.strerror or problem}") from None
        finally:
            for left in unfinished.parent.glob(unfinished.name + "*"):
                left.unlink(missing_ok=True)

    def _copy_table(self, table: Table, copy: SQLiteDatabase) -> None:
        order = ", ".join(table.columns[: table.key])
        with self._connection.cursor(f"copy_{table.name}") as cursor:
            cursor.execute(f"SELECT {', '.join(table.columns)} FROM neardup_{table.name} ORDER BY {order}")
            while rows := cursor.fetchmany(COPIED_ROWS):
                copy.insert(table.name, rows)

    def compact(self) -> None:
        """Let the server reuse the space of removed rows."""
        with self._explained():
            for table in TABLES:
                self._connection.execute(f"VACUUM (ANALYZE) neardup_{table.name}")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _translate(self, statement: str) -> str:
        """Return a statement in the syntax of this database; it is cached, since few statements are used often."""
        if statement not in self._statements:
            translated = NAMES.sub(lambda found: _table_name(found.group()), statement)
            self._statements[statement] = translated.replace("%", "%%").replace("?", "%s")
        return self._statements[statement]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn errors of the server into errors that say what to do."""
        try:
            yield
        except psycopg.Error as problem:
            raise _explain(problem, self.name) from None
        except sqlite3.Error as problem:
            raise OutputError(f"the copy cannot be written: {problem}") from None


def _table_name(word: str) -> str:
    return f"neardup_{word}" if word in BY_NAME else word


def _definitions(table: Table) -> Iterator[str]:
    columns = ", ".join(f"{column} {KINDS[table.kind(column)]}" for column in table.columns)
    key = ", ".join(table.columns[: table.key])
    yield f"CREATE TABLE IF NOT EXISTS neardup_{table.name} ({columns}, PRIMARY KEY ({key}))"
    for number, (kind, over) in enumerate(table.indexes):
        listed, where, condition = over.partition(" WHERE ")
        index = f"neardup_{table.name}_{number} ON neardup_{table.name}"
        yield f"CREATE {kind} INDEX IF NOT EXISTS {index} ({listed}){where}{condition}"


def _explain(problem: psycopg.Error, name: str) -> NeardupError:
    what = " ".join(str(problem).split())
    code = problem.sqlstate or ""
    if code.startswith("53"):
        return OutputError(
            f"{name} has no space left: {what}; nothing of this change was kept: free some space, then try again"
        )
    if code == "55P03":
        return OutputError(f"{name} is being written by another process: try again later")
    if code == "25006":
        return OutputError(f"{name} cannot be changed: it was opened read-only")
    if code.startswith(("42", "22")):
        return FormatError(f"{name} does not contain an index of this version: {what}; build it again")
    return OutputError(f"{name} cannot be reached or written: {what}; nothing of this change was kept")
