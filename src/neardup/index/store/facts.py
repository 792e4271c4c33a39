"""Facts about an index as a whole: its settings and its counters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from neardup.index.store.databases import Database


@dataclass(frozen=True, slots=True)
class Counters:
    """How many things an index contains, and the numbers that it assigns next."""

    documents: int = 0
    distinct: int = 0
    clusters: int = 0
    duplicates: int = 0
    timed: int = 0
    keys: int = 0
    links: int = 0
    common: int = 0
    next_document: int = 0
    next_node: int = 1
    next_cluster: int = 1
    next_event: int = 1

    @property
    def last_event(self) -> int:
        """The number of the last event; 0 before the first."""
        return self.next_event - 1

    def plus(self, **steps: int) -> Counters:
        """Return the counters with these added."""
        return replace(self, **{name: getattr(self, name) + step for name, step in steps.items()})

    def pack(self) -> bytes:
        """Return the stored form."""
        return json.dumps(asdict(self)).encode()


@dataclass(frozen=True, slots=True)
class FactStore:
    """Named values."""

    database: Database

    def read_all(self) -> dict[str, bytes]:
        """Return all facts."""
        return {name: bytes(value) for name, value in self.database.query("SELECT name, value FROM facts")}

    def read(self, name: str) -> bytes | None:
        """Return a fact; None if it is not stored."""
        rows = self.database.query("SELECT value FROM facts WHERE name = ?", name)
        return bytes(rows[0][0]) if rows else None

    def exists(self, name: str) -> bool:
        """Return whether a fact is stored."""
        return bool(self.database.query("SELECT 1 FROM facts WHERE name = ?", name))

    def insert(self, facts: Mapping[str, bytes]) -> None:
        """Store new facts."""
        self.database.insert("facts", sorted(facts.items()))

    def replace(self, facts: Mapping[str, bytes]) -> None:
        """Store facts, whether or not they were stored before."""
        self.database.execute_many("DELETE FROM facts WHERE name = ?", [(name,) for name in facts])
        self.insert(facts)

    def update(self, name: str, value: bytes) -> None:
        """Change a stored fact."""
        self.database.execute_many("UPDATE facts SET value = ? WHERE name = ?", [(value, name)])

    def read_counters(self) -> Counters:
        """Return the counters."""
        return Counters(**json.loads(self.read("counters") or b"{}"))

    def write_counters(self, counters: Counters) -> None:
        """Store the counters."""
        self.update("counters", counters.pack())
