"""Splits a collection into batches and prepares each as far as possible without reading the index."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.index.graph.corpus import nodes_of_documents, read_features, set_days
from neardup.index.keys import Integers, KeyRows
from neardup.index.linking import Linker
from neardup.index.store.encoding import encode_text, pack_id, pack_status, pack_text
from neardup.records import EMPTY, OK, Documents
from neardup.stages import Corpus, Links, Numbers

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
        return Batch(_take(self.documents, np.array(kept, np.int64)), [own[index] for index in kept], self.end)


@dataclass(frozen=True, slots=True)
class Arrival:
    """Documents to be added, and what could be computed from them alone.

    `node_of` is the index of each document's node in the corpus, -1 for a document without words. `links` are the links
    between the nodes of the corpus, None if they depend on what is stored. Documents that are not `named` have no ids
    of their own: their order decides.
    """

    ids: list[bytes]
    times: list[int | None]
    statuses: list[int]
    texts: list[bytes]
    documents: Documents
    corpus: Corpus
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
    batches, start, total = [], 0, np.cumsum(_text_sizes(documents))
    while start < len(documents):
        before = total[start - 1] if start else 0
        end = int(np.searchsorted(total, before + BATCH_BYTES, side="right"))
        end = max(start + 1, min(end, start + BATCH_DOCUMENTS, len(documents)))
        batches.append(Batch(_slice(documents, start, end), None if ids is None else ids[start:end], end))
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
    corpus = linker.survey(documents, _rank(linker.detector.keep, documents, ids, times, numbers or {}))
    node_of = nodes_of_documents(corpus, len(documents))
    if linker.dated:
        corpus = set_days(corpus, node_of, times)
    corpus = linker.with_features(corpus)
    return Arrival(
        ids,
        times,
        _pack_statuses(documents, node_of),
        [pack_text(raw) for raw in _raw_texts(documents)],
        documents,
        corpus,
        linker.keys(corpus),
        read_features(corpus),
        node_of,
        None if linker.directed else linker.link_within(corpus),
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


def _text_sizes(documents: Documents) -> Integers:
    if isinstance(documents.texts, list):
        return np.fromiter(map(len, documents.texts), np.int64, len(documents))
    sizes: Integers = pc.fill_null(pc.binary_length(documents.texts), 0).to_numpy().astype(np.int64)
    return sizes


def _raw_texts(documents: Documents) -> list[bytes]:
    """Return the texts in UTF-8; an unreadable text is empty."""
    if isinstance(documents.texts, list):
        return [encode_text(text) for text in documents.texts]
    raw: list[bytes] = pc.fill_null(pc.cast(documents.texts, pa.large_binary()), b"").to_pylist()
    return raw


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


def _slice(documents: Documents, start: int, end: int) -> Documents:
    def cut(column: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
        return None if column is None else column.slice(start, end - start)

    texts, html = documents.texts, documents.html
    return Documents(
        texts[start:end] if isinstance(texts, list) else texts.slice(start, end - start),
        ids=cut(documents.ids),
        times=cut(documents.times),
        statuses=cut(documents.statuses),
        html=None if html is None else html[start:end],
    )


def _take(documents: Documents, rows: npt.NDArray[np.int64]) -> Documents:
    chosen = pa.array(rows)

    def take(column: pa.ChunkedArray | None) -> pa.ChunkedArray | None:
        return None if column is None else column.take(chosen)

    texts, html = documents.texts, documents.html
    return Documents(
        [texts[row] for row in rows.tolist()] if isinstance(texts, list) else texts.take(chosen),
        ids=take(documents.ids),
        times=take(documents.times),
        statuses=take(documents.statuses),
        html=None if html is None else html[rows],
    )
