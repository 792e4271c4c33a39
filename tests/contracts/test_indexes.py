"""An index gives the results of a batch run over its documents, with every method, in every database."""

import pytest

from reference.model_based import run_steps

VARIANTS = [
    ("jaccard", {"threshold": 0.5, "shingle": 2}, 250),
    ("jaccard", {"threshold": 0.4, "shingle": 1, "linkage": "components"}, 120),
    ("jaccard", {"threshold": 0.5, "shingle": 2, "keep": "longest"}, 120),
    ("jaccard", {"threshold": 0.5, "shingle": 2, "keep": "latest"}, 120),
    ("jaccard", {"threshold": 0.5, "shingle": 2, "keep": "first"}, 120),
    ("exact", {}, 80),
    ("minhash", {"threshold": 0.5, "shingle": 2}, 100),
    ("minhash", {"threshold": 0.3, "shingle": 1, "recall": 0.95}, 80),
    ("simhash", {"threshold": 9, "shingle": 2}, 80),
    ("full", {"threshold": 0.4, "shingle": 2}, 80),
    ("full", {"threshold": 0.4, "shingle": 2, "denominator": "reference"}, 80),
    ("dsc", {"threshold": 0.4, "shingle": 2, "denominator": "document", "selection": "hash"}, 80),
    ("imatch", {"terms": 3, "skip": 0}, 80),
    ("simfinder", {"threshold": 0.5}, 100),
    ("simfinder", {"candidates": "fingerprints", "linkage": "components"}, 60),
    ("conrad", {"terms": 8, "reliable": 1, "days": 2, "header": "keep"}, 120),
    ("conrad", {"terms": 8, "reliable": 1, "days": 0, "header": "keep", "linkage": "components"}, 80),
]
every_variant = pytest.mark.parametrize(("method", "chosen", "steps"), VARIANTS, ids=str)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "chosen", "steps"),
    [
        ("jaccard", {"threshold": 0.5, "shingle": 2}, 120),
        ("minhash", {"threshold": 0.5, "shingle": 2}, 60),
        ("full", {"threshold": 0.4, "shingle": 2, "denominator": "reference"}, 60),
    ],
    ids=str,
)
def test_common_keys_do_not_hide_matches(url, method, chosen, steps, monkeypatch):
    monkeypatch.setattr("neardup.index.changes.common_keys.MAX_HOLDERS", 3)
    run_steps(url, method, chosen, steps, timed=True, seed=steps)


@pytest.fixture
def short_segments(monkeypatch):
    """Make segments of a few keys, so that a short test merges many of them."""
    for name, number in (("SEGMENT_ROWS", 6), ("RECENT_ROWS", 12), ("BLOCKS_AT_ONCE", 1), ("FEW_KEYS", 3)):
        monkeypatch.setattr(f"neardup.index.store.databases.segments.{name}", number)


@pytest.mark.slow
@pytest.mark.usefixtures("short_segments")
@every_variant
def test_keys_in_segments_are_found_and_removed(tmp_path, method, chosen, steps):
    run_steps(str(tmp_path / "index.db"), method, chosen, steps // 2, timed=True, seed=steps + 7)


@pytest.mark.slow
@every_variant
@pytest.mark.parametrize("timed", [True, False])
def test_index_equals_its_reference_implementation_after_every_step(url, method, chosen, steps, timed):
    run_steps(url, method, chosen, steps, timed=timed, seed=steps + timed)
