"""Reads the source of a migration in batches: its documents, its distinct texts and its log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from neardup.index.answers import ADDED, EVENT_KINDS, REMOVED, UPDATED
from neardup.index.linking import Linker
from neardup.index.store import Store
from neardup.index.store.documents import DocumentRecord
from neardup.index.store.encoding import unpack_id, unpack_status, unpack_text
from neardup.records import EMPTY, OK, Documents
from neardup.represent import Lexicon

BATCH_DOCUMENTS = 10_000
BATCH_BYTES = 32 << 20
"""Of stored texts, most of which are compressed."""
DOCUMENT_KINDS = [EVENT_KINDS.index(kind) for kind in (ADDED, UPDATED, REMOVED)]


def read_documents_after(store: Store, number: int) -> list[DocumentRecord]:
    """Return the next batch of documents."""
    sizes = store.documents.read_sizes_after(number, BATCH_DOCUMENTS)
    if not sizes:
        return []
    last = sizes[_count_fitting(size.size for size in sizes) - 1].key
    return store.documents.read_records_between(number, last)


def learn_lexicon(store: Store, linker: Linker) -> Lexicon | None:
    """Learn a lexicon from all distinct texts of one state of an index; None if it has no documents."""
    lexicon, after = None, -1
    with store.reading():
        while sizes := store.documents.read_distinct_sizes_after(after, BATCH_DOCUMENTS):
            last = sizes[_count_fitting(size.size for size in sizes) - 1].key
            part = linker.learn(as_documents(store.documents.read_distinct_records_between(after, last)))
            lexicon, after = part if lexicon is None else Lexicon.merge([lexicon, part]), last
    return lexicon


def read_changed_ids(store: Store, since: int, last: int) -> tuple[list[bytes], int]:
    """Return the next batch of documents that events name, and the last event that the batch covers."""
    events = store.events.read_documents(since, DOCUMENT_KINDS, BATCH_DOCUMENTS)
    ids = list(dict.fromkeys(id_ for _, id_ in events))
    sizes = store.documents.find_sizes(ids)
    chosen = ids[: _count_fitting(sizes.get(id_, 0) for id_ in ids)]
    if len(chosen) == len(ids):
        return chosen, last if len(events) < BATCH_DOCUMENTS else events[-1][0]
    known = set(chosen)
    beyond = next(number for number, id_ in events if id_ not in known)
    return chosen, beyond - 1


def describe_event(store: Store, event: int) -> str:
    """Return the content of an event as text that can be compared; an empty list if the log does not contain it."""
    found = store.events.read_one(event)
    if found is None:
        return json.dumps([])
    return json.dumps([[found.kind, bytes(found.document or b"").hex(), found.cluster, found.other]])


def _count_fitting(sizes: Iterable[int]) -> int:
    """Return how many texts of these sizes fit into a batch: at least one."""
    total = taken = 0
    for size in sizes:
        total += size
        if taken and total > BATCH_BYTES:
            break
        taken += 1
    return taken


def as_documents(records: Sequence[DocumentRecord]) -> Documents:
    """Return stored documents as a collection; whether a text has words is determined again."""
    statuses = [unpack_status(record.status) for record in records]
    html = np.array([marked for _, marked in statuses], bool)
    return Documents(
        [unpack_text(bytes(record.text)) for record in records],
        ids=pa.chunked_array([[unpack_id(record.id) for record in records]], pa.string()),
        times=pa.chunked_array([[record.time for record in records]], pa.timestamp("us", "UTC")),
        statuses=pa.chunked_array([[OK if status == EMPTY else status for status, _ in statuses]], pa.string()),
        html=html if html.any() else None,
    )
