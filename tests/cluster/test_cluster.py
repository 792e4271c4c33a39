import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from neardup.cluster import find_leaders
from neardup.stages import Links
from reference import groups


@st.composite
def linked(draw):
    """Draw nodes, their order, and similarities of some pairs, many of them equal."""
    nodes = draw(st.integers(0, 12))
    order = draw(st.permutations(range(nodes)))
    pairs = [(a, b) for b in range(nodes) for a in range(b)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=24)) if pairs else []
    return order, {pair: draw(st.sampled_from([0.5, 0.75, 1.0])) for pair in sorted(chosen)}


def columns(similarities):
    a, b = np.array(list(similarities), np.uint32).reshape(-1, 2).T.copy()
    return a, b, np.array(list(similarities.values()))


@given(linked())
@settings(max_examples=200)
def test_components_equal_the_reference_implementation(example):
    order, similarities = example
    a, b, _ = columns(similarities)
    assert _core.components(len(order), a, b).tolist() == groups.components(len(order), list(similarities))


@given(linked())
@settings(max_examples=200)
def test_stars_equal_the_reference_implementation(example):
    order, similarities = example
    leaders = _core.stars(np.array(order, np.uint32), *columns(similarities)).tolist()
    assert leaders == groups.stars(order, similarities)
    for node, leader in enumerate(leaders):
        assert leaders[leader] == leader
        assert node == leader or (min(node, leader), max(node, leader)) in similarities


@given(linked())
def test_component_is_led_by_its_first_node_in_the_order(example):
    order, similarities = example
    leaders = find_leaders(
        "components", Links(*columns(similarities), ("jaccard",)), np.array(order, np.uint32)
    ).tolist()
    named = groups.components(len(order), list(similarities))
    for node, leader in enumerate(leaders):
        assert leader == next(other for other in order if named[other] == named[node])


def test_long_chain_is_one_component():
    nodes = 200_000
    a = np.arange(nodes - 1, dtype=np.uint32)[::-1].copy()
    assert not _core.components(nodes, a, a + np.uint32(1)).any()


@pytest.mark.parametrize(
    ("order", "a", "b", "scores"),
    [([0, 5], [], [], []), ([0, 1], [2], [0], [1.0]), ([0, 1], [0], [1], []), ([0, 1], [0], [], [])],
)
def test_inconsistent_numbers_are_refused(order, a, b, scores):
    with pytest.raises(ValueError, match=r"not below|similarity|same length"):
        _core.stars(np.array(order, np.uint32), np.array(a, np.uint32), np.array(b, np.uint32), np.array(scores, float))
