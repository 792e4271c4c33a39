"""Reference implementations of the vocabulary and of I-Match signatures."""

from collections import Counter
from collections.abc import Sequence


def count_words(texts: Sequence[Sequence[str]]) -> dict[str, tuple[int, int]]:
    """Return for each word the number of texts that contain it and its number of occurrences."""
    documents = Counter(word for words in texts for word in set(words))
    occurrences = Counter(word for words in texts for word in words)
    return {word: (documents[word], occurrences[word]) for word in documents}


def choose_terms(
    words: Sequence[str], vocabulary: dict[str, tuple[int, int]], terms: int, skip: int
) -> tuple[bool, frozenset[str]]:
    """Return whether the text was too short for a choice, and the words that make the signature.

    Distinct known words by descending idf, ties by their bytes; the first `skip` are left out.
    """
    known = sorted(set(words) & set(vocabulary), key=lambda word: (vocabulary[word][0], word.encode()))
    chosen = known[skip : skip + terms]
    return (False, frozenset(chosen)) if chosen else (True, frozenset(words))
