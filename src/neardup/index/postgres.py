"""An index on PostgreSQL, for many writers and readers on many machines.

Its tables stand in the schema that the connection names, `neardup_` before each name. Writers take turns by an advisory
lock; readers see the state at the beginning of what they ask.
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
from neardup.index.sqlite import SQLiteDatabase
from neardup.index.tables import BY_NAME, TABLES, Row, Table

try:
    import psycopg
except ImportError:
    psycopg = None  # type: ignore[assignment]

KINDS = {"number": "bigint", "bytes": "bytea", "text": "text", "real": "double precision"}
NAMES = re.compile(r"(?<=\bFROM )\w+|(?<=\bJOIN )\w+|(?<=\bINTO )\w+|(?<=\bUPDATE )\w+")
COPIED_ROWS = 20_000


class PostgresDatabase:
    """A connection to the server."""

    def __init__(self, address: str, *, read_only: bool = False, lock_timeout_seconds: float = 600.0) -> None:
        if psycopg is None:
            raise MissingExtra("psycopg", "postgres", "an index on PostgreSQL")
        self.name = re.sub(r"://[^@/]*@", "://", address)
        self._read_only = read_only
        self._statements: dict[str, str] = {}
        with self._explained():
            self._connection = psycopg.connect(address, autocommit=True)
            self._connection.execute(f"SET lock_timeout = {max(1, round(lock_timeout_seconds * 1000))}")
            if read_only:
                self._connection.execute("SET default_transaction_read_only = on")
            schema = self._one("SELECT coalesce(current_schema(), '')")
        if not schema:
            self._connection.close()
            raise OutputError(f"{self.name} names a schema that is not there: make it with CREATE SCHEMA")
        self._lock = zlib.crc32(f"neardup {schema}".encode())

    def _one(self, statement: str, *values: Any) -> Any:
        row = self._connection.execute(statement, values).fetchone()
        return None if row is None else row[0]

    def exists(self) -> bool:
        """Say whether there is an index."""
        with self._explained():
            return self._one("SELECT to_regclass('neardup_facts')") is not None

    def create(self) -> None:
        """Make the tables, unless another process was faster."""
        with self._explained():
            for table in TABLES:
                for statement in _definitions(table):
                    self._connection.execute(statement)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Let everything inside see one state of the index."""
        with self._explained(), self._connection.transaction():
            self._connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make everything inside one change."""
        if self._read_only:
            raise OutputError(f"{self.name} cannot be changed: it was opened for reading only")
        with self._explained(), self._connection.transaction():
            # Taken before anything is read, so that what is read is what the writer before has left.
            self._connection.execute("SELECT pg_advisory_xact_lock(%s)", (self._lock,))
            yield

    def rows(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement and return its rows."""
        with self._explained():
            cursor = self._connection.execute(self._spelled(statement), values)
            return cursor.fetchall() if cursor.description else []

    def among(self, statement: str, numbers: Sequence[int], *values: Any) -> list[Row]:
        """Run a statement with `IN ?` for a list of numbers."""
        return self.rows(statement.replace("IN ?", "= ANY(?::bigint[])"), list(numbers), *values)

    def each(self, statement: str, values: Sequence[bytes]) -> list[Row]:
        """Run a statement for each of the values, all at once."""
        return self.rows(statement.replace("= ?", "= ANY(?)"), list(values))

    def run(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement for each of the rows."""
        with self._explained(), self._connection.cursor() as cursor:
            cursor.executemany(self._spelled(statement), list(rows))

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert whole rows into a table."""
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
        self.run("DELETE FROM keys WHERE key = ? AND moment = ? AND node = ?", rows)

    def all_keys(self) -> Iterator[Sequence[npt.NDArray[np.int64]]]:
        """Yield all keys as columns, some at a time."""
        with self._explained(), self._connection.transaction(), self._connection.cursor("all_keys") as cursor:
            cursor.execute("SELECT key, moment, node, size FROM neardup_keys")
            while rows := cursor.fetchmany(COPIED_ROWS):
                yield list(np.array(rows, np.int64).T)

    def meet(self, probes: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """Return whom keys meet."""
        found = self.rows(
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
        """Write all rows of one state to a new SQLite file."""
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
        """Let the server use the room again."""
        with self._explained():
            for table in TABLES:
                self._connection.execute(f"VACUUM (ANALYZE) neardup_{table.name}")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _spelled(self, statement: str) -> str:
        """Return a statement as this database spells it, remembered since it is asked for often."""
        if statement not in self._statements:
            named = NAMES.sub(lambda found: _named(found.group()), statement)
            self._statements[statement] = named.replace("%", "%%").replace("?", "%s")
        return self._statements[statement]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what the server complains about into an error that says what to do."""
        try:
            yield
        except psycopg.Error as problem:
            raise _explain(problem, self.name) from None
        except sqlite3.Error as problem:
            raise OutputError(f"the copy cannot be written: {problem}") from None


def _named(word: str) -> str:
    return f"neardup_{word}" if word in BY_NAME else word


def _definitions(table: Table) -> Iterator[str]:
    columns = ", ".join(f"{column} {KINDS[table.kind(column)]}" for column in table.columns)
    key = ", ".join(table.columns[: table.key])
    yield f"CREATE TABLE IF NOT EXISTS neardup_{table.name} ({columns}, PRIMARY KEY ({key}))"
    for number, (kind, over) in enumerate(table.indexes):
        listed, where, condition = over.partition(" WHERE ")
        place = f"neardup_{table.name}_{number} ON neardup_{table.name}"
        yield f"CREATE {kind} INDEX IF NOT EXISTS {place} ({listed}){where}{condition}"


def _explain(problem: psycopg.Error, name: str) -> NeardupError:
    what = " ".join(str(problem).split())
    code = problem.sqlstate or ""
    if code.startswith("53"):
        return OutputError(f"{name} has no room: {what}; nothing of this change was kept: make room, try again")
    if code == "55P03":
        return OutputError(f"{name} is being written by another process: try again when it is done")
    if code == "25006":
        return OutputError(f"{name} cannot be changed: it was opened for reading only")
    if code.startswith(("42", "22")):
        return FormatError(f"{name} does not hold an index as this version writes it: {what}; build it again")
    return OutputError(f"{name} cannot be reached or written: {what}; nothing of this change was kept")
