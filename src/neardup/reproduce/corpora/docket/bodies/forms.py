"""Form letters: real letters that are long enough, and pairs of them that share a paragraph of boilerplate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from neardup.reproduce.corpora.docket.bodies.source import count_words, recut, split_sentences, split_words
from neardup.reproduce.random_stream import RandomStream

PARAGRAPH = 100
"""About how many words a paragraph of a form letter has at most; longer ones are cut at sentence borders."""

SUBSTANTIAL = 20
"""A paragraph of so many words says of itself where it comes from."""

BLOCK = 190
KEY = 210
"""Blocks of a block edit have fewer than 200 words in all, own text beyond a block edit 200 or more. Those between the
two limits here are not made, so that it does not matter how words with hyphens and apostrophes are counted."""

_FEWEST_PARAGRAPHS, _FEWEST_SENTENCES = 4, 8
_WORDS = range(150, 701)


@dataclass(frozen=True)
class Form:
    """A form letter; `shared` is the index of the paragraph that another form letter has too, or None."""

    paragraphs: tuple[str, ...]
    shared: int | None = None

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The words of each paragraph."""
        return tuple(map(count_words, self.paragraphs))

    @cached_property
    def substantial(self) -> tuple[int, ...]:
        """The indices of the paragraphs that are long enough to tell, and in no other form letter."""
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
    """Make a form letter of a letter, or return None if it is too short for all that people do with form letters."""
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
    """Choose form letters, at most so many and at most half of those that fit; return them and the other letters."""
    candidates = [(index, form) for index, letter in enumerate(letters) if (form := make_form(letter)) is not None]
    rng.shuffle(candidates)
    chosen = dict(candidates[: min(wanted, -(-len(candidates) // 2))])
    rest = [letter for index, letter in enumerate(letters) if index not in chosen]
    return share_boilerplate(list(chosen.values()), rng), rest


def scramble(form: Form, rng: RandomStream) -> tuple[list[str], str] | None:
    """Deal the sentences out to new paragraphs, none a minor change of an old one; return them and a sentence left out.

    One sentence is left out, or all the words would be there and the letter could be called exact. None: no way found.
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
    # The sentences of a paragraph go to one new paragraph after the other, so that they part.
    for paragraph in form.paragraphs:
        start = rng.below(count)
        for index, sentence in enumerate(split_sentences(paragraph)):
            if sentence != removed:
                heaps[(start + index) % count].append(sentence)
    for heap in heaps:
        rng.shuffle(heap)
    return [" ".join(heap) for heap in heaps if heap]


def _could_be_minor(one: Counter[str], other: Counter[str]) -> bool:
    """Say whether two paragraphs could differ in 15 words at most, or by a twentieth, in whatever order their words."""
    longer = max(one.total(), other.total())
    common = (one & other).total()
    return common >= longer / 2 and longer - common <= max(15, 0.05 * longer)


def share_boilerplate(forms: list[Form], rng: RandomStream) -> list[Form]:
    """Let one form letter in ten, at least one of four, take over a paragraph of the one before it."""
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
