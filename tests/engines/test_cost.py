"""Cost does not explode, whatever the collection: each of these would be quadratic or worse for the naive program.

The limit is a number of readings of the same collection, measured in processor time, so that neither a busy machine nor
a slow one changes anything. It is generous: what explodes takes a hundred times as much.
"""

import random
import time

import pytest

import neardup
from neardup.candidates import bands, join
from neardup.detectors import METHODS, make_detector
from neardup.engines import Job, run_local
from neardup.records import Documents

READINGS = 5000
LEAST_SECONDS = 0.005
"""A reading counts as at least this much: less is noise."""
VOCABULARY = [f"w{number}" for number in range(5000)]
PAIRED = [method for method in METHODS if method != "durian"]


def run(method, texts, settings):
    """Return the result and the processor time that it took."""
    start = time.process_time()
    result = run_local(make_detector(method, settings), Job(Documents(texts)))
    return result, time.process_time() - start


def run_cheaply(method, texts, **settings):
    """Return the result of a run that costs no more than a number of readings."""
    _, reading = run("exact", texts, {})
    result, cost = run(method, texts, settings)
    assert cost < READINGS * max(reading, LEAST_SECONDS)
    return result


@pytest.mark.parametrize("method", METHODS)
def test_one_text_thirty_thousand_times_costs_thirty_thousand(method, tmp_path):
    result = run_cheaply(method, ["one text that stands here again and again " * 5] * 30_000)
    assert result.summary["counts"]["pairs"] == result.pairs.num_rows == 29_999
    assert result.summary["counts"]["candidates"] == 0
    assert not result.labels.any()
    result.save(tmp_path / "run")


@pytest.mark.slow
@pytest.mark.parametrize("method", PAIRED)
def test_a_paragraph_that_everything_shares_makes_nothing_similar(method):
    rng = random.Random(1)
    boilerplate = " ".join(rng.choices(VOCABULARY, k=60))
    texts = [f"{boilerplate} {' '.join(rng.choices(VOCABULARY, k=60))}" for _ in range(5000)]
    result = run_cheaply(method, texts)
    # Single words, of which conrad's keys are, meet more often than shingles do.
    assert result.summary["counts"]["candidates"] < 5000 * (500 if method == "conrad" else 200)
    if method != "simhash":
        assert result.summary["counts"]["clusters"] == 0


def test_audit_of_a_collection_with_boilerplate_costs_little():
    rng = random.Random(2)
    boilerplate = " ".join(rng.choices(VOCABULARY, k=120))
    texts = [f"{boilerplate} {' '.join(rng.choices(VOCABULARY, k=60))}" for _ in range(4000)]
    result, cost = run("minhash", texts, {})
    start = time.process_time()
    assert result.audit["true_pairs"] == 0
    assert time.process_time() - start < 20 * cost


def near_copies(count, seed=3):
    """Make a letter and so many copies of it in which one word is another."""
    rng = random.Random(seed)
    letter = rng.choices(VOCABULARY, k=60)
    copies = []
    for number in range(count):
        copy = list(letter)
        copy[rng.randrange(len(copy))] = f"new{number}"
        copies.append(" ".join(copy))
    return " ".join(letter), copies


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "count", "settings"),
    [
        ("full", 2000, {}),
        ("jaccard", 2500, {"threshold": 0.6}),
        ("minhash", 2000, {"threshold": 0.6}),
        ("simhash", 5000, {}),
        ("imatch", 5000, {}),
    ],
)
def test_near_copies_of_one_letter_cost_little(method, count, settings):
    letter, copies = near_copies(count)
    result = run_cheaply(method, [*copies, letter, letter], **settings)
    assert len(result.labels) == count + 2
    if method in ("full", "jaccard", "minhash"):
        assert len(result.clusters[0]) == count + 2


@pytest.mark.parametrize(
    ("method", "settings"), [("full", {}), ("jaccard", {"threshold": 0.6}), ("minhash", {"threshold": 0.6})]
)
def test_a_guarded_campaign_stays_one_and_says_what_was_cut_off(method, settings, monkeypatch):
    monkeypatch.setattr(join, "JOIN_LOOKS", 0)
    monkeypatch.setattr(bands, "SKETCH_LOOKS", 0)
    letter, copies = near_copies(1500)
    # The letter itself stands last, twice: it leads the campaign, though it is no hub of a guarded key.
    result = run_cheaply(method, [*copies, letter, letter], **settings)
    assert 0 < result.summary["guards"]["pairs_not_compared"] <= 1501 * 1500 // 2
    assert result.clusters[0].reference == "1500"
    assert len(result.clusters[0]) == 1502


def test_what_is_said_of_members_does_not_outgrow_the_collection():
    # Short texts inside a long one: each lacks nearly all of it, which need not be written out for each.
    long = " ".join(f"w{number}" for number in range(30_000))
    short = [" ".join(f"w{number}" for number in range(start, start + 12)) for start in range(0, 3600, 12)]
    result = run_cheaply("full", [long, *short], keep="longest")
    assert len(result.clusters[0]) == 301
    assert result.documents.nbytes < 20 * len(long)


def chain(length=100, words=200):
    """Make a chain of texts, each with a twentieth of its words replaced from the last."""
    rng = random.Random(5)
    text = [f"start{number}" for number in range(words)]
    texts = [" ".join(text)]
    for step in range(length):
        for place in rng.sample(range(words), words // 20):
            text[place] = f"step{step}at{place}"
        texts.append(" ".join(text))
    return texts


@pytest.mark.parametrize("method", ["jaccard", "minhash"])
def test_a_chain_is_many_stars_and_one_component(method):
    texts = chain()
    stars = neardup.find(texts, method=method, threshold=0.6, shingle=2)
    assert len(stars.clusters) > 10
    assert stars.documents["similarity"].to_numpy().min() >= 0.6
    assert max(len(cluster) for cluster in stars.clusters) < 20
    one = neardup.find(texts, method=method, threshold=0.6, shingle=2, linkage="components")
    assert not one.labels.any()
    assert one.documents["similarity"].to_numpy().min() < 0.6
