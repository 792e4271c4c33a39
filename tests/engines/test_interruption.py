"""A signal stops native work at its next checkpoint, and only the work of the thread that receives signals.

Time is processor time, so that a busy machine changes nothing: the signal comes when as much has been spent as a small
part of the work takes, and the work must end before half of it could have been done.
"""

import signal
import threading
import time

import pytest

from neardup import find

pytestmark = pytest.mark.slow

PAGE = " ".join(f"word{number}" for number in range(1_000))
SMALL = ["please save the whales now", "please save the whales now", "something else"]


class StoppedByTheTestError(Exception):
    pass


@pytest.fixture
def raise_after():
    """Give a function that makes a signal raise after some seconds of processor time."""

    def stop(number, frame):
        raise StoppedByTheTestError

    before = signal.signal(signal.SIGPROF, stop)
    yield lambda seconds: signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


def spend(work, amount):
    """Return the processor time of some work."""
    start = time.process_time()
    work(amount)
    return time.process_time() - start


def assert_stopped_early(raise_after, work, part, whole, times_the_cost):
    """Check that the whole work, which costs many times its part, is interrupted before its half."""
    work(3)  # what is loaded at the first use is no part of the measurement
    cost = spend(work, part)
    start = time.process_time()
    raise_after(cost)
    with pytest.raises(StoppedByTheTestError):
        work(whole)
    assert time.process_time() - start < cost * times_the_cost / 2


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize(
    ("method", "part"),
    [("exact", 15_000), ("minhash", 15_000), ("jaccard", 15_000), ("durian", 4_000), ("simfinder", 5_000)],
)
def test_signal_stops_the_reading_of_texts(raise_after, method, part, threads):
    assert_stopped_early(
        raise_after, lambda count: find([PAGE] * count, method, threads=threads), part, 40 * part, times_the_cost=40
    )
    assert find(SMALL, "exact", threads=threads).labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_signal_stops_the_comparison_of_pairs(raise_after, threads):
    # Texts that share half of their shingles with many others, none alike enough: only pairs cost.
    words = [f"{first} {' '.join(f'w{(first * 7 + place) % 4000}' for place in range(600))}" for first in range(3_200)]
    assert_stopped_early(
        raise_after,
        lambda count: find(words[:count], "jaccard", threshold=0.05, shingle=1, threads=threads),
        400,
        3_200,
        times_the_cost=64,
    )


def test_signal_does_not_stop_the_work_of_other_threads(raise_after):
    found, ended = [], threading.Event()

    def work():
        while not ended.is_set():
            found.append(find([PAGE] * 2_000, "exact", threads=2).labels.max())

    thread = threading.Thread(target=work)
    thread.start()
    try:
        raise_after(0.2)
        with pytest.raises(StoppedByTheTestError):
            find([PAGE] * 600_000, "exact", threads=2)
    finally:
        ended.set()
        thread.join()
    assert set(found) == {0}
