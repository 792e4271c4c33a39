"""The native functions of the concepts study compared with slow references."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from neardup.represent import Images
from neardup.reproduce.concepts.experiments.itemsets import Mined, list_rows, mine_with_peers
from neardup.reproduce.concepts.experiments.mining import make_campaign
from neardup.stages import threshold_fraction
from reference.examples import open_texts
from reference.lattices import best_split, criterion, edit_distance

letters = st.text(st.sampled_from("ab cé中"), max_size=40)


@st.composite
def near_copies(draw):
    """Draw texts, some of which are edits of others."""
    texts = draw(st.lists(letters, min_size=1, max_size=4))
    for _ in range(draw(st.integers(0, 5))):
        text = draw(st.sampled_from(texts))
        index = draw(st.integers(0, len(text)))
        texts.append(
            text[:index] + draw(st.sampled_from(["", "x", "  ", "ab"])) + text[index + draw(st.integers(0, 2)) :]
        )
    return texts


@given(near_copies(), st.sampled_from([0.0, 0.3, 0.5, 0.85, 0.9, 1.0]))
@settings(max_examples=300)
def test_edit_pairs_equal_those_of_full_dynamic_programming(texts, threshold):
    numerator, denominator = threshold_fraction(threshold) if threshold else (0, 1)
    documents = np.arange(len(texts), dtype=np.uint32)
    found = _core.edit_pairs(open_texts(texts, markup="plain"), documents, (numerator, denominator))
    folded = [" ".join(open_texts([text], markup="plain").prepared(0).split()) for text in texts]
    expected = []
    for a in range(len(texts)):
        for b in range(a + 1, len(texts)):
            distance, length = edit_distance(folded[a], folded[b]), max(len(folded[a]), len(folded[b]))
            both = bool(folded[a] and folded[b])
            if both and (distance == 0 or distance * denominator < (denominator - numerator) * length):
                expected.append((a, b, distance))
    assert sorted(zip(*(column.tolist() for column in found), strict=True)) == sorted(expected)


def test_distance_of_long_texts_is_exact():
    base = "".join(chr(97 + number * number % 23) for number in range(1000))
    edited = f"start{base[:300]}{base[330:500]}xyz{base[500:900]}{base[940:]}"
    texts = open_texts([base, edited], markup="plain")
    _, _, distances = _core.edit_pairs(texts, np.arange(2, dtype=np.uint32), (85, 100))
    assert distances.tolist() == [edit_distance(base, edited)]


@pytest.mark.parametrize("threshold", [(1, 0), (3, 2)])
def test_threshold_outside_zero_to_one_is_refused(threshold):
    with pytest.raises(ValueError, match="between 0 and 1"):
        _core.edit_pairs(open_texts(["a"]), np.zeros(1, np.uint32), threshold)


def flat(sets):
    offsets = np.cumsum([0, *map(len, sets)]).astype(np.uint64)
    return offsets, np.array([element for own in sets for element in sorted(own)], np.uint64)


@given(st.lists(st.frozensets(st.integers(0, 12), min_size=1, max_size=6), min_size=2, max_size=9))
@settings(max_examples=150)
def test_bisection_reaches_97_percent_of_optimum(sets):
    labels = _core.bisect(*flat(sets), [2], 20, 1, 0)[0].tolist()
    reached, best = criterion(sets, labels), best_split(sets)
    assert reached <= max(best, criterion(sets, [0] * len(sets))) + 1e-9
    assert reached >= 0.97 * best


def test_bisection_is_nested_and_independent_of_threads():
    rng = np.random.default_rng(5)
    sets = [frozenset((rng.integers(0, 40, 12) + 30 * (number % 5)).tolist()) for number in range(60)]
    one, two = (_core.bisect(*flat(sets), [1, 3, 5, 20, 60, 90], 10, 7, threads) for threads in (1, 2))
    for a, b, clusters in zip(one, two, [1, 3, 5, 20, 60, 90], strict=True):
        assert np.array_equal(a, b)
        assert len(set(a.tolist())) <= clusters
    for coarse, fine in pairwise(one):
        assert all(len(set(coarse[fine == label].tolist())) == 1 for label in set(fine.tolist()))
    values = [criterion(sets, labels.tolist()) for labels in one]
    assert values == sorted(values)


def test_transactions_are_documents_that_share_a_unit():
    offsets, units = flat([{1, 2, 5}, {1, 2, 3}, {3, 4, 6}, {3, 4, 7}])
    images = Images(units, offsets)
    assert list_rows(images) == [[0, 1], [0, 1], [1, 2, 3], [2, 3]]
    mined = list(mine_with_peers(images, 2, "m", seconds=600, names=["fpgrowth", "eclat"]))
    assert [run.clusters for run in mined] == [2, 2]
    assert list(mine_with_peers(images, 1, "m", seconds=600, names=["nothing"])) == [Mined("nothing", None, None)]


def test_algorithm_is_stopped_at_time_limit():
    assert list(mine_with_peers(make_campaign(100), 50, "c", seconds=0.5, names=["eclat"])) == [
        Mined("eclat", None, None)
    ]
