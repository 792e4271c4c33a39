"""The interface of a database that can hold an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Row = tuple[Any, ...]
Integers = npt.NDArray[np.int64]

UNBOUNDED = 1 << 62
"""A bound that no point and no size of a key exceeds."""


class Database(Protocol):
    """A connection to a database.

    Statements are written in the SQL that SQLite and PostgreSQL share, with `?` for each value and `IN ?` for a list of
    numbers.
    """

    name: str

    def reading(self) -> AbstractContextManager[None]:
        """Open a transaction in which every read sees the same state."""

    def writing(self) -> AbstractContextManager[None]:
        """Open a transaction for changes. It is on disk when it ends, or undone. One writer is admitted at a time."""

    def query(self, statement: str, *values: Any) -> list[Row]:
        """Run a statement and return its rows."""

    def query_numbers(self, statement: str, numbers: Sequence[int]) -> list[Row]:
        """Run a statement that contains `IN ?` for a list of numbers of any length, and return its rows."""

    def query_ids(self, statement: str, ids: Sequence[bytes]) -> list[Row]:
        """Run a statement that contains one `= ?` for each of the ids, and return all rows in any order."""

    def execute_many(self, statement: str, rows: Iterable[Row]) -> None:
        """Run a statement once for each row of values."""

    def insert(self, table: str, rows: Iterable[Row]) -> None:
        """Insert complete rows into a table."""

    def add_keys(self, columns: Sequence[Integers]) -> None:
        """Add keys, given as the four columns of their table, in any order. None of them may exist already."""

    def remove_keys(self, columns: Sequence[Integers]) -> None:
        """Remove keys, given as the first three columns of their table."""

    def all_keys(self) -> Iterator[Sequence[Integers]]:
        """Yield all keys in batches, each as the four columns of their table, in any order."""

    def meet(self, probes: Sequence[Integers]) -> Integers:
        """Return the stored nodes whose keys match the probes.

        Probes are six columns: a label, the key, and the least and the greatest point and size. The result has two
        rows, the label of the probe and the node, with one entry for each matching key.
        """

    def exists(self) -> bool:
        """Return whether the database contains an index."""

    def create(self) -> None:
        """Create the tables. Call it inside `writing`."""

    def bytes_used(self) -> int:
        """Return the size of the index in bytes."""

    def backup(self, target: Path) -> None:
        """Write a copy to a new SQLite file."""

    def compact(self) -> None:
        """Release unused space."""

    def close(self) -> None:
        """Close the connection."""
