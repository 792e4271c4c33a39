import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from neardup.detectors import METHODS, make_detector
from neardup.engines import Job, run_local
from neardup.pipeline.results import audit
from neardup.records import Documents
from reference.examples import all_documents, make_collection, open_texts, run
from reference.runs import run_slowly


@given(st.integers(0, 400), st.integers(0, 400))
def test_interval_equals_clopper_pearson(a, b):
    successes, trials = min(a, b), max(a, b)
    low, high = audit.confidence_interval(successes, trials)
    wanted_low = 0.0 if successes == 0 else stats.beta.ppf(0.025, successes, trials - successes + 1)
    wanted_high = 1.0 if successes == trials else stats.beta.ppf(0.975, successes + 1, trials - successes)
    assert (low, high) == pytest.approx((wanted_low, wanted_high), abs=1e-9)


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (1, 1), (99_900, 100_000), (100_000, 100_000), (1, 10**5)])
def test_interval_of_many_trials(successes, trials):
    low, high = audit.confidence_interval(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert high - low < 1e-3 or trials == 1


def test_audit_counts_the_true_pairs_of_the_sample():
    records = make_collection(51, groups=30)
    settings = {"threshold": 0.5, "shingle": 2, "recall": 0.5}
    result = run("minhash", records, **settings)
    true = run_slowly("minhash", settings, records)
    found = result.audit
    assert found["true_pairs"] == len(true.links)
    assert found["found_pairs"] == result.summary["counts"]["pairs"] - (len(true.pairs) - len(true.links))
    assert found["recall"] == found["found_pairs"] / found["true_pairs"]
    assert found["low"] <= found["recall"] <= found["high"]
    assert found["sampled_documents"] == len(true.nodes)


def test_partners_are_all_nodes_that_pass_the_threshold():
    records = make_collection(52, groups=20)
    opened = open_texts([record.text for record in records])
    chosen = np.arange(0, len(records), 3, dtype=np.uint32)
    a, b, shared = opened.partners(all_documents(opened), chosen, (2, "word"), "jaccard", (1, 2))
    sets = opened.sets(all_documents(opened), (2, "word"), ("all", 1), None)
    (x, y, both), _ = sets.similar("jaccard", (1, 2), None, 2**60)
    picked = set(chosen.tolist())
    wanted = {(p, q, s) for p, q, s in zip(x.tolist(), y.tolist(), both.tolist(), strict=True)}
    wanted = {t for p, q, s in wanted for t in ((p, q, s), (q, p, s)) if t[0] in picked}
    assert set(zip(a.tolist(), b.tolist(), shared.tolist(), strict=True)) == wanted
    assert wanted


def test_sample_does_not_depend_on_the_input_order(monkeypatch):
    monkeypatch.setattr(audit, "SAMPLE", 20)
    records = make_collection(53, groups=30)
    one = run("minhash", records, threshold=0.5, shingle=2)
    other = run("minhash", records[::-1], threshold=0.5, shingle=2)
    assert one.audit == other.audit
    assert one.audit["sampled_documents"] == 20


def test_recall_is_none_without_true_pairs():
    result = run_local(make_detector("minhash", {}), Job(Documents(["a b c d e f", "g h i j k l"])))
    assert result.audit == {
        "sampled_documents": 2,
        "true_pairs": 0,
        "found_pairs": 0,
        "recall": None,
        "low": 0.0,
        "high": 1.0,
    }


@pytest.mark.parametrize("method", [method for method in METHODS if method != "minhash"])
def test_method_that_misses_nothing_is_not_audited(method):
    assert run_local(make_detector(method, {}), Job(Documents(["a", "b"]))).audit is None
