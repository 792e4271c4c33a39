"""Reference implementations of shingle sets, measures and the exact join: sets, fractions and nested loops."""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations

from reference.hashes import hash_shingle

Shingle = tuple[str, ...]


def list_shingles(units: Sequence[str], size: int) -> list[Shingle]:
    """List the shingles of `size` units; a shorter text is one shingle."""
    if not units:
        return []
    width = min(size, len(units))
    return [tuple(units[at : at + width]) for at in range(len(units) - width + 1)]


def choose_shingles(units: Sequence[str], size: int, kind: str, selection: str = "all", step: int = 1) -> set[Shingle]:
    shingles = list_shingles(units, size)
    if selection == "position":
        return set(shingles[::step])
    if selection == "hash":
        return {shingle for shingle in shingles if hash_shingle(shingle, kind) % step == 0}
    return set(shingles)


def jaccard(a: set[Shingle], b: set[Shingle]) -> Fraction:
    return Fraction(len(a & b), len(a | b)) if a or b else Fraction(0)


def overlap(a: set[Shingle], b: set[Shingle]) -> Fraction:
    """Return the shared elements over the smaller set."""
    smaller = min(len(a), len(b))
    return Fraction(len(a & b), smaller) if smaller else Fraction(0)


def similar_pairs(
    sets: Sequence[set[Hashable]], passes: Callable[[set[Hashable], set[Hashable]], bool], sides: Sequence[int] = ()
) -> list[tuple[int, int, int]]:
    """List every pair of sets that shares something and passes, with the number of shared elements."""
    return [
        (a, b, len(sets[a] & sets[b]))
        for a, b in combinations(range(len(sets)), 2)
        if (not sides or sides[a] != sides[b]) and sets[a] & sets[b] and passes(sets[a], sets[b])
    ]
