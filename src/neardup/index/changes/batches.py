"""Splits a collection into batches and prepares each as far as possible without reading the index."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.index.keys import Integers, KeyRows
from neardup.index.linking import AnyRepresented, Linker
from neardup.index.store.encoding import pack_id, pack_status, pack_text
from neardup.records import EMPTY, OK, Documents
from neardup.stages import Links, Numbers

BATCH_DOCUMENTS = 25_000
BATCH_BYTES = 128 << 20
_LAST = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True)
class Batch:
    """Documents that are written in one transaction, with their packed ids; None if they have no ids.

    `end` is the number of documents of the collection up to the end of this batch.
    """

    documents: Documents
    ids: list[bytes] | None
    end: int

    def without(self, ids: Collection[bytes]) -> Batch:
        """Leave out the documents with these ids."""
        own = self.ids or []
        kept = [index for index, name in enumerate(own) if name not in ids]
        return Batch(self.documents.take(np.array(kept, np.int64)), [own[index] for index in kept], self.end)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Documents to be added, and what could be computed from them alone.

    `node_of` is the index of each document's node in the corpus, -1 for a document without words. `links` are the links
    between the nodes of the batch, None if they depend on what is stored. Documents that are not `named` have no ids
    of their own: their order decides.
    """

    ids: list[bytes]
    times: list[int | None]
    statuses: list[int]
    texts: list[bytes]
    documents: Documents
    represented: AnyRepresented
    keys: KeyRows
    features: list[bytes]
    node_of: Integers
    links: Links | None
    named: bool = True

    def __len__(self) -> int:
        return len(self.ids)

    def with_ids(self, ids: list[bytes]) -> Arrival:
        """Return the same documents with other ids."""
        return replace(self, ids=ids)


def pack_ids(documents: Documents) -> list[bytes] | None:
    """Return the packed ids of a collection; None if it has none."""
    return None if documents.ids is None else [pack_id(name) for name in documents.ids.to_pylist()]


def split_documents(documents: Documents, ids: list[bytes] | None) -> list[Batch]:
    """Split a collection into batches of bounded number and size."""
    batches, start, total = [], 0, np.cumsum(documents.texts.sizes())
    while start < len(documents):
        before = total[start - 1] if start else 0
        end = int(np.searchsorted(total, before + BATCH_BYTES, side="right"))
        end = max(start + 1, min(end, start + BATCH_DOCUMENTS, len(documents)))
        batches.append(Batch(documents.slice(start, end), None if ids is None else ids[start:end], end))
        start = end
    return batches


def prepare(linker: Linker, batch: Batch, numbers: Mapping[bytes, int] | None = None) -> Arrival:
    """Read texts, collapse identical ones, and compute keys, features and the links between them.

    `numbers` are those of documents that are stored already; under `keep="first"` they come before new ones.
    """
    documents = batch.documents
    named = batch.ids is not None
    ids = batch.ids if batch.ids is not None else [pack_id(name) for name in documents.id_column().to_pylist()]
    times = _read_times(documents)
    represented = linker.represent(documents, _rank(linker.detector.keep, documents, ids, times, numbers or {}))
    node_of = represented.node_of_documents()
    return Arrival(
        ids,
        times,
        _pack_statuses(documents, node_of),
        [pack_text(raw) for raw in documents.texts.encoded()],
        documents,
        represented,
        linker.keys(represented),
        represented.stored_features(),
        node_of,
        None if linker.directed else linker.link_within(represented),
        named,
    )


def _rank(
    keep: str | None,
    documents: Documents,
    ids: list[bytes],
    times: list[int | None],
    numbers: Mapping[bytes, int],
) -> Numbers:
    """Rank documents: of identical ones, the one of the lowest rank represents the others."""
    ranks = np.empty(len(ids), np.uint32)
    if keep == "first" or (documents.ids is None and documents.times is None):
        order = sorted(range(len(ids)), key=lambda index: (numbers.get(ids[index], _LAST), index))
    else:
        sign = -1 if keep == "latest" else 1
        order = sorted(
            range(len(ids)), key=lambda index: ((time := times[index]) is None, sign * (time or 0), ids[index])
        )
    ranks[order] = np.arange(len(ids), dtype=np.uint32)
    return ranks


def _read_times(documents: Documents) -> list[int | None]:
    if documents.times is None:
        return [None] * len(documents)
    times: list[int | None] = pc.cast(documents.times, pa.int64()).to_pylist()
    return times


def _pack_statuses(documents: Documents, node_of: Integers) -> list[int]:
    known = [OK] * len(documents) if documents.statuses is None else documents.statuses.to_pylist()
    html = np.zeros(len(documents), bool) if documents.html is None else documents.html
    wordless = (node_of < 0).tolist()
    return [
        pack_status(EMPTY if empty and status == OK else status, html=marked)
        for status, empty, marked in zip(known, wordless, html.tolist(), strict=True)
    ]
