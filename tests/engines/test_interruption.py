"""A signal stops native work at its next checkpoint, and only the work of the thread that signals come to."""

import signal
import threading
import time

import pytest

from neardup import find

PAGE = " ".join(f"word{number}" for number in range(1_000))
"""Read a million times it takes far longer than any of these tests may."""
MANY = [PAGE] * 1_000_000
PROMPT_SECONDS = 4
SMALL = ["please save the whales now", "please save the whales now", "something else"]


class StoppedByTheTestError(Exception):
    pass


@pytest.fixture
def ring():
    """Give a function that lets a signal raise after some seconds."""

    def stop(number, frame):
        raise StoppedByTheTestError

    before = signal.signal(signal.SIGALRM, stop)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def stop_soon(ring, work):
    ring(0.3)
    start = time.perf_counter()
    with pytest.raises(StoppedByTheTestError):
        work()
    assert time.perf_counter() - start < PROMPT_SECONDS


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("method", ["exact", "minhash", "jaccard", "durian", "simfinder"])
def test_a_signal_stops_the_reading_of_texts(ring, method, threads):
    stop_soon(ring, lambda: find(MANY, method, threads=threads))
    assert find(SMALL, "exact", threads=threads).labels.tolist() == [0, 0, 1]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_stops_the_comparing_of_pairs(ring, threads):
    # Texts that share half of their shingles with many others, none alike enough: only pairs cost.
    words = [f"{first} {' '.join(f'w{(first * 7 + place) % 4000}' for place in range(600))}" for first in range(4_000)]
    stop_soon(ring, lambda: find(words, "jaccard", threshold=0.05, shingle=1, threads=threads))


def test_the_work_of_other_threads_goes_on(ring):
    found, ended = [], threading.Event()

    def work():
        while not ended.is_set():
            found.append(find([PAGE] * 2_000, "exact", threads=2).labels.max())

    thread = threading.Thread(target=work)
    thread.start()
    try:
        stop_soon(ring, lambda: find(MANY, "exact", threads=2))
    finally:
        ended.set()
        thread.join()
    assert set(found) == {0}
