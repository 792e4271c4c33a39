from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from reference.examples import everyone, make_collection, open_texts, sentences
from reference.sets import choose_shingles, jaccard, overlap, similar_pairs
from reference.tokens import read_units

thresholds = st.sampled_from([(1, 2), (3, 5), (7, 10), (4, 5), (9, 10), (19, 20), (1, 1), (1, 20), (2, 3), (33, 100)])
PASSES = {
    "jaccard": lambda limit: lambda a, b: jaccard(a, b) >= limit,
    "overlap": lambda limit: lambda a, b: overlap(a, b) > limit,
}


def join(texts, shingling, measure, threshold, sides=None, counted=True, budget=2**60):
    opened = open_texts(texts)
    counts = _core.FirstPass.counts(shingling, ("all", 1), threshold if measure == "jaccard" else None)
    survey = opened.survey(everyone(opened), everyone(opened), counts) if counted else None
    sets = opened.sets(everyone(opened), shingling, ("all", 1), survey)
    (a, b, shared), guarded = sets.similar(measure, threshold, sides, budget)
    return list(zip(a.tolist(), b.tolist(), shared.tolist(), strict=True)), guarded


def nested_loops(texts, shingling, measure, threshold, sides=()):
    size, unit = shingling
    sets = [choose_shingles(read_units(text, unit), size, unit) for text in texts]
    return similar_pairs(sets, PASSES[measure](Fraction(*threshold)), sides)


@pytest.mark.parametrize("measure", PASSES)
@given(
    texts=st.lists(sentences.map(lambda text: f"w {text}"), max_size=14),
    size=st.integers(1, 4),
    unit=st.sampled_from(["word", "char"]),
    threshold=thresholds,
    counted=st.booleans(),
)
@settings(max_examples=120)
def test_the_join_finds_what_nested_loops_find(measure, texts, size, unit, threshold, counted):
    assert join(texts, (size, unit), measure, threshold, counted=counted) == (
        nested_loops(texts, (size, unit), measure, threshold),
        (0, 0),
    )


@given(
    texts=st.lists(
        st.sampled_from(["a b c d", "A b, c d!", "a b c e", "a b c d e f", "日本語の文", "日本 語の文", "x"])
    ),
    unit=st.sampled_from(["word", "char"]),
    threshold=thresholds,
    salt=st.integers(0, 9),
)
def test_identical_texts_are_counted_once_whoever_stands_for_them(texts, unit, threshold, salt):
    opened = open_texts(texts)
    ranks = np.random.default_rng(salt).permutation(len(texts)).astype(np.uint32)
    survey = opened.survey(ranks, None, _core.FirstPass.counts((2, unit), ("all", 1), threshold))
    nodes = np.unique(survey.representatives).astype(np.uint32)
    (a, b, shared), _ = opened.sets(nodes, (2, unit), ("all", 1), survey).similar("jaccard", threshold, None, 2**60)
    chosen = [texts[node] for node in nodes.tolist()]
    assert list(zip(a.tolist(), b.tolist(), shared.tolist(), strict=True)) == nested_loops(
        chosen, (2, unit), "jaccard", threshold
    )


@pytest.mark.parametrize("measure", PASSES)
@pytest.mark.parametrize("threshold", [(1, 2), (7, 10), (4, 5), (9, 10)])
@pytest.mark.parametrize("shingling", [(1, "word"), (3, "word"), (5, "char")])
def test_a_collection_with_edits(measure, threshold, shingling):
    texts = [record.text for record in make_collection(3)]
    found, _ = join(texts, shingling, measure, threshold)
    assert found == nested_loops(texts, shingling, measure, threshold)
    assert found


@pytest.mark.parametrize("measure", PASSES)
def test_only_pairs_between_the_sides(measure):
    texts = [record.text for record in make_collection(4)]
    sides = (np.arange(len(texts)) % 2).astype(np.uint8)
    found, _ = join(texts, (2, "word"), measure, (1, 2), sides)
    assert found == nested_loops(texts, (2, "word"), measure, (1, 2), sides.tolist())
    assert found


@pytest.mark.parametrize("measure", PASSES)
@pytest.mark.parametrize(
    ("sizes", "threshold"), [((4, 5), (4, 5)), ((9, 10), (9, 10)), ((2, 3), (2, 3)), ((19, 20), (19, 20))]
)
def test_a_pair_that_stands_exactly_at_the_threshold(measure, sizes, threshold):
    words = [f"w{number}" for number in range(sizes[1])]
    texts = [" ".join(words[: sizes[0]]), " ".join(words)]
    # The smaller set lies inside the larger: its overlap is 1, their Jaccard similarity exactly the threshold.
    assert join(texts, (1, "word"), measure, threshold)[0] == [(0, 1, sizes[0])]
    half = [" ".join([*words[: sizes[1] - 1], "x"]), " ".join(words)]
    assert join(half, (1, "word"), measure, (sizes[1] - 1, sizes[1]))[0] == []


@pytest.mark.parametrize("measure", PASSES)
def test_a_small_budget_guards_and_counts_and_finds_no_false_pair(measure):
    letter = "one letter that four hundred people sent in with a word of"
    texts = [f"{letter} own{number // 2} side{number % 2}" for number in range(400)]
    found, (keys, pairs) = join(texts, (1, "word"), measure, (1, 2), budget=2_000)
    everything = nested_loops(texts, (1, "word"), measure, (1, 2))
    assert set(found) <= set(everything)
    assert keys > 0
    assert pairs > 0
    twins = {(number, number + 1) for number in range(0, 400, 2)}
    assert twins <= {(a, b) for a, b, _ in found}


@pytest.mark.parametrize("threshold", [(0, 1), (2, 1), (1, 2**25), (0, 0)])
def test_thresholds_that_are_no_share_are_refused(threshold):
    with pytest.raises(ValueError, match="above 0 and at most 1"):
        join(["a"], (1, "word"), "jaccard", threshold)
