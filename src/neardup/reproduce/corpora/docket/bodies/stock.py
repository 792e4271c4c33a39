"""The stock of text that writers add: first every paragraph of the source once, then its sentences in a new order.

A small source is soon used up in a large docket. Then sentences are recombined, three or more to a paragraph, so
that two letters may share a sentence but not more. The number of such paragraphs is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from neardup.errors import InputError
from neardup.reproduce.corpora.docket.bodies.source import count_words, recut, split_sentences, split_words
from neardup.reproduce.random_stream import RandomStream

PIECE = 90
"""The approximate largest number of words of a paragraph; longer ones are divided between sentences."""

LONGEST = 150
WHOLE = range(40, 801)
SENTENCE = range(4, 37)
FEWEST_SENTENCES = 24
COMMON = 60


class Stock:
    """Text to add, piece by piece; `recombined` counts the paragraphs made of sentences that were used before."""

    def __init__(
        self, letters: Iterable[Sequence[str]], taken: frozenset[tuple[str, ...]], singletons: int, rng: RandomStream
    ) -> None:
        self.recombined = 0
        self._chance = rng
        self._singletons = singletons
        given = [list(letter) for letter in letters]
        self._sentences = _distinct_sentences(given, taken)
        if len(self._sentences) < FEWEST_SENTENCES:
            raise InputError(
                f"the letters contain only {len(self._sentences)} sentences outside the form letters, "
                f"a docket needs {FEWEST_SENTENCES}: give more letters or choose fewer campaigns"
            )
        self.common, self._by_ending = _list_vocabulary(self._sentences)
        self._order: list[str] = []
        rng.shuffle(given)
        self._letters, rest = _set_aside(given, singletons)
        self._pieces = [
            piece
            for letter in rest
            for paragraph in letter
            for piece in recut(paragraph, PIECE)
            if count_words(piece) <= LONGEST and split_words(piece) not in taken
        ]
        rng.shuffle(self._pieces)

    def take_letter(self) -> list[str]:
        """Return the paragraphs of a unique letter: a whole one, or one composed of pieces."""
        whole = self._chance.below(max(self._singletons, 1)) < len(self._letters)
        self._singletons -= 1
        return self._letters.pop() if whole else self.take_text(self._chance.between(60, 200))

    def take_text(self, least: int) -> list[str]:
        """Return paragraphs with at least this many words in all, however words are counted."""
        pieces: list[str] = []
        words = 0
        while words < least:
            pieces.append(self.take_piece())
            words += len([word for word in pieces[-1].split() if any(map(str.isalnum, word))])
        return pieces

    def take_piece(self) -> str:
        """Return one paragraph."""
        return self._pieces.pop() if self._pieces else self._recombine()

    def list_like(self, word: str) -> tuple[str, ...]:
        """Return words of the source with the same ending, often the same part of speech; all words if few."""
        choice = self._by_ending.get(word.lower()[-2:], ())
        return choice if len(choice) > 2 else self._by_ending[""]

    def put_back(self, piece: str) -> None:
        """Return an unused paragraph to the stock."""
        self._pieces.append(piece)

    def _recombine(self) -> str:
        self.recombined += 1
        wanted = self._chance.between(3, 5)
        chosen: list[str] = []
        words = 0
        while len(chosen) < wanted:
            if not self._order:
                self._order = self._sentences.copy()
                self._chance.shuffle(self._order)
            words += count_words(self._order[-1])
            if words > LONGEST and chosen:
                break
            chosen.append(self._order.pop())
        return " ".join(chosen)


def _distinct_sentences(letters: list[list[str]], taken: frozenset[tuple[str, ...]]) -> list[str]:
    by_words: dict[tuple[str, ...], str] = {}
    for letter in letters:
        for paragraph in letter:
            for sentence in split_sentences(paragraph):
                words = split_words(sentence)
                # A long sentence would be most of a letter; very short ones occur in many letters.
                if len(words) in SENTENCE and words not in taken:
                    by_words.setdefault(words, sentence)
    return list(by_words.values())


def _list_vocabulary(sentences: list[str]) -> tuple[frozenset[str], dict[str, tuple[str, ...]]]:
    """Return the most frequent words, and the others by their ending; the empty ending has all of them."""
    counts = Counter(word for sentence in sentences for word in sentence.split())
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    common = frozenset(ranked[:COMMON])
    words = sorted(word for word in ranked[COMMON:] if _is_plain(word) and (counts[word] > 1 or len(sentences) < 2000))
    by_ending: dict[str, list[str]] = {"": words}
    for word in words:
        by_ending.setdefault(word[-2:], []).append(word)
    return common, {ending: tuple(words) for ending, words in by_ending.items()}


def _is_plain(word: str) -> bool:
    return word.isalpha() and word.islower() and 4 <= len(word) <= 12


def _set_aside(letters: list[list[str]], singletons: int) -> tuple[list[list[str]], list[list[str]]]:
    """Divide the letters into those used whole, with at most half of all words, and those used by the paragraph."""
    lengths = [sum(map(count_words, letter)) for letter in letters]
    budget = sum(lengths) // 2
    whole: list[list[str]] = []
    rest: list[list[str]] = []
    for letter, length in zip(letters, lengths, strict=True):
        if len(whole) < singletons and length in WHOLE and length <= budget:
            whole.append(letter)
            budget -= length
        else:
            rest.append(letter)
    return whole, rest
