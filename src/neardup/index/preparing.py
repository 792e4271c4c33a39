"""Documents are made ready for an index, as far as that needs no look at it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup.index.linking import Linker, join_days
from neardup.index.packing import day_of, pack_id, pack_status, pack_text
from neardup.index.tables import Row
from neardup.index.writing import Arrival
from neardup.records import EMPTY, OK, Documents
from neardup.stages import Numbers

BATCH_DOCUMENTS = 25_000
BATCH_BYTES = 128 << 20


@dataclass(frozen=True, slots=True)
class Incoming:
    """A stretch of a collection that is written at once; `end` is where it ends in the collection."""

    documents: Documents
    end: int

    def without(self, ids: Collection[bytes]) -> Incoming:
        """Leave out the documents of these ids."""
        names = self.documents.id_column().to_pylist()
        kept = np.array([pack_id(name) not in ids for name in names], bool)
        return Incoming(self.documents.take(np.flatnonzero(kept)), self.end)

    def number(self, arrival: Arrival, names: list[str]) -> Arrival:
        """Give documents without ids these names."""
        return replace(arrival, ids=[pack_id(name) for name in names])


def cut(documents: Documents) -> list[Incoming]:
    """Cut a collection into stretches of bounded number and size."""
    parts, start, total = [], 0, np.cumsum(documents.texts.sizes())
    while start < len(documents):
        behind = total[start - 1] if start else 0
        end = int(np.searchsorted(total, behind + BATCH_BYTES, side="right"))
        end = max(start + 1, min(end, start + BATCH_DOCUMENTS, len(documents)))
        parts.append(Incoming(documents.slice(start, end), end))
        start = end
    return parts


def prepare(linker: Linker, part: Incoming, known: Mapping[bytes, Row] | None = None) -> Arrival:
    """Read texts, collapse them, and work out keys, features and links among them.

    Where the first that came leads, `known` documents keep the place that they have.
    """
    documents = part.documents
    ids = [pack_id(name) for name in documents.id_column().to_pylist()]
    times = _times(documents)
    ranks = _rank(linker, documents, ids, times, known or {})
    corpus = linker.survey(documents, ranks)
    places = np.full(len(ids), -1, np.int64)
    places[corpus.nodes] = np.arange(len(corpus))
    at = places[corpus.survey.representatives]
    if linker.dated:
        days: list[set[int]] = [set() for _ in range(len(corpus))]
        for place, time in zip(at.tolist(), times, strict=True):
            if place >= 0:
                days[place].add(day_of(time))
        corpus = replace(corpus, days=join_days([list(each) for each in days]))
    corpus = linker.with_features(corpus)
    return Arrival(
        ids,
        times,
        _statuses(documents, at),
        [pack_text(raw) for raw in documents.texts.encoded()],
        documents,
        corpus,
        linker.keys(corpus),
        [] if corpus.features is None else corpus.features.split(),
        at,
        None if linker.directed else linker.link_within(corpus),
        documents.ids is not None,
    )


def _rank(
    linker: Linker, documents: Documents, ids: list[bytes], times: list[int | None], known: Mapping[bytes, Row]
) -> Numbers:
    """Rank documents as they lead: 0 for the one that stands for all that are identical to it."""
    keep = linker.detector.keep
    ranks = np.empty(len(ids), np.uint32)
    if keep == "first" or (documents.ids is None and documents.times is None):
        old = [known[name][0] if name in known else np.iinfo(np.int64).max for name in ids]
        order = sorted(range(len(ids)), key=lambda place: (old[place], place))
    else:
        sign = -1 if keep == "latest" else 1
        order = sorted(
            range(len(ids)), key=lambda place: ((time := times[place]) is None, sign * (time or 0), ids[place])
        )
    ranks[order] = np.arange(len(ids), dtype=np.uint32)
    return ranks


def _times(documents: Documents) -> list[int | None]:
    if documents.times is None:
        return [None] * len(documents)
    times: list[int | None] = pc.cast(documents.times, pa.int64()).to_pylist()
    return times


def _statuses(documents: Documents, at: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    known = [OK] * len(documents) if documents.statuses is None else documents.statuses.to_pylist()
    html = np.zeros(len(documents), bool) if documents.html is None else documents.html
    wordless = (at < 0).tolist()
    return [
        pack_status(EMPTY if empty and status == OK else status, html=marked)
        for status, empty, marked in zip(known, wordless, html.tolist(), strict=True)
    ]
