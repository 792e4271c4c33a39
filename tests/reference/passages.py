"""The reference implementation of passages: all windows in a dictionary, maximal repeats in a suffix automaton."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise

Words = Sequence[Hashable]
Token = tuple[int, int]


def find_places(documents: Sequence[Words], size: int) -> dict[tuple[Hashable, ...], list[Token]]:
    """Return the places of every window of `size` words."""
    places = defaultdict(list)
    for number, words in enumerate(documents):
        for start in range(len(words) - size + 1):
            places[tuple(words[start : start + size])].append((number, start))
    return places


def are_apart(a: Token, b: Token, size: int) -> bool:
    return a[0] != b[0] or abs(a[1] - b[1]) >= size


def covered_tokens(documents: Sequence[Words], size: int) -> set[Token]:
    """Return the tokens inside of a window that occurs somewhere else as well."""
    covered = set()
    for places in find_places(documents, size).values():
        for place in places:
            if any(are_apart(place, other, size) for other in places):
                covered.update((place[0], place[1] + offset) for offset in range(size))
    return covered


def repeated_tokens(documents: Sequence[Words], size: int) -> set[Token]:
    """Return the tokens inside of a window that occurs earlier as well."""
    repeated = set()
    for places in find_places(documents, size).values():
        for place in places:
            if any(other < place and are_apart(place, other, size) for other in places):
                repeated.update((place[0], place[1] + offset) for offset in range(size))
    return repeated


class SuffixAutomaton:
    """The suffix automaton of several texts (Blumer et al. 1985), each ended by a mark of its own."""

    def __init__(self, documents: Sequence[Words]) -> None:
        self.next: list[dict[Hashable, int]] = [{}]
        self.link = [-1]
        self.length = [0]
        self.count = [0]
        last = 0
        for number, words in enumerate(documents):
            for word in [*words, ("end of", number)]:
                last = self._append(last, word)
        for state in sorted(range(1, len(self.length)), key=lambda state: -self.length[state]):
            self.count[self.link[state]] += self.count[state]

    def _append(self, last: int, word: Hashable) -> int:
        state = self._add(self.length[last] + 1, {}, 1)
        at = last
        while at >= 0 and word not in self.next[at]:
            self.next[at][word] = state
            at = self.link[at]
        if at < 0:
            self.link[state] = 0
            return state
        target = self.next[at][word]
        if self.length[at] + 1 != self.length[target]:
            copy = self._add(self.length[at] + 1, dict(self.next[target]), 0)
            self.link[copy] = self.link[target]
            self.link[target] = copy
            while at >= 0 and self.next[at].get(word) == target:
                self.next[at][word] = copy
                at = self.link[at]
            target = copy
        self.link[state] = target
        return state

    def _add(self, length: int, following: dict[Hashable, int], count: int) -> int:
        self.next.append(following)
        self.link.append(0)
        self.length.append(length)
        self.count.append(count)
        return len(self.length) - 1

    def occurrences(self, words: Words) -> int:
        """Return how often a run of words occurs, overlapping places counted."""
        state = 0
        for word in words:
            if word not in self.next[state]:
                return 0
            state = self.next[state][word]
        return self.count[state]


def align(a: Words, b: Words) -> int:
    """Return the length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for word in a:
        new = [0]
        for index, other in enumerate(b):
            new.append(row[index] + 1 if word == other else max(row[index + 1], new[index]))
        row = new
    return row[-1]


def are_disjoint(spans: Sequence[tuple[int, int]]) -> bool:
    return all(first[1] <= second[0] for first, second in pairwise(sorted(spans)))
