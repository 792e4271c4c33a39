"""Form letters: real letters that are long enough, and pairs of them that share a paragraph of boilerplate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from neardup.reproduce.corpora.docket.bodies.source import count_words, recut, split_sentences, split_words
from neardup.reproduce.random_stream import RandomStream

PARAGRAPH = 100
"""The approximate largest number of words of a paragraph; longer ones are divided between sentences."""

SUBSTANTIAL = 20
"""A paragraph of this many words identifies its form letter."""

BLOCK = 190
KEY = 210
"""In the paper, the blocks of a block edit have fewer than 200 words in all, and other additions 200 or more. No letter
is generated between the two limits here, so it does not matter how words with hyphens and apostrophes are counted."""

_FEWEST_PARAGRAPHS, _FEWEST_SENTENCES = 4, 8
_WORDS = range(150, 701)


@dataclass(frozen=True)
class Form:
    """A form letter; `shared` is the index of the paragraph that another form letter also has, or None."""

    paragraphs: tuple[str, ...]
    shared: int | None = None

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The number of words of each paragraph."""
        return tuple(map(count_words, self.paragraphs))

    @cached_property
    def substantial(self) -> tuple[int, ...]:
        """The indices of the long paragraphs that no other form letter has."""
        return tuple(i for i, length in enumerate(self.lengths) if length >= SUBSTANTIAL and i != self.shared)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of all paragraphs, in order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in split_sentences(paragraph))

    @cached_property
    def bags(self) -> tuple[Counter[str], ...]:
        """The words of each paragraph with their counts."""
        return tuple(Counter(split_words(paragraph)) for paragraph in self.paragraphs)


def make_form(letter: Sequence[str]) -> Form | None:
    """Return a letter as a form letter, or None if it does not allow every kind of edit."""
    form = Form(tuple(piece for paragraph in letter for piece in recut(paragraph, PARAGRAPH)))
    fits = (
        sum(form.lengths) in _WORDS
        and len(form.paragraphs) >= _FEWEST_PARAGRAPHS
        and len(form.sentences) >= _FEWEST_SENTENCES
        and len(form.substantial) >= 3
        and max(form.lengths) < BLOCK
        and scramble(form, RandomStream(0, "trial")) is not None
    )
    return form if fits else None


def choose_forms(
    letters: Sequence[Sequence[str]], wanted: int, rng: RandomStream
) -> tuple[list[Form], list[Sequence[str]]]:
    """Choose up to `wanted` form letters, at most half of those that fit; return them and the other letters."""
    candidates = [(index, form) for index, letter in enumerate(letters) if (form := make_form(letter)) is not None]
    rng.shuffle(candidates)
    chosen = dict(candidates[: min(wanted, -(-len(candidates) // 2))])
    rest = [letter for index, letter in enumerate(letters) if index not in chosen]
    return share_boilerplate(list(chosen.values()), rng), rest


def scramble(form: Form, rng: RandomStream) -> tuple[list[str], str] | None:
    """Distribute the sentences to new paragraphs, none of them a minor change of an old one.

    Return the paragraphs and the one sentence that is left out (with all words, the letter could be called exact), or
    None if no such distribution was found.
    """
    most = 0.12 * sum(form.lengths)
    spare = [sentence for sentence in form.sentences if count_words(sentence) <= most]
    for _ in range(60 if spare else 0):
        removed = rng.pick(spare)
        paragraphs = _deal_sentences(form, removed, rng)
        bags = [Counter(split_words(paragraph)) for paragraph in paragraphs]
        if not any(_could_be_minor(bag, other) for bag in bags for other in form.bags):
            return paragraphs, removed
    return None


def _deal_sentences(form: Form, removed: str, rng: RandomStream) -> list[str]:
    count = max(2, len(form.sentences) // rng.between(3, 5))
    heaps: list[list[str]] = [[] for _ in range(count)]
    # Successive sentences go to different new paragraphs.
    for paragraph in form.paragraphs:
        start = rng.below(count)
        for index, sentence in enumerate(split_sentences(paragraph)):
            if sentence != removed:
                heaps[(start + index) % count].append(sentence)
    for heap in heaps:
        rng.shuffle(heap)
    return [" ".join(heap) for heap in heaps if heap]


def _could_be_minor(one: Counter[str], other: Counter[str]) -> bool:
    """Return whether two bags of words differ in at most 15 words or a twentieth of the words."""
    longer = max(one.total(), other.total())
    common = (one & other).total()
    return common >= longer / 2 and longer - common <= max(15, 0.05 * longer)


def share_boilerplate(forms: list[Form], rng: RandomStream) -> list[Form]:
    """Copy a paragraph into one form letter in ten (at least one if there are four) from the one before it."""
    pairs = max(len(forms) // 10, len(forms) >= 4)
    forms = list(forms)
    for second in range(1, 2 * pairs, 2):
        lender, borrower = forms[second - 1], forms[second]
        if len(lender.substantial) < 3:
            continue
        index = rng.pick(lender.substantial)
        lent = Form(lender.paragraphs, index)
        end = len(borrower.paragraphs) - 1
        taken = Form((*borrower.paragraphs[:end], lender.paragraphs[index], borrower.paragraphs[end]), end)
        forms[second - 1], forms[second] = lent, taken
    return forms
