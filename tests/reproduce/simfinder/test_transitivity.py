from itertools import combinations

import numpy as np
import pytest

from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.simfinder.experiments.transitivity import (
    draw_numbers,
    gather_components,
    gather_partners,
    split_number,
)


def links_of(pairs):
    a, b = np.ascontiguousarray(np.array(pairs, np.uint32).reshape(-1, 2).T)
    return a, b


def pairs_of(drawn):
    return sorted((min(a, b), max(a, b)) for a, b in zip(*(side.tolist() for side in drawn), strict=True))


def test_pair_numbers_enumerate_all_pairs():
    assert [split_number(number) for number in range(6)] == [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    assert split_number(10**12)[0] < split_number(10**12)[1]


def test_drawn_numbers_are_distinct():
    assert draw_numbers(5, 10, RandomStream(1, "x")) == [0, 1, 2, 3, 4]
    for end in (30, 10**9):
        drawn = draw_numbers(end, 20, RandomStream(1, "x"))
        assert len(set(drawn)) == 20
        assert max(drawn) < end


def test_chain_has_potential_pairs_by_two_links_and_by_more():
    chain = links_of([(0, 1), (1, 2), (2, 3), (5, 6)])
    by_two, by_any = gather_partners(7, *chain), gather_components(7, *chain)
    assert (by_two.pairs, by_any.pairs) == (2, 7)
    assert pairs_of(by_two.draw(100, RandomStream(1, "x"))) == [(0, 2), (1, 3)]
    assert pairs_of(by_any.draw(100, RandomStream(1, "x"))) == [*combinations(range(4), 2), (5, 6)]


@pytest.mark.parametrize("gather", [gather_partners, gather_components])
def test_nothing_is_drawn_without_links(gather):
    assert gather(3, *links_of([])).pairs == 0
    assert len(gather(3, *links_of([])).draw(10, RandomStream(1, "x"))[0]) == 0


def test_every_pair_is_drawn_with_same_probability():
    star = links_of([(0, other) for other in range(1, 12)])
    counts = np.zeros((12, 12), int)
    for seed in range(300):
        np.add.at(counts, gather_partners(12, *star).draw(5, RandomStream(seed, "x")), 1)
    drawn = (counts + counts.T)[np.triu_indices(12, 1)]
    drawn = drawn[drawn > 0]
    assert len(drawn) == 55
    assert drawn.sum() == 1500
    assert drawn.min() > 10
    assert drawn.max() < 55
