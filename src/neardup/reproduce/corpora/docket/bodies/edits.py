"""Edits of a form letter: the editing styles of section 2 of Yang & Callan 2006, each with its limits.

Every style takes a form letter and returns the paragraphs of one writer's letter with the added and removed text, in
reading order. Limits of the paper: a block edit moves fewer than 200 words, a minor change is under 5 % or at most 15
words of a paragraph, and a letter is bag-of-words similar if it has over 80 % of the words and no other relation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from neardup.reproduce.corpora.docket.bodies.forms import BLOCK, KEY, Form, scramble
from neardup.reproduce.corpora.docket.bodies.source import WORD, count_words, split_words
from neardup.reproduce.corpora.docket.bodies.stock import Stock
from neardup.reproduce.corpora.docket.people import SURNAMES
from neardup.reproduce.random_stream import RandomStream

_PLAIN = re.compile(r"[^\W\d_]{3,}")
_PUNCTUATED = re.compile(r"([^\W\d_]{4,})([,.;:!?])")
_NUMBER = re.compile(r"\$?\d[\d,.]*%?")
_COMBINATIONS = (
    *(("changed", "added"),) * 9,
    *(("changed", "deleted"),) * 5,
    *(("changed", "added", "deleted"),) * 4,
    *(("added", "deleted"),) * 2,
)
_CHANGED_PARAGRAPHS = (1, 1, 1, 1, 2, 2, 3)
_FILLERS = ("really", "very", "truly", "indeed", "always", "surely", "certainly", "simply", "again", "also", "now")


@dataclass(frozen=True, slots=True)
class Edited:
    """The body of a letter, its relation to the form letter, and what the writer added, removed and did.

    The relation is empty if the definitions do not determine one. `other` is the text of another campaign in the
    letter, `points` are the talking points of a menu that it has. `tail` comes after the signature: quoted mail.
    """

    relation: str
    paragraphs: list[str]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    tail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Desk:
    """The random numbers and the stock of text that a writer uses."""

    rng: RandomStream
    stock: Stock


def copy_exactly(form: Form, desk: Desk) -> Edited:
    """Send the form letter as it is."""
    return Edited("exact", list(form.paragraphs))


def change_words(form: Form, desk: Desk) -> Edited:
    """Alter a few words in one to three paragraphs."""
    changing = desk.rng.pick(_CHANGED_PARAGRAPHS)
    paragraphs, added, removed = alter_paragraphs(form, list(range(len(form.paragraphs))), changing, desk)
    return Edited("minor_change", paragraphs, (" ".join(added),), (" ".join(removed),), ("changed",))


def add_block(form: Form, desk: Desk) -> Edited:
    """Add one to three paragraphs at the start, at the end or in the middle."""
    blocks = _take_blocks(desk)
    paragraphs = insert_blocks(list(form.paragraphs), blocks, desk.rng)
    return Edited("block_added", paragraphs, tuple(blocks), (), ("added",))


def delete_block(form: Form, desk: Desk) -> Edited:
    """Remove one or more paragraphs; one that identifies the form letter is kept."""
    kept = choose_kept(form, desk.rng)
    removed = tuple(list_others(form, kept))
    return Edited("block_deleted", [form.paragraphs[i] for i in kept], (), removed, ("deleted",))


def change_words_and_blocks(form: Form, desk: Desk) -> Edited:
    """Alter words and edit blocks, or replace a block by another; the added text begins with the altered words."""
    deeds = desk.rng.pick(_COMBINATIONS)
    kept = choose_kept(form, desk.rng) if "deleted" in deeds else list(range(len(form.paragraphs)))
    changing = desk.rng.pick(_CHANGED_PARAGRAPHS) if "changed" in deeds else 0
    paragraphs, new, old = alter_paragraphs(form, kept, changing, desk)
    blocks = _take_blocks(desk) if "added" in deeds else []
    paragraphs = insert_blocks(paragraphs, blocks, desk.rng)
    added = tuple(filter(None, (" ".join(new), *blocks)))
    removed = tuple(filter(None, (" ".join(old), *list_others(form, kept))))
    return Edited("minor_change_block_edit", paragraphs, added, removed, deeds)


def reorder_blocks(form: Form, desk: Desk) -> Edited:
    """Put the paragraphs in another order: one moved, two exchanged, or all shuffled."""
    order = list(range(len(form.paragraphs)))
    draw = desk.rng.random()
    while order == sorted(order):
        first, second = desk.rng.below(len(order)), desk.rng.below(len(order))
        if draw < 0.4:
            order.insert(second, order.pop(first))
        elif draw < 0.75:
            order[first], order[second] = order[second], order[first]
        else:
            desk.rng.shuffle(order)
    return Edited("block_reordered", [form.paragraphs[i] for i in order], deeds=("moved",))


def repeat_letter(form: Form, desk: Desk) -> Edited:
    """Repeat the whole letter twice or more."""
    times = 2 if desk.rng.happens(0.8) else desk.rng.between(3, 4)
    return Edited("repeated", list(form.paragraphs) * times, deeds=("repeated",))


def keep_key_block(form: Form, desk: Desk) -> Edited:
    """Keep at least one paragraph, with much text of one's own or without the rest."""
    rng, total = desk.rng, sum(form.lengths)
    draw = rng.random()
    short = [i for i in form.substantial if total - form.lengths[i] >= KEY + 20]
    if draw < 0.15 and short:
        kept, own = [rng.pick(short)], []
    else:
        kept = list(range(len(form.paragraphs)))
        if draw < 0.75:
            kept = sorted({rng.pick(form.substantial), rng.pick(form.substantial)})
        own = desk.stock.take_text(rng.between(KEY, 330))
    paragraphs = [form.paragraphs[i] for i in kept]
    before = rng.between(0, len(own))
    removed = tuple(list_others(form, kept))
    deeds = (*(("added",) if own else ()), *(("deleted",) if removed else ()))
    return Edited("key_block", own[:before] + paragraphs + own[before:], tuple(own), removed, deeds)


def shuffle_sentences(form: Form, desk: Desk) -> Edited:
    """Put nearly all sentences into a new order and new paragraphs, so that no old paragraph remains."""
    scrambled = scramble(form, desk.rng)
    if scrambled is None:
        # A letter of few long sentences cannot always be recombined; it is then reordered.
        return reorder_blocks(form, desk)
    paragraphs, removed = scrambled
    return Edited("bag_of_words", paragraphs, (), (removed,), ("shuffled",))


EDITS: dict[str, Callable[[Form, Desk], Edited]] = {
    "exact": copy_exactly,
    "minor_change": change_words,
    "block_added": add_block,
    "block_deleted": delete_block,
    "minor_change_block_edit": change_words_and_blocks,
    "block_reordered": reorder_blocks,
    "repeated": repeat_letter,
    "key_block": keep_key_block,
    "bag_of_words": shuffle_sentences,
}
"""The editing styles by the relation that each produces."""


def _take_blocks(desk: Desk) -> list[str]:
    blocks = [desk.stock.take_piece()]
    words = count_words(blocks[0])
    for _ in range(desk.rng.pick((0, 0, 0, 1, 1, 2))):
        block = desk.stock.take_piece()
        words += count_words(block)
        if words > BLOCK:
            desk.stock.put_back(block)
            break
        blocks.append(block)
    return blocks


def insert_blocks(paragraphs: list[str], blocks: list[str], rng: RandomStream) -> list[str]:
    """Insert the blocks together, at the start, at the end or in between."""
    end = len(paragraphs)
    index = rng.pick((0, 0, end, end, end, rng.between(0, end)))
    return paragraphs[:index] + blocks + paragraphs[index:]


def choose_kept(form: Form, rng: RandomStream) -> list[int]:
    """Choose the paragraphs to keep; those removed have fewer than 200 words."""
    anchor = rng.pick(form.substantial)
    others = [i for i in range(len(form.paragraphs)) if i != anchor]
    rng.shuffle(others)
    removed: list[int] = []
    for index in others[: rng.pick((1, 1, 1, 2, 2, 3))]:
        if sum(form.lengths[i] for i in (*removed, index)) < BLOCK:
            removed.append(index)
    return [i for i in range(len(form.paragraphs)) if i not in removed]


def list_others(form: Form, kept: list[int]) -> list[str]:
    """Return the paragraphs that are not kept."""
    return [paragraph for index, paragraph in enumerate(form.paragraphs) if index not in kept]


def alter_paragraphs(
    form: Form, indices: list[int], changing: int, desk: Desk
) -> tuple[list[str], list[str], list[str]]:
    """Return the paragraphs at these indices, `changing` of them altered, with the inserted and removed words."""
    chosen = set(desk.rng.pick_some([i for i in indices if form.lengths[i] >= 12], changing))
    paragraphs: list[str] = []
    added: list[str] = []
    removed: list[str] = []
    for index in indices:
        paragraph = form.paragraphs[index]
        if index in chosen:
            paragraph, new, old = alter_words(paragraph, desk)
            added += new
            removed += old
        paragraphs.append(paragraph)
    return paragraphs, added, removed


def alter_words(paragraph: str, desk: Desk) -> tuple[str, list[str], list[str]]:
    """Alter one to 15 words, at most a sixth of the paragraph; return it with the inserted and removed words."""
    words = paragraph.split()
    rng = desk.rng
    indices = [i for i in range(1, len(words)) if _can_change(words[i])]
    # Function words are kept if there are other words.
    indices = [i for i in indices if words[i].lower() not in desk.stock.common] or indices
    most = min(15, max(1, len(words) // 6))
    # Most writers change a word or two, a few as many as a minor change allows.
    count = rng.between(1, most) if rng.happens(0.2) else rng.between(1, min(most, 4))
    added: list[str] = []
    removed: list[str] = []
    for index in rng.pick_some(indices, count):
        old = words[index]
        manner = rng.random() if _PLAIN.fullmatch(old) else 1.0
        if manner < 0.2:
            new = f"{_pick_other(_FILLERS, old, rng)} {old}"
        else:
            new = "" if manner < 0.32 else _change(old, desk)
        added += _words_beyond(new, old)
        removed += _words_beyond(old, new)
        words[index] = new
    return " ".join(word for word in words if word), added, removed


def _can_change(word: str) -> bool:
    return bool(_PLAIN.fullmatch(word) or _PUNCTUATED.fullmatch(word) or _NUMBER.fullmatch(word))


def _pick_other(words: tuple[str, ...], word: str, rng: RandomStream) -> str:
    while (new := rng.pick(words)).lower() == word.lower():
        pass
    return new


def _change(word: str, desk: Desk) -> str:
    """Return a replacement: a number for a number, a name for a name, a misspelling, or another word."""
    if _NUMBER.fullmatch(word):
        index = max(i for i, character in enumerate(word) if character.isdigit())
        return f"{word[:index]}{(int(word[index]) + desk.rng.between(1, 9)) % 10}{word[index + 1 :]}"
    punctuated = _PUNCTUATED.fullmatch(word)
    stem, end = punctuated.groups() if punctuated else (word, "")
    misspelt = _misspell(stem, desk.rng) if desk.rng.happens(0.25) else stem
    if misspelt != stem:
        return misspelt + end
    choice = SURNAMES if stem[0].isupper() else desk.stock.list_like(stem)
    return _pick_other(choice, stem, desk.rng) + end


def _misspell(word: str, rng: RandomStream) -> str:
    """Swap two letters, or remove one of a pair; short words stay as they are."""
    if len(word) < 5:
        return word
    index = rng.between(1, len(word) - 3)
    if word[index] == word[index + 1]:
        return word[:index] + word[index + 1 :]
    return word[:index] + word[index + 1] + word[index] + word[index + 2 :]


def _words_beyond(text: str, other: str) -> list[str]:
    there = split_words(other)
    return [word for word in WORD.findall(text) if word.lower() not in there]
