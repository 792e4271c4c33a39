"""News with known duplicate sets: versions of some stories planted among the others.

The collection also contains what the paper's algorithm took for duplicates: reports that return after weeks with other
news in the same words, and tables of numbers that change from day to day.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from neardup.errors import InputError
from neardup.reproduce.corpora.newswire.stories import Story
from neardup.reproduce.corpora.newswire.versions import (
    CATEGORIES,
    Editor,
    count_words,
    join_paragraphs,
    split_paragraphs,
)
from neardup.reproduce.random_stream import RandomStream

SET_SIZES = [2] * 132 + [3] * 24 + [4] * 10 + [5] * 3 + [6]
"""The sizes of the duplicate sets of Table 7, training and test together."""

COPY_DAYS = 28
RECURRING_DAYS = (50, 80)
LEAST_WORDS = 80
PLANTED_SHARE = 0.15
RECURRING_SHARE = 0.01
NUMERIC_SERIES = 10


@dataclass(frozen=True, slots=True)
class Item:
    """A document of the collection: its text with a title, its day, its duplicate set, and the category of the set."""

    text: str
    day: int
    origin: int
    category: str = ""


def plant_sets(stories: Sequence[Story], seed: int) -> list[Item]:
    """Plant duplicate sets of every category, recurring reports and tables of numbers among the stories."""
    usable = [story for story in stories if count_words(story.text) >= LEAST_WORDS]
    if len(usable) < 50:
        raise InputError(
            f"{len(usable)} stories of {LEAST_WORDS} words or more are too few to plant duplicates among: "
            "give at least 50"
        )
    rng = RandomStream(seed, "planted sets")
    editor = Editor(usable, rng)
    items: list[Item] = []
    for origin, story in enumerate(usable):
        text = join_paragraphs(split_paragraphs(story.text))
        draw = rng.random()
        category = rng.pick(CATEGORIES) if draw < PLANTED_SHARE else ""
        items.append(Item(editor.entitle(text), story.day, origin, category))
        if category:
            items += _make_versions(items[-1], text, editor)
        elif draw < PLANTED_SHARE + RECURRING_SHARE:
            later = Story(editor.revise(text), story.day + rng.between(*RECURRING_DAYS))
            items.append(Item(editor.entitle(later.text), later.day, len(usable) + origin))
    items += _make_tables(editor, 2 * len(usable))
    rng.shuffle(items)
    return items


def _make_versions(original: Item, text: str, editor: Editor) -> Iterator[Item]:
    for _ in range(editor.rng.pick(SET_SIZES) - 1):
        version = editor.edits[original.category](text)
        day = original.day + editor.rng.below(COPY_DAYS + 1)
        yield replace(original, text=editor.entitle(version), day=day)


def _make_tables(editor: Editor, origin: int) -> Iterator[Item]:
    """Make series of daily tables with the same words and other numbers; no two of them are duplicates."""
    rng = editor.rng
    for series in range(NUMERIC_SERIES):
        words = [editor.foreign_word() for _ in range(40)]
        start = rng.pick(editor.stories).day
        for day in range(3):
            rows = (f"{word} {rng.below(10_000)} {rng.below(10_000)} {rng.below(100)}" for word in words)
            yield Item(editor.entitle("\n".join(rows)), start + day, origin + series * 10 + day)
