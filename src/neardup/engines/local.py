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
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.cluster import find_leaders
from neardup.detectors import Detector
from neardup.engines.audit import audit_recall
from neardup.engines.tables import Outcome, cluster_table, pair_table
from neardup.explain import leading_order, rank_documents
from neardup.records import RUN_FORMAT, Documents, Result
from neardup.stages import Candidates, Corpus, Numbers
from neardup.version import VERSION

Progress = Callable[[str, int, int | None], None]


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
    notes: tuple[str, ...] = (),
    reason: str | None = None,
) -> Result:
    """Find the clusters of a collection; with `sides`, only duplicates between the two sides count."""
    clock = Clock(progress)
    recipe = detector.recipe()
    ranks = rank_documents(documents, detector.keep)
    with clock.stage("collapse", len(documents)):
        texts = detector.normaliser.open(documents, threads)
        groups = None if sides is None else sides.astype(np.uint32)
        survey = texts.survey(ranks, groups, recipe.candidates.along)
        corpus, copies = _distinct(texts, survey, ranks, sides, detector.keep, threads)
    with clock.stage("candidates", len(corpus)):
        candidates = recipe.candidates.pairs(corpus)
    with clock.stage("verify", len(candidates.a)):
        links = recipe.verifier.link(corpus, candidates)
    with clock.stage("cluster", len(corpus)):
        order = leading_order(links, copies, by_popularity=detector.keep is None and documents.times is None)
        leaders = find_leaders(detector.linkage, links, _side_first(corpus, order))
        labels, leading = _label(corpus, leaders, sides)
    outcome = Outcome(documents, recipe.verifier, corpus, links, leaders, leading)
    run = _describe(detector, outcome, candidates, labels, clock)
    run["notes"] = [*notes, *documents.said]
    run["reason"] = reason
    run["audit"] = (lambda: audit_recall(corpus, recipe, links)) if recipe.audited else None
    tables = {
        "documents": lambda: outcome.document_table,
        "clusters": lambda: cluster_table(outcome),
        "pairs": lambda: pair_table(outcome),
    }
    return Result(labels, tables, run, leading == np.arange(len(leading)))


def _distinct(
    texts: Any,
    survey: Any,
    ranks: Numbers,
    sides: npt.NDArray[np.uint8] | None,
    keep: str | None,
    threads: int,
) -> tuple[Corpus, npt.NDArray[np.int64]]:
    """Number the distinct texts in canonical order; count the copies of each."""
    representatives, words = survey.representatives, survey.words
    chosen = np.flatnonzero((representatives == np.arange(len(ranks), dtype=np.uint32)) & (words > 0))
    order = ranks[chosen]
    by_rank = np.lexsort((order, -words[chosen].astype(np.int64))) if keep == "longest" else np.argsort(order)
    nodes = chosen[by_rank].astype(np.uint32)
    copies = np.bincount(representatives, minlength=len(ranks))[nodes]
    corpus = Corpus(texts, survey, nodes, words[nodes], None if sides is None else sides[nodes], threads)
    return corpus, copies


def _side_first(corpus: Corpus, order: Numbers) -> Numbers:
    """Let the other collection lead: what is looked for is copies of its texts."""
    if corpus.sides is None:
        return order
    return order[np.argsort(corpus.sides[order] == 0, kind="stable")]


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
    first, numbers = np.unique(leading, return_inverse=True)
    appearance = np.full(len(first), len(leading), np.int64)
    np.minimum.at(appearance, numbers, np.arange(len(leading)))
    labels = np.empty(len(first), np.int64)
    labels[np.argsort(appearance, kind="stable")] = np.arange(len(first))
    return labels[numbers], leading


def _between(sides: npt.NDArray[np.uint8], leading: Numbers) -> Numbers:
    """Leave alone the documents whose cluster has none of the other collection: identical copies within one."""
    mixed = np.zeros(len(leading), bool)
    mixed[leading[sides != sides[leading]]] = True
    return np.where(mixed[leading], leading, np.arange(len(leading), dtype=np.uint32))


def _describe(
    detector: Detector,
    outcome: Outcome,
    candidates: Candidates,
    labels: npt.NDArray[np.int64],
    clock: Clock,
) -> dict[str, Any]:
    documents = outcome.documents
    sizes = np.bincount(labels)
    clusters = int((sizes > 1).sum())
    counts = {
        "documents": len(documents),
        **documents.counts,
        **outcome.status_counts(),
        "distinct": len(outcome.corpus),
        "clusters": clusters,
        "duplicates": int(sizes[sizes > 1].sum()) - clusters,
        "candidates": candidates.examined,
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
        "guards": candidates.guards,
        "notes": [],
        "seconds": clock.seconds,
        "peak_memory_bytes": peak_memory(),
    }


def peak_memory() -> int:
    """Return the largest resident size that this process has had, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024
