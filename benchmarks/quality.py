"""Measure the quality of an answer: its pairs and clusters against the exact ones, without listing pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from oracle import WORDLESS, Truth

Integers = NDArray[np.int64]


def count_pairs(sizes: Integers) -> int:
    """Return the number of pairs inside groups of these sizes."""
    return int((sizes * (sizes - 1) // 2).sum())


def share(part: int, whole: int) -> float:
    """Return the share, or 1 if there was nothing to find."""
    return part / whole if whole else 1.0


def compare_clusters(labels: Integers, expected: Integers) -> dict[str, float]:
    """Return precision and recall of the pairs of documents in the same cluster."""
    ours = np.unique(labels, return_inverse=True)[1]
    theirs = np.unique(expected, return_inverse=True)[1]
    together = np.unique(ours * (theirs.max() + 1) + theirs, return_counts=True)[1]
    right = count_pairs(together)
    return {
        "precision": share(right, count_pairs(np.bincount(ours))),
        "recall": share(right, count_pairs(np.bincount(theirs))),
        "clusters": int(ours.max()) + 1,
    }


def compare_pairs(pairs: Integers, similarities: NDArray[np.float64], truth: Truth) -> dict[str, float]:
    """Return precision and recall of a table of pairs, where n identical texts count as n - 1 pairs.

    Also return the largest error in the similarity of a correct pair.
    """
    numbers = np.sort(truth.distinct[pairs], axis=1)
    identical = numbers[:, 0] == numbers[:, 1]
    groups = np.bincount(truth.distinct[truth.distinct != WORDLESS])
    right = int(np.minimum(np.bincount(numbers[identical, 0], minlength=len(groups)), groups - 1).sum())
    width = len(groups) + 1
    found, first = np.unique(numbers[~identical] @ np.array([width, 1]), return_index=True)
    exact = truth.pairs @ np.array([width, 1])
    _, ours, theirs = np.intersect1d(found, exact, assume_unique=True, return_indices=True)
    error = np.abs(similarities[~identical][first][ours] - truth.similarities[theirs]).max(initial=0.0)
    right += len(ours)
    return {
        "pair_precision": share(right, len(pairs)),
        "pair_recall": share(right, len(exact) + int((groups - 1).sum())),
        "similarity_error": float(error),
    }
