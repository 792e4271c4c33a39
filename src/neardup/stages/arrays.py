"""The types of the flat arrays, and the few conversions that every stage shares."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.uint32]
Scores = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Sides = npt.NDArray[np.uint8]

Days = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]
"""The publication days of each node, counted from 1970: offsets (one more than nodes) and values."""


def undated(nodes: int) -> Days:
    """Return the days of nodes without any publication date."""
    return np.zeros(nodes + 1, np.uint64), np.zeros(0, np.int32)


@cache
def threshold_fraction(threshold: float) -> tuple[int, int]:
    """Return the threshold as the fraction that its decimal notation means, so that bounds are exact integers."""
    fraction = Fraction(str(threshold)).limit_denominator(1_000_000) or Fraction(1, 1_000_000)
    return fraction.numerator, fraction.denominator
