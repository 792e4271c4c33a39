"""The documents of an index and their texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from neardup.index.store.databases import Database
from neardup.index.store.encoding import UNTIMED_RANK, rank_document, unpack_status
from neardup.records import EMPTY, OK

_WITH_TEXT = "documents d JOIN texts t ON t.number = d.number"
_DISTINCT = "nodes n JOIN documents d ON d.number = n.first JOIN texts t ON t.number = d.number"
_RECORD = "d.number, d.id, d.node, d.place, d.time, d.status, t.text"


class StoredDocument(NamedTuple):
    """A document without its text."""

    number: int
    id: bytes
    node: int
    time: int | None


class NewDocument(NamedTuple):
    """A document to insert."""

    number: int
    id: bytes
    node: int
    rank: int
    time: int | None
    status: int


class DocumentState(NamedTuple):
    """What the index knows of one document."""

    number: int
    node: int
    time: int | None
    status: int


class StoredText(NamedTuple):
    """The text of a document in its stored form."""

    number: int
    status: int
    text: bytes


class Representative(NamedTuple):
    """The document that represents a node; of several the smallest does."""

    rank: int
    id: bytes
    number: int


class Membership(NamedTuple):
    """A document with the number and the reference copy of its cluster."""

    id: bytes
    cluster: int
    reference: bytes
    status: int


class TextSize(NamedTuple):
    """The stored size of a text; `key` is the number of a document or a node."""

    key: int
    size: int


class DocumentRecord(NamedTuple):
    """A document with everything that is stored of it."""

    number: int
    id: bytes
    node: int
    rank: int
    time: int | None
    status: int
    text: bytes

    def rank_under(self, keep: str | None) -> int:
        """Return the rank under another `keep`; a rank above `UNTIMED_RANK` shows that it arrived without an id."""
        return rank_document(keep, self.time, self.number, named=self.rank <= UNTIMED_RANK)

    def content(self) -> tuple[object, ...]:
        """Return what does not depend on the index. Whether a text has words depends on the tokeniser."""
        status, html = unpack_status(self.status)
        return self.number, self.time, OK if status == EMPTY else status, html, bytes(self.text)


@dataclass(frozen=True, slots=True)
class DocumentStore:
    """Reads and writes documents."""

    database: Database

    def find(self, ids: Sequence[bytes]) -> list[StoredDocument]:
        """Return the documents with these ids, in any order."""
        rows = self.database.query_ids("SELECT number, id, node, time FROM documents WHERE id = ?", ids)
        return [StoredDocument(number, bytes(id_), node, time) for number, id_, node, time in rows]

    def find_ids(self, ids: Sequence[bytes]) -> set[bytes]:
        """Return those of the ids that are stored."""
        return {bytes(row[0]) for row in self.database.query_ids("SELECT id FROM documents WHERE id = ?", ids)}

    def find_before(self, time: int | None, limit: int) -> list[StoredDocument]:
        """Return the first documents with a time before this one."""
        rows = self.database.query(
            "SELECT number, id, node, time FROM documents WHERE time < ? ORDER BY number LIMIT ?", time, limit
        )
        return [StoredDocument(number, bytes(id_), node, when) for number, id_, node, when in rows]

    def find_results(self, ids: Sequence[bytes], *, with_words: bool) -> dict[bytes, tuple[int, int | None, int]]:
        """Return node, time and number of words of documents by id; 0 words unless they are needed."""
        words = "n.words FROM documents d JOIN nodes n ON n.node = d.node" if with_words else "0 FROM documents d"
        rows = self.database.query_ids(f"SELECT d.id, d.node, d.time, {words} WHERE d.id = ?", ids)
        return {id_: (node, time, count) for id_, node, time, count in rows}

    def read(self, id_: bytes) -> DocumentState | None:
        """Return one document; None if there is no such id."""
        rows = self.database.query("SELECT number, node, time, status FROM documents WHERE id = ?", id_)
        return DocumentState._make(rows[0]) if rows else None

    def read_text(self, number: int) -> bytes:
        """Return the stored text of a document."""
        text: bytes = self.database.query("SELECT text FROM texts WHERE number = ?", number)[0][0]
        return text

    def read_texts(self, numbers: Sequence[int]) -> dict[int, StoredText]:
        """Return the texts of documents by number."""
        rows = self.database.query_numbers(
            f"SELECT d.number, d.status, t.text FROM {_WITH_TEXT} WHERE d.number IN ?", numbers
        )
        return {row[0]: StoredText._make(row) for row in rows}

    def read_ids_of_node(self, node: int, limit: int) -> list[bytes]:
        """Return the ids of the first documents of a node, in the order of their ranks."""
        rows = self.database.query("SELECT id FROM documents WHERE node = ? ORDER BY place, id LIMIT ?", node, limit)
        return [bytes(row[0]) for row in rows]

    def read_representative(self, node: int) -> Representative:
        """Return the first document of a node."""
        rows = self.database.query(
            "SELECT place, id, number FROM documents WHERE node = ? ORDER BY place, id LIMIT 1", node
        )
        return Representative._make(rows[0])

    def read_memberships(self) -> list[Membership]:
        """Return all documents with their clusters, in the order of their numbers."""
        rows = self.database.query(
            "SELECT d.id, l.cluster, r.id, d.status FROM documents d JOIN nodes n ON n.node = d.node "
            "JOIN nodes l ON l.node = n.leader JOIN documents r ON r.number = l.first ORDER BY d.number"
        )
        return [Membership._make(row) for row in rows]

    def read_cluster_numbers(self, after: int, limit: int) -> list[tuple[int, int]]:
        """Return the next documents after this number, each with the number of its cluster."""
        rows = self.database.query(
            "SELECT d.number, l.cluster FROM documents d JOIN nodes n ON n.node = d.node "
            "JOIN nodes l ON l.node = n.leader WHERE d.number > ? ORDER BY d.number LIMIT ?",
            after,
            limit,
        )
        return [(number, cluster) for number, cluster in rows]

    def insert(self, documents: Iterable[NewDocument], texts: Iterable[tuple[int, bytes]]) -> None:
        """Insert documents, and their stored texts by number."""
        self.database.insert("documents", documents)
        self.database.insert("texts", texts)

    def delete(self, numbers: Sequence[int]) -> None:
        """Delete documents and their texts."""
        rows = [(number,) for number in numbers]
        self.database.execute_many("DELETE FROM documents WHERE number = ?", rows)
        self.database.execute_many("DELETE FROM texts WHERE number = ?", rows)

    def read_sizes_after(self, number: int, limit: int) -> list[TextSize]:
        """Return the sizes of the next texts after a document, by document."""
        rows = self.database.query(
            f"SELECT d.number, length(t.text) FROM {_WITH_TEXT} WHERE d.number > ? ORDER BY d.number LIMIT ?",
            number,
            limit,
        )
        return [TextSize._make(row) for row in rows]

    def read_records_between(self, after: int, last: int) -> list[DocumentRecord]:
        """Return the complete documents after one number, up to and including another."""
        rows = self.database.query(
            f"SELECT {_RECORD} FROM {_WITH_TEXT} WHERE d.number > ? AND d.number <= ? ORDER BY d.number", after, last
        )
        return [_record(*row) for row in rows]

    def read_distinct_sizes_after(self, node: int, limit: int) -> list[TextSize]:
        """Return the sizes of the next distinct texts after a node, by node."""
        rows = self.database.query(
            f"SELECT n.node, length(t.text) FROM {_DISTINCT} WHERE n.node > ? ORDER BY n.node LIMIT ?", node, limit
        )
        return [TextSize._make(row) for row in rows]

    def read_distinct_records_between(self, after: int, last: int) -> list[DocumentRecord]:
        """Return the documents that represent the nodes after one number, up to and including another."""
        rows = self.database.query(
            f"SELECT {_RECORD} FROM {_DISTINCT} WHERE n.node > ? AND n.node <= ? ORDER BY n.node", after, last
        )
        return [_record(*row) for row in rows]

    def find_sizes(self, ids: Sequence[bytes]) -> dict[bytes, int]:
        """Return the sizes of the stored texts of documents by id."""
        rows = self.database.query_ids(f"SELECT d.id, length(t.text) FROM {_WITH_TEXT} WHERE d.id = ?", ids)
        return {bytes(id_): size for id_, size in rows}

    def find_records(self, ids: Sequence[bytes]) -> list[DocumentRecord]:
        """Return the complete documents with these ids, in any order."""
        rows = self.database.query_ids(f"SELECT {_RECORD} FROM {_WITH_TEXT} WHERE d.id = ?", ids)
        return [_record(*row) for row in rows]


def _record(
    number: int, id_: bytes, node: int, rank: int, time: int | None, status: int, text: bytes
) -> DocumentRecord:
    return DocumentRecord(number, bytes(id_), node, rank, time, status, text)
