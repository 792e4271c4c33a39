"""Find the passages of a collection and describe them as tables."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.explain import rank_documents
from neardup.normalise import Normaliser
from neardup.passages.settings import PassageSettings
from neardup.pipeline import Clock, Progress, peak_memory
from neardup.records import OCCURRENCE_SCHEMA, PASSAGE_SCHEMA, RUN_FORMAT, Documents, Passages
from neardup.records.passages import METHOD
from neardup.records.text_column import encode_text
from neardup.version import VERSION

Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Located:
    """All occurrences, those parts of them that an earlier place has as well, and what the guards cut off."""

    occurrences: Occurrences
    copies: Occurrences
    guards: dict[str, int]


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The occurrences of passages, one array per property, by passage; the first of each passage leads."""

    passage: Numbers
    document: Numbers
    start: Numbers
    end: Numbers
    words: Numbers
    similarity: npt.NDArray[np.float64]
    first: Flags

    def take(self, rows: Numbers | Flags) -> Occurrences:
        """Return some of the occurrences."""
        return Occurrences(
            self.passage[rows],
            self.document[rows],
            self.start[rows],
            self.end[rows],
            self.words[rows],
            self.similarity[rows],
            self.first[rows],
        )


def find_passages(
    documents: Documents,
    settings: PassageSettings,
    sides: npt.NDArray[np.uint8] | None = None,
    *,
    threads: int = 0,
    progress: Progress | None = None,
) -> Passages:
    """Find the passages of a collection; with `sides`, what of side 0 is in side 1."""
    clock = Clock(progress, {"read": documents.seconds})
    with clock.stage("passages", len(documents)):
        texts = Normaliser(settings.form, settings.markup).for_letters().open(documents, threads)
        located = locate_passages(documents, texts, settings, sides)
    with clock.stage("tables", len(documents)):
        return describe_passages(
            documents, settings, choose_passages(located, settings, len(documents)), clock, located
        )


def describe_passages(
    documents: Documents, settings: PassageSettings, chosen: Chosen, clock: Clock, located: Located
) -> Passages:
    """Describe passages as tables, with what run.json contains."""
    tables = {
        "passages": _list_passages(documents, chosen.listed),
        "occurrences": _list_occurrences(documents, chosen.listed),
        "boilerplate": _list_passages(documents, chosen.boilerplate),
    }
    run = {
        "format": RUN_FORMAT,
        "method": METHOD,
        "settings": asdict(settings),
        "fingerprint": settings.fingerprint(),
        "version": VERSION,
        "inputs": list(documents.inputs),
        "counts": {"documents": len(documents), **documents.counts, **chosen.counts},
        "guards": located.guards,
        "notes": list(documents.notes),
        "seconds": clock.seconds,
        "peak_memory_bytes": peak_memory(),
    }
    return Passages(tables, run)


def locate_passages(
    documents: Documents,
    texts: _core.Texts,
    settings: PassageSettings,
    sides: npt.NDArray[np.uint8] | None = None,
) -> Located:
    """Find the occurrences of all passages."""
    ranks = _rank(documents, settings, sides)
    sources = None if sides is None else sides == 1
    found, copied, (_, limited) = _core.find_passages(texts, ranks, sources, settings.min_words, settings.similarity)
    occurrences, copies = _arrange(*found), _arrange(*copied)
    if sides is not None and len(occurrences.passage):
        asked = np.bincount(occurrences.passage, sides[occurrences.document] == 0) > 0
        occurrences, copies = (part.take(asked[part.passage]) for part in (occurrences, copies))
    return Located(occurrences, copies, {"places_not_compared": limited})


def _arrange(
    spans: list[npt.NDArray[np.uint32]], similarity: npt.NDArray[np.float64], first: npt.NDArray[np.bool_]
) -> Occurrences:
    passage, document, start, end, words = (column.astype(np.int64) for column in spans)
    return Occurrences(passage, document, start, end, words, similarity, first)


def _rank(
    documents: Documents, settings: PassageSettings, sides: npt.NDArray[np.uint8] | None
) -> npt.NDArray[np.uint32]:
    """Rank the documents; those that others are looked up in come first."""
    keys = [rank_documents(documents, settings.keep).astype(np.int64)]
    if settings.keep == "longest":
        keys.append(-documents.texts.lengths())
    if sides is not None:
        keys.append(-sides.astype(np.int64))
    ranks = np.empty(len(documents), np.uint32)
    ranks[np.lexsort(keys)] = np.arange(len(documents), dtype=np.uint32)
    return ranks


@dataclass(frozen=True, slots=True)
class Chosen:
    """The passages to list and the boilerplate, each numbered from 1, the copies of the former, and the counts."""

    listed: Occurrences
    boilerplate: Occurrences
    copies: Occurrences
    counts: dict[str, int]


def choose_passages(located: Located, settings: PassageSettings, documents: int) -> Chosen:
    """Tell the passages to list from boilerplate, number both by the documents that they are in, and count them."""
    found = located.occurrences
    shared = count_documents(found)
    most = settings.most_documents(documents)
    common = np.zeros(len(shared), np.bool_) if most is None else shared > most
    wanted = (shared >= settings.min_documents) & ~common
    numbers = _number(found, wanted, shared)
    listed, boilerplate = _renumber(found, numbers), _renumber(found, _number(found, common, shared))
    counts = {
        "passages": int(wanted.sum()),
        "occurrences": len(listed.passage),
        "documents_with_passages": len(np.unique(listed.document)),
        "boilerplate": int(common.sum()),
        "boilerplate_occurrences": len(boilerplate.passage),
        "in_too_few_documents": int(((shared > 0) & (shared < settings.min_documents)).sum()),
    }
    return Chosen(listed, boilerplate, _renumber(located.copies, numbers), counts)


def count_documents(found: Occurrences) -> Numbers:
    """Return how many documents each passage is in."""
    passages = int(found.passage.max(initial=-1)) + 1
    pairs = np.unique(np.stack([found.passage, found.document]), axis=1)
    return np.bincount(pairs[0], minlength=passages)


def _number(found: Occurrences, wanted: Flags, shared: Numbers) -> Numbers:
    """Number some passages from 1: those in most documents first, then the longest first; the others get 0."""
    words = np.zeros(len(wanted), np.int64)
    words[found.passage[found.first]] = found.words[found.first]
    order = np.lexsort((np.arange(len(wanted)), -words, -shared))
    order = order[wanted[order]]
    numbers = np.zeros(len(wanted), np.int64)
    numbers[order] = np.arange(1, len(order) + 1)
    return numbers


def _renumber(found: Occurrences, numbers: Numbers) -> Occurrences:
    """Return the occurrences of the numbered passages in the order of the numbers."""
    kept = found.take(numbers[found.passage] > 0)
    ordered = kept.take(np.argsort(numbers[kept.passage], kind="stable"))
    return replace(ordered, passage=numbers[ordered.passage])


def _list_passages(documents: Documents, listed: Occurrences) -> pa.Table:
    leading = listed.take(listed.first)
    count = len(leading.passage)
    texts = [
        encode_text(documents.text(document)[start:end]).decode()
        for document, start, end in zip(leading.document, leading.start, leading.end, strict=True)
    ]
    columns = [
        leading.passage,
        texts,
        leading.words,
        np.bincount(listed.passage, minlength=count + 1)[1:],
        count_documents(listed)[1:] if count else leading.words,
        _first_times(documents, listed),
    ]
    return pa.table(dict(zip(PASSAGE_SCHEMA.names, columns, strict=True)), PASSAGE_SCHEMA)


def _first_times(documents: Documents, listed: Occurrences) -> pa.Array | pa.ChunkedArray:
    """Return the earliest time of the documents of each passage; null where none has one."""
    kind = PASSAGE_SCHEMA.field("first_time").type
    count = int(listed.passage.max(initial=0))
    if documents.times is None:
        return pa.nulls(count, kind)
    times = pc.cast(documents.times.take(pa.array(listed.document)), kind)
    table = pa.table({"passage": listed.passage, "time": times})
    return table.group_by("passage").aggregate([("time", "min")]).sort_by("passage")["time_min"]


def _list_occurrences(documents: Documents, listed: Occurrences) -> pa.Table:
    columns = [
        listed.passage,
        pc.cast(documents.id_column().take(pa.array(listed.document)), pa.string()),
        listed.start,
        listed.end,
        listed.similarity,
        listed.first,
    ]
    return pa.table(dict(zip(OCCURRENCE_SCHEMA.names, columns, strict=True)), OCCURRENCE_SCHEMA)
