"""Runs a detector over a collection in this process.

Identical texts are collapsed first; everything else happens among distinct texts, which are numbered in an order that
does not depend on the input's. Labels are ready at the end of the run; tables, relations and the recall audit are made
when they are first asked for.
"""

from __future__ import annotations

import platform
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.detectors import Detector
from neardup.engines.audit import auditor
from neardup.engines.memberships import membership_table
from neardup.engines.tables import Outcome, cluster_table, pair_table
from neardup.explain import rank_documents
from neardup.records import RUN_FORMAT, Documents, Result
from neardup.stages import Corpus, Days, Grouping, Numbers, Wishes
from neardup.version import VERSION

Progress = Callable[[str, int, int | None], None]
NO_WISHES = Wishes()
MICROSECONDS_A_DAY = 86_400_000_000


@dataclass
class Clock:
    """Seconds per stage, told to the progress callback as stages begin and end."""

    progress: Progress | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[None]:
        """Time a stage."""
        if self.progress is not None:
            self.progress(name, 0, total)
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
        if self.progress is not None:
            self.progress(name, total, total)


def run_local(
    detector: Detector,
    documents: Documents,
    *,
    sides: npt.NDArray[np.uint8] | None = None,
    threads: int = 0,
    progress: Progress | None = None,
    wishes: Wishes = NO_WISHES,
    notes: tuple[str, ...] = (),
    reason: str | None = None,
) -> Result:
    """Find the clusters of a collection; with `sides`, only duplicates between the two sides count.

    `wishes` are the user's constraints between documents, for the methods that take them.
    """
    clock = Clock(progress, {"read": documents.seconds})
    recipe = detector.recipe()
    with clock.stage("collapse", len(documents)):
        ranks = rank_documents(documents, detector.keep)
        texts = detector.normaliser.open(documents, threads)
        if recipe.bodies is not None:
            texts = recipe.bodies.open(texts)
        groups = None if sides is None else sides.astype(np.uint32)
        marks = None
        if recipe.letters is not None:
            marks = recipe.letters.read(texts, documents)
            texts, groups = marks.texts, _apart(marks.groups, wishes)
        survey = texts.survey(ranks, groups, recipe.grouper.along)
        corpus = _distinct(texts, survey, ranks, sides, detector.keep, threads)
        popular = detector.keep is None and documents.times is None
        corpus = replace(corpus, marks=marks, wishes=_between_nodes(wishes, corpus), by_popularity=popular)
        if recipe.dated and documents.times is not None:
            corpus = replace(corpus, days=publication_days(documents.times, corpus))
    if recipe.terms is not None:
        with clock.stage("weigh", len(corpus)):
            corpus = replace(corpus, weighted=recipe.terms.weigh(corpus))
    if recipe.vocabulary is not None:
        with clock.stage("count", len(corpus)):
            corpus = replace(corpus, lexicon=recipe.vocabulary.learn(corpus))
    grouping = recipe.grouper.group(corpus, stage=clock.stage)
    labels, leading = _label(corpus, grouping.leaders, sides)
    outcome = Outcome(documents, recipe.grouper.scores, corpus, grouping, leading)
    run = _describe(detector, outcome, grouping, labels, clock)
    run["notes"] = [*notes, *documents.notes]
    run["reason"] = reason
    run["audit"] = auditor(corpus, recipe.grouper, grouping.links)
    tables = {
        "documents": lambda: outcome.document_table,
        "clusters": lambda: cluster_table(outcome),
        "pairs": lambda: pair_table(outcome),
    }
    if grouping.overlapping is not None:
        tables["memberships"] = lambda: membership_table(outcome)
    return Result(labels, tables, run, leading == np.arange(len(leading)))


def publication_days(times: pa.ChunkedArray, corpus: Corpus) -> Days:
    """Return the days on which the copies of each node were published; none if one of them has no date."""
    stamps = pc.cast(times.combine_chunks(), pa.int64())
    known = stamps.is_valid().to_numpy(zero_copy_only=False)
    days = pc.fill_null(stamps, 0).to_numpy(zero_copy_only=False) // MICROSECONDS_A_DAY
    node = np.full(len(days), -1, np.int64)
    node[corpus.nodes] = np.arange(len(corpus))
    node = node[corpus.survey.representatives]
    undated = np.zeros(len(corpus) + 1, bool)
    undated[node[~known]] = True
    dated = (node >= 0) & ~undated[node]
    rows = np.unique((node[dated] << 32) | (days[dated] + (1 << 31)))
    offsets = np.searchsorted(rows >> 32, np.arange(len(corpus) + 1)).astype(np.uint64)
    return offsets, ((rows & 0xFFFFFFFF) - (1 << 31)).astype(np.int32)


def _apart(groups: Numbers, wishes: Wishes) -> Numbers:
    """Give each document that cannot be with another a group of its own, so that it is collapsed with none."""
    alone = sorted({document for pair in wishes.cannot for document in pair})
    groups = groups.copy()
    groups[alone] = groups.max(initial=0) + 1 + np.arange(len(alone), dtype=np.uint32)
    return groups


def _between_nodes(wishes: Wishes, corpus: Corpus) -> Wishes:
    """Turn constraints between documents into constraints between nodes; documents without a word have none."""
    nodes = {int(document): node for node, document in enumerate(corpus.nodes)} if wishes != NO_WISHES else {}
    representatives = corpus.survey.representatives

    def translate(pairs: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        known = [(nodes.get(int(representatives[a])), nodes.get(int(representatives[b]))) for a, b in pairs]
        return tuple((a, b) for a, b in known if a is not None and b is not None)

    return Wishes(translate(wishes.must), translate(wishes.cannot), translate(wishes.family))


def _distinct(
    texts: Any,
    survey: Any,
    ranks: Numbers,
    sides: npt.NDArray[np.uint8] | None,
    keep: str | None,
    threads: int,
) -> Corpus:
    """Number the distinct texts in canonical order; count the copies of each."""
    representatives, words = survey.representatives, survey.words
    chosen = np.flatnonzero((representatives == np.arange(len(ranks), dtype=np.uint32)) & (words > 0))
    order = ranks[chosen]
    by_rank = np.lexsort((order, -words[chosen].astype(np.int64))) if keep == "longest" else np.argsort(order)
    nodes = chosen[by_rank].astype(np.uint32)
    copies = np.bincount(representatives, minlength=len(ranks))[nodes].astype(np.uint32)
    own_sides = None if sides is None else sides[nodes]
    return Corpus(texts, survey, nodes, words[nodes], copies, sides=own_sides, threads=threads)


def _label(
    corpus: Corpus, leaders: Numbers, sides: npt.NDArray[np.uint8] | None
) -> tuple[npt.NDArray[np.int64], Numbers]:
    """Number clusters by first appearance, and name the leading document of each document."""
    representatives = corpus.survey.representatives
    leading = representatives.copy()
    leading[corpus.nodes] = corpus.nodes[leaders]
    leading = leading[representatives]
    if sides is not None:
        leading = _between(sides, leading)
    appearance = np.full(len(leading), -1, np.int64)
    appearance[leading[::-1]] = np.arange(len(leading))[::-1]
    appears = np.zeros(len(leading), bool)
    appears[appearance[appearance >= 0]] = True
    first = np.flatnonzero(appears)
    labels = np.empty(len(leading), np.int64)
    labels[leading[first]] = np.arange(len(first))
    return labels[leading], leading


def _between(sides: npt.NDArray[np.uint8], leading: Numbers) -> Numbers:
    """Leave alone the documents whose cluster has none of the other collection: identical copies within one."""
    mixed = np.zeros(len(leading), bool)
    mixed[leading[sides != sides[leading]]] = True
    return np.where(mixed[leading], leading, np.arange(len(leading), dtype=np.uint32))


def _describe(
    detector: Detector,
    outcome: Outcome,
    grouping: Grouping,
    labels: npt.NDArray[np.int64],
    clock: Clock,
) -> dict[str, Any]:
    documents = outcome.documents
    counts = {
        "documents": len(documents),
        **documents.counts,
        "replaced_characters": documents.counts.get("replaced_characters", 0) + outcome.corpus.texts.replaced,
        **outcome.status_counts(),
        "distinct": len(outcome.corpus),
        "clusters": outcome.cluster_count(),
        "duplicates": len(labels) - int(labels.max(initial=-1)) - 1,
        "candidates": grouping.examined,
        "pairs": len(outcome.links.a) + outcome.exact_pairs(),
    }
    return {
        "format": RUN_FORMAT,
        "method": detector.name,
        "reason": None,
        "settings": detector.settings(),
        "fingerprint": detector.fingerprint(),
        "version": VERSION,
        "inputs": list(documents.inputs),
        "counts": counts,
        "guards": grouping.guards,
        **_name_documents(grouping.facts, documents),
        "notes": [],
        "seconds": clock.seconds,
        "peak_memory_bytes": peak_memory(),
    }


def _name_documents(facts: dict[str, Any], documents: Documents) -> dict[str, Any]:
    """Put ids in the place of document numbers in what a grouper reports."""
    ids = cache(documents.id_column)

    def named(value: Any, key: str) -> Any:
        if isinstance(value, dict):
            return {name: named(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [named(item, key) for item in value]
        return ids()[value].as_py() if key in ("document", "documents", "against") else value

    return {name: named(value, name) for name, value in facts.items()}


def peak_memory() -> int:
    """Return the largest resident size that this process has had, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024
