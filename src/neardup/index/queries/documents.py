"""Documents and events as they are stored."""

from __future__ import annotations

import pyarrow as pa

from neardup.index.answers import EVENT_KINDS, Event, StoredDocument
from neardup.index.queries.snapshot import Snapshot
from neardup.index.store import Store
from neardup.index.store.encoding import unpack_id, unpack_status, unpack_text, unpack_time


def read_document(snapshot: Snapshot, id_: bytes) -> StoredDocument:
    """Return a stored document; raise IdNotFound if there is no such id."""
    found = snapshot.find(id_)
    return StoredDocument(
        unpack_id(id_),
        unpack_text(snapshot.store.documents.read_text(found.number)),
        unpack_time(found.time),
        unpack_status(found.status)[0],
        snapshot.cluster_of(found.node),
        snapshot.around.leader(found.node).first == found.number,
    )


def list_documents(store: Store) -> pa.Table:
    """Return a table of all documents."""
    rows = store.documents.read_memberships()
    return pa.table(
        {
            "id": pa.array([unpack_id(row.id) for row in rows], pa.string()),
            "cluster": pa.array([row.cluster for row in rows], pa.int64()),
            "reference": pa.array([unpack_id(row.reference) for row in rows], pa.string()),
            "status": pa.array([unpack_status(row.status)[0] for row in rows], pa.string()),
        }
    )


def read_events(store: Store, since: int, limit: int | None) -> tuple[Event, ...]:
    """Return the events after the one with this number."""
    return tuple(
        Event(number, EVENT_KINDS[kind], cluster, None if document is None else unpack_id(document), other)
        for number, (kind, document, cluster, other) in store.events.read(since, limit)
    )
