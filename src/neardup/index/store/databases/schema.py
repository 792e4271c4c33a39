"""The tables of an index. They are the same in every database.

A document has a number and belongs to a node. A node is a distinct text; a document without words is a node of its own.
Every node has a leader. A node that is its own leader carries the number of its cluster. Links are stored in both
directions. All numbers have 64 bits. Ids are stored as UTF-8 bytes, so that every database compares them as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

FORMAT = "2"


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Its first `key` columns are the primary key; a column not listed in `kinds` is a number."""

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
