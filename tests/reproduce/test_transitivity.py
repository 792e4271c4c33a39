from itertools import combinations

import numpy as np
import pytest

from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.simfinder.transitivity import (
    draw_numbers,
    gather_components,
    gather_partners,
    split_number,
)
from neardup.stages import Links


def links_of(pairs):
    a, b = np.ascontiguousarray(np.array(pairs, np.uint32).reshape(-1, 2).T)
    return Links(a, b, np.ones(len(a)), ("degree",))


def pairs_of(drawn):
    return sorted((min(a, b), max(a, b)) for a, b in zip(*(side.tolist() for side in drawn), strict=True))


def test_numbers_stand_for_pairs():
    assert [split_number(number) for number in range(6)] == [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    assert split_number(10**12)[0] < split_number(10**12)[1]


def test_numbers_are_different_and_all_of_few():
    assert draw_numbers(5, 10, Chance(1, "x")) == [0, 1, 2, 3, 4]
    for end in (30, 10**9):
        drawn = draw_numbers(end, 20, Chance(1, "x"))
        assert len(set(drawn)) == 20
        assert max(drawn) < end


def test_a_chain_has_potential_pairs_by_two_links_and_by_more():
    chain = links_of([(0, 1), (1, 2), (2, 3), (5, 6)])
    by_two, by_any = gather_partners(7, chain), gather_components(7, chain)
    assert (by_two.pairs, by_any.pairs) == (2, 7)
    assert pairs_of(by_two.draw(100, Chance(1, "x"))) == [(0, 2), (1, 3)]
    assert pairs_of(by_any.draw(100, Chance(1, "x"))) == [*combinations(range(4), 2), (5, 6)]


@pytest.mark.parametrize("gather", [gather_partners, gather_components])
def test_without_links_there_is_nothing_to_draw(gather):
    assert gather(3, links_of([])).pairs == 0
    assert len(gather(3, links_of([])).draw(10, Chance(1, "x"))[0]) == 0


def test_every_pair_has_the_same_chance():
    star = links_of([(0, other) for other in range(1, 12)])
    counts = np.zeros((12, 12), int)
    for seed in range(300):
        np.add.at(counts, gather_partners(12, star).draw(5, Chance(seed, "x")), 1)
    drawn = (counts + counts.T)[np.triu_indices(12, 1)]
    drawn = drawn[drawn > 0]
    assert len(drawn) == 55
    assert drawn.sum() == 1500
    assert drawn.min() > 10
    assert drawn.max() < 55
