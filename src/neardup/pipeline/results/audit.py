"""The recall audit: the share of the true pairs that candidate search found.

For a sample of documents every partner is found exactly, in one pass over the collection, and compared with the pairs
of the run. The sample is chosen by hash, so it does not depend on the order of the input. The interval is Clopper and
Pearson's at 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from neardup.pipeline.steps import Audit, Run
from neardup.stages import Links, Nodes

SAMPLE = 2_000

Recall = dict[str, int | float | None]


def auditor(run: Run) -> Callable[[], Recall | None] | None:
    """Return a function that measures the recall of a run; None where nothing can have been missed."""
    audit = run.audit
    if audit is None:
        return None
    return lambda: measure_recall(run.distinct.nodes, run.grouping.links, audit)


def measure_recall(nodes: Nodes, links: Links, audit: Audit) -> Recall | None:
    """Measure the recall of links on a sample of the nodes; None if the verifier offers no audit."""
    chosen = np.sort(np.argsort(nodes.fingerprints)[:SAMPLE]).astype(np.uint32)
    partners = audit(chosen)
    if partners is None:
        return None
    a, b = partners
    if nodes.sides is not None:
        apart = nodes.sides[a] != nodes.sides[b]
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
