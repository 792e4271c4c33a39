"""The databases that can hold an index: a SQLite file or a PostgreSQL server. Each is one file."""

from __future__ import annotations

import os

from neardup.errors import SettingsError
from neardup.index.store.databases.database import UNBOUNDED, Database, Row
from neardup.index.store.databases.schema import FORMAT
from neardup.index.store.databases.sqlite import SQLiteDatabase

SCHEMES = ("postgresql://", "postgres://")

__all__ = ["FORMAT", "UNBOUNDED", "Database", "Row", "SQLiteDatabase", "open_database"]


def open_database(
    path: str | os.PathLike[str], *, read_only: bool = False, lock_timeout_seconds: float = 600.0
) -> Database:
    """Open the database at a path or a URL. A writer waits at most `lock_timeout_seconds` for another one."""
    if isinstance(path, str) and path.startswith(SCHEMES):
        from neardup.index.store.databases.postgres import PostgresDatabase  # noqa: PLC0415 - psycopg is an extra

        return PostgresDatabase(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds)
    if isinstance(path, str) and "://" in path:
        raise SettingsError(f"an index cannot be stored at {path!r}: name a file, or a database as postgresql://…")
    return SQLiteDatabase(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds)
