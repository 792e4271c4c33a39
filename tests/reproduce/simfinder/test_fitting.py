from math import isnan

import pytest
from scipy.stats import binomtest, linregress

from neardup.reproduce.simfinder.experiments.fitting import fit_line, wilson_interval


@pytest.mark.parametrize(("hits", "trials"), [(0, 5), (3, 7), (200, 200), (199, 200), (1, 1)])
def test_intervals_equal_those_of_scipy(hits, trials):
    theirs = binomtest(hits, trials).proportion_ci(method="wilson")
    assert wilson_interval(hits, trials) == (pytest.approx(theirs.low, abs=1e-6), pytest.approx(theirs.high, abs=1e-6))


def test_interval_without_trials_is_undefined():
    assert all(map(isnan, wilson_interval(0, 0)))


def test_lines_equal_those_of_scipy():
    xs, ys = [1.0, 2.0, 4.0, 7.0], [1.2, 1.9, 4.4, 6.8]
    line, theirs = fit_line(xs, ys), linregress(xs, ys)
    assert (line.slope, line.intercept) == (pytest.approx(theirs.slope), pytest.approx(theirs.intercept))
    assert line.explained == pytest.approx(theirs.rvalue**2)
    assert line.at(10) == pytest.approx(theirs.intercept + 10 * theirs.slope)


def test_line_through_one_point_is_undefined():
    assert isnan(fit_line([3], [4]).slope)
    assert fit_line([1, 2], [5, 5]).explained == 1.0
