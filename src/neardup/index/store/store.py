"""The store of an index: typed reads and writes over a database."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Self

from neardup.index.store.clusters import ClusterStore
from neardup.index.store.databases import Database, open_database
from neardup.index.store.documents import DocumentStore
from neardup.index.store.events import EventStore
from neardup.index.store.facts import FactStore
from neardup.index.store.keys import KeyStore
from neardup.index.store.nodes import LinkStore, NodeStore


class Store:
    """An open database, by what it stores."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.facts = FactStore(database)
        self.documents = DocumentStore(database)
        self.nodes = NodeStore(database)
        self.links = LinkStore(database)
        self.keys = KeyStore(database)
        self.clusters = ClusterStore(database)
        self.events = EventStore(database)

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, read_only: bool = False, lock_timeout_seconds: float = 600.0
    ) -> Self:
        """Open the store at a path or a URL."""
        return cls(open_database(path, read_only=read_only, lock_timeout_seconds=lock_timeout_seconds))

    @property
    def name(self) -> str:
        """The path or the URL, for messages."""
        return self.database.name

    def reading(self) -> AbstractContextManager[None]:
        """Open a transaction in which every read sees the same state."""
        return self.database.reading()

    def writing(self) -> AbstractContextManager[None]:
        """Open a transaction for changes."""
        return self.database.writing()

    def exists(self) -> bool:
        """Return whether the database contains an index."""
        return self.database.exists()

    def create(self) -> None:
        """Create the tables. Call it inside `writing`."""
        self.database.create()

    def close(self) -> None:
        """Close the database."""
        self.database.close()
