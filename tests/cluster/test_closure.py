"""The closure of constraints: Figure 2 of Yang & Callan 2006, brute force, conflicts."""

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from neardup.cluster import Closure

A, A1, A2, B, B1, B2 = range(6)


def test_closure_gives_the_links_of_figure_2():
    # I: three family-links among six documents. II: one cannot-link between the references, two must-links.
    closure = Closure(must=[(A, A1), (B, B1)], cannot=[(A, B)], family=[(A1, A2), (B1, B2), (A1, B1)])
    # III: what follows.
    assert closure.must(A, A1)
    assert closure.must(B, B1)
    assert all(closure.cannot(x, y) for x in (A, A1) for y in (B, B1))
    assert closure.family(A, A2)
    assert closure.family(A1, A2)
    assert closure.family(B, B2)
    assert closure.family(B1, B2)
    # The family-link between the two sides is gone: it became a cannot-link.
    assert not closure.family(A1, B1)
    assert [(c.kind, c.a, c.b) for c in closure.conflicts] == [("family", A1, B1)]


def brute_force(must, cannot):
    """Close must under itself and cannot under must, pair by pair, on links without contradictions."""
    same = {frozenset(pair) for pair in must if pair[0] != pair[1]}
    apart = {frozenset(pair) for pair in cannot}
    grown = True
    while grown:
        grown = False
        for x, y in itertools.product(list(same), list(same)):
            if x != y and len(x & y) == 1 and (x ^ y) not in same:
                same.add(x ^ y)
                grown = True
        for x, y in itertools.product(list(apart), list(same)):
            if x != y and len(x & y) == 1 and (x ^ y) not in apart:
                apart.add(x ^ y)
                grown = True
    return same, apart


LINKS = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(lambda pair: pair[0] != pair[1]), max_size=8)


@settings(max_examples=300, deadline=None)
@given(LINKS, LINKS)
def test_closure_without_contradictions_equals_brute_force(must, cannot):
    closure = Closure(must, cannot)
    accepted = [pair for pair in must if pair not in {(c.a, c.b) for c in closure.conflicts}]
    same, apart = brute_force(accepted, cannot)
    for a, b in itertools.combinations(range(9), 2):
        assert closure.must(a, b) == (frozenset((a, b)) in same)
        assert closure.cannot(a, b) == (frozenset((a, b)) in apart)
        assert not (closure.must(a, b) and closure.cannot(a, b))


@settings(max_examples=300, deadline=None)
@given(LINKS, LINKS, LINKS)
def test_no_family_contains_a_cannot_link(must, cannot, family):
    closure = Closure(must, cannot, family)
    for a, b in itertools.combinations(range(9), 2):
        assert not (closure.family(a, b) and closure.cannot(a, b))
    for conflict in closure.conflicts:
        assert closure.cannot(*conflict.against) or conflict.a == conflict.b


def test_refused_link_is_listed_with_the_link_that_prevents_it():
    closure = Closure(must=[(1, 2), (2, 3)], cannot=[(1, 3), (4, 4)])
    assert closure.must(1, 2)
    assert not closure.must(2, 3)
    assert [(c.kind, c.a, c.b, c.against) for c in closure.conflicts] == [
        ("cannot", 4, 4, (4, 4)),
        ("must", 2, 3, (1, 3)),
    ]
