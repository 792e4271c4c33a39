"""The tables of an index, the same in every database, and what a database must offer.

Documents have a number and belong to a node, a distinct text; a document without a word is a node of its own. A node
follows its leader, or is its own and has the cluster's number. Keys meet in one table, links stand in both directions.
All numbers are 64 bits wide; ids are UTF-8 bytes, so that they compare as bytes everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Row = tuple[Any, ...]

FORMAT = "2"
FAR = 1 << 62
"""The place of a document without a time: behind all others."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table by its columns; those of the primary key come first, `number` columns are integers unless listed."""

    name: str
    columns: tuple[str, ...]
    key: int = 1
    kinds: tuple[tuple[str, str], ...] = ()
    indexes: tuple[tuple[str, str], ...] = ()

    def kind(self, column: str) -> str:
        """Return the kind of a column: number, bytes, text or real."""
        return dict(self.kinds).get(column, "number")


TABLES = (
    Table("facts", ("name", "value"), kinds=(("name", "text"), ("value", "bytes"))),
    Table(
        "documents",
        ("number", "id", "node", "place", "time", "status"),
        kinds=(("id", "bytes"),),
        indexes=(("UNIQUE", "id"), ("", "node, place, id")),
    ),
    Table("texts", ("number", "text"), kinds=(("text", "bytes"),)),
    Table(
        "nodes",
        (
            "node",
            "fingerprint",
            "other_half",
            "words",
            "copies",
            "partners",
            "first",
            "leader",
            "cluster",
            "features",
        ),
        kinds=(("features", "bytes"),),
        indexes=(("", "fingerprint"), ("", "leader WHERE leader <> node")),
    ),
    Table("days", ("node", "day", "copies"), key=2),
    Table("keys", ("key", "moment", "node", "size"), key=3),
    Table("links", ("a", "b", "similarity"), key=2, kinds=(("similarity", "real"),)),
    Table("common", ("key",)),
    Table("clusters", ("cluster", "leader", "size")),
    Table("former", ("cluster", "successor"), indexes=(("", "successor"),)),
    Table("events", ("number", "kind", "document", "cluster", "other"), kinds=(("document", "bytes"),)),
)
BY_NAME = {table.name: table for table in TABLES}


class Database(Protocol):
    """What an index asks of a database. Statements have `?` for values, and `IN ?` for a list of numbers."""

    name: str

    def reading(self) -> AbstractContextManager[None]:
        """Let everything inside see one state of the index."""

    def writing(self) -> AbstractContextManager[None]:
        """Make everything inside one change, on disk at the end or not at all; one writer at a time."""

    def rows(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement and return its rows."""

    def among(self, statement: str, numbers: Sequence[int], *values: Any) -> list[Row]:
        """Run a statement with `IN ?` for a list of numbers of any length; further values stand behind it."""

    def each(self, statement: str, values: Sequence[bytes]) -> list[Row]:
        """Run a statement with one `= ?` for each of the ids, and return all rows in no certain order."""

    def run(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement for each of the rows."""

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert whole rows into a table."""

    def meet(self, probes: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
        """Return whom keys meet: probes are six columns, who asks, the key, and least and most of moment and size.

        Two rows come back, who asked and the node, once for each key at which they meet.
        """

    def exists(self) -> bool:
        """Say whether there is an index."""

    def create(self) -> None:
        """Make the tables; inside `writing`."""

    def bytes_used(self) -> int:
        """Return how much room the index takes."""

    def backup(self, target: Path) -> None:
        """Write a copy to a new SQLite file."""

    def compact(self) -> None:
        """Give back what is not used."""

    def close(self) -> None:
        """Close the connection."""
