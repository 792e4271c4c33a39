"""Statistics of the tables: the confidence interval of a share, and a straight line through points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

NINETY_FIVE = 1.959964
"""The number of standard deviations around the mean that contain 95 % of a normal distribution."""


def wilson_interval(hits: int, trials: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a share (Wilson 1927), which is valid for few trials too."""
    if not trials:
        return nan, nan
    share, square = hits / trials, NINETY_FIVE**2
    centre = share + square / (2 * trials)
    spread = NINETY_FIVE * sqrt(share * (1 - share) / trials + square / (4 * trials**2))
    whole = 1 + square / trials
    return max(0.0, (centre - spread) / whole), min(1.0, (centre + spread) / whole)


@dataclass(frozen=True, slots=True)
class Line:
    """The line of least squares through points, and the share of the variance that it explains."""

    slope: float
    intercept: float
    explained: float

    def at(self, x: float) -> float:
        """Return the value of the line at x."""
        return self.intercept + self.slope * x


def fit_line(xs: Sequence[float], ys: Sequence[float]) -> Line:
    """Fit a line to two points or more; NaN for fewer."""
    x, y = np.asarray(xs, float), np.asarray(ys, float)
    if len(np.unique(x)) < 2:
        return Line(nan, nan, nan)
    slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
    intercept = float(y.mean() - slope * x.mean())
    variance = float(((y - y.mean()) ** 2).sum())
    left = float(((y - slope * x - intercept) ** 2).sum())
    return Line(slope, intercept, 1 - left / variance if variance else 1.0)
