"""Plant edited copies of passages in documents that share nothing else.

Real documents are taken one by one and kept if they share no run of eight words with those kept before, by a plain set
of all runs. Each planted passage is copied from one of them, edited, and inserted into another. An edit replaces a word
by a random one of the collection, inserts one, or leaves one out.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

RUN = 8
SHORTEST, LONGEST = 30, 150


@dataclass(frozen=True)
class Planted:
    """A copy: the numbers of its documents, and where it is in both, in words."""

    source: int
    source_span: tuple[int, int]
    host: int
    host_span: tuple[int, int]
    rate: float


def split(text: str, spaceless: bool) -> list[str]:
    """Split a text into words, or into its letters in scripts without spaces."""
    return [letter for letter in text if letter.isalpha()] if spaceless else text.split()


def keep_unrelated(documents: Sequence[list[str]], most: int) -> list[list[str]]:
    """Keep documents that share no run of words with each other or with themselves."""
    seen: set[tuple[str, ...]] = set()
    kept = []
    for words in documents:
        plain = ["".join(filter(str.isalnum, word)).lower() for word in words]
        runs = [tuple(plain[start : start + RUN]) for start in range(len(words) - RUN + 1)]
        if len(words) >= LONGEST and len(set(runs)) == len(runs) and seen.isdisjoint(runs):
            seen.update(runs)
            kept.append(list(words))
        if len(kept) == most:
            break
    return kept


def edit(words: Sequence[str], rate: float, vocabulary: Sequence[str], chance: random.Random) -> list[str]:
    """Change, insert or leave out a share of the words."""
    places = set(chance.sample(range(len(words)), round(rate * len(words))))
    edited: list[str] = []
    for place, word in enumerate(words):
        kind = chance.choice(("replace", "insert", "leave out")) if place in places else ""
        if kind in ("replace", "insert"):
            edited.append(chance.choice(vocabulary))
        if kind in ("", "insert"):
            edited.append(word)
    return edited


def misread(words: Sequence[str], rate: float, chance: random.Random) -> list[str]:
    """Replace a share of the characters by others of the same passage, as optical character recognition does."""
    letters = "".join(words)
    return ["".join(chance.choice(letters) if chance.random() < rate else letter for letter in word) for word in words]


def plant(
    documents: list[list[str]], chance: random.Random, noise: float | None = None
) -> tuple[list[list[str]], list[Planted]]:
    """Copy a passage of each second document into the document after it.

    1 to 15 % of its words are changed; with `noise`, that share of its characters is misread instead.
    """
    vocabulary = [word for words in documents for word in words]
    planted = []
    for source in range(0, len(documents) - 1, 2):
        words, host = documents[source], documents[source + 1]
        length = chance.randint(SHORTEST, min(LONGEST, len(words)))
        start = chance.randint(0, len(words) - length)
        rate = chance.uniform(0.01, 0.15)
        passage = words[start : start + length]
        copy = edit(passage, rate, vocabulary, chance) if noise is None else misread(passage, noise, chance)
        place = chance.randint(0, len(host))
        documents[source + 1] = host[:place] + copy + host[place:]
        spans = (start, start + length), (place, place + len(copy))
        planted.append(Planted(source, spans[0], source + 1, spans[1], rate))
    return documents, planted
