"""The recall audit: which share of the true pairs did candidate search find?

For a sample of documents every partner is found exactly, in one pass over the collection; the run's pairs are held
against them. The sample is chosen by hash, so it is the same for any order of the input. The interval is Clopper and
Pearson's at 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from neardup.cluster import PairGrouper
from neardup.stages import Corpus, Grouper, Links, Numbers, threshold_fraction
from neardup.verify import Overlap, WeightedOverlap

SAMPLE = 2_000


def auditor(corpus: Corpus, grouper: Grouper, links: Links) -> Callable[[], dict[str, Any]] | None:
    """Return what measures the recall of a run when it is asked for; None where nothing can have been missed."""
    if not isinstance(grouper, PairGrouper) or not grouper.audited:
        return None
    verifier = grouper.verifier
    if not isinstance(verifier, Overlap | WeightedOverlap):
        return None
    return lambda: audit_recall(corpus, verifier, links)


def audit_recall(corpus: Corpus, verifier: Overlap | WeightedOverlap, links: Links) -> dict[str, Any]:
    """Measure the recall of a run on a sample of its documents."""
    chosen = np.sort(np.argsort(corpus.survey.fingerprints[corpus.nodes])[:SAMPLE]).astype(np.uint32)
    a, b = _partners(corpus, verifier, chosen)
    if corpus.sides is not None:
        apart = corpus.sides[a] != corpus.sides[b]
        a, b = a[apart], b[apart]
    true = np.unique(np.minimum(a, b).astype(np.uint64) << np.uint64(32) | np.maximum(a, b))
    known = links.a.astype(np.uint64) << np.uint64(32) | links.b
    found = int(np.isin(true, known).sum())
    low, high = confidence_interval(found, len(true))
    return {
        "sampled_documents": len(chosen),
        "true_pairs": len(true),
        "found_pairs": found,
        "recall": found / len(true) if len(true) else None,
        "low": low,
        "high": high,
    }


def _partners(corpus: Corpus, verifier: Overlap | WeightedOverlap, chosen: Numbers) -> tuple[Numbers, Numbers]:
    """Find every pair of a chosen node with another; of weighted sets, with one that was not chosen."""
    threshold = threshold_fraction(verifier.threshold)
    if isinstance(verifier, Overlap):
        return corpus.texts.partners(corpus.nodes, chosen, verifier.shingles.run, "jaccard", threshold)[:2]
    sides = np.zeros(len(corpus), np.uint8)
    sides[chosen] = 1
    (a, b, _), _ = corpus.weighted.similar(threshold, sides, 2**63)
    return a, b


def confidence_interval(successes: int, trials: int, level: float = 0.95) -> tuple[float, float]:
    """Return Clopper and Pearson's interval for a share."""
    tail = (1 - level) / 2
    low = 0.0 if successes == 0 else _solve(lambda p: _beta_share(p, successes, trials - successes + 1), tail)
    high = 1.0 if successes == trials else _solve(lambda p: _beta_share(p, successes + 1, trials - successes), 1 - tail)
    return low, high


def _beta_share(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    fraction, upper, lower = 1.0, 1.0, 0.0
    for step in range(1000):
        half = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        else:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        lower = 1 / (1 + term * lower)
        upper = 1 + term / upper
        fraction *= upper * lower
        if abs(1 - upper * lower) < 1e-14:
            break
    return math.exp(front) * (fraction - 1) / a


def _solve(rising: Callable[[float], float], value: float) -> float:
    """Find where a rising function of a share takes a value, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2
