"""Form letters: real letters that are long enough, and pairs of them that share a paragraph of boilerplate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.docket.source import count_words, recut, split_sentences, split_words

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
    """A form letter; `shared` is the place of the paragraph that another form letter has too, or None."""

    paragraphs: tuple[str, ...]
    shared: int | None = None

    @cached_property
    def lengths(self) -> tuple[int, ...]:
        """The words of each paragraph."""
        return tuple(map(count_words, self.paragraphs))

    @cached_property
    def substantial(self) -> tuple[int, ...]:
        """The places of the paragraphs that are long enough to tell, and in no other form letter."""
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
    paragraphs: list[str] = []
    total = 0
    for paragraph in (piece for part in letter for piece in recut(part, PARAGRAPH)):
        total += count_words(paragraph)
        if total not in range(_WORDS.stop):
            break
        paragraphs.append(paragraph)
    form = Form(tuple(paragraphs))
    fits = (
        sum(form.lengths) in _WORDS
        and len(paragraphs) >= _FEWEST_PARAGRAPHS
        and len(form.sentences) >= _FEWEST_SENTENCES
        and len(form.substantial) >= 3
        and max(form.lengths) < BLOCK
    )
    return form if fits else None


def choose_forms(letters: Sequence[Sequence[str]], wanted: int, chance: Chance) -> tuple[list[Form], list[Sequence[str]]]:
    """Choose form letters, at most so many and at most half of those that fit; return them and the other letters."""
    candidates = [(place, form) for place, letter in enumerate(letters) if (form := make_form(letter)) is not None]
    chance.shuffle(candidates)
    chosen = dict(candidates[: min(wanted, -(-len(candidates) // 2))])
    rest = [letter for place, letter in enumerate(letters) if place not in chosen]
    return share_boilerplate(list(chosen.values()), chance), rest


def share_boilerplate(forms: list[Form], chance: Chance) -> list[Form]:
    """Let one form letter in ten, at least one of four, take over a paragraph of the one before it."""
    pairs = max(len(forms) // 10, len(forms) >= 4)
    forms = list(forms)
    for second in range(1, 2 * pairs, 2):
        lender, borrower = forms[second - 1], forms[second]
        if len(lender.substantial) < 3:
            continue
        place = chance.pick(lender.substantial)
        lent = Form(lender.paragraphs, place)
        end = len(borrower.paragraphs) - 1
        taken = Form((*borrower.paragraphs[:end], lender.paragraphs[place], borrower.paragraphs[end]), end)
        forms[second - 1], forms[second] = lent, taken
    return forms
