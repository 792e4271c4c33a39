"""Letters with the text of another campaign: two joined, and quotations of a form letter by people who oppose it."""

from __future__ import annotations

from neardup.reproduce.corpora.docket.bodies.edits import Desk, Edited
from neardup.reproduce.corpora.docket.bodies.forms import BLOCK, KEY, Form
from neardup.reproduce.corpora.docket.bodies.source import count_words
from neardup.reproduce.corpora.docket.kinds.personal import write_own

_OPPOSITION = (
    "I do not agree with the form letter that is going around.",
    "Many people have sent you the same letter, and it is wrong.",
    "You have received thousands of copies of a letter that I cannot support.",
    "A group asked me to send you its letter, and I refuse to.",
)
_INTRODUCTIONS = (
    *("It says:", "The letter claims the following:", "Here is what they want you to believe:", "I quote from it:"),
    *("They write:", "This is the part that I object to:"),
)
_ANSWERS = (
    "I disagree with every word of it.",
    "None of this is true, and I urge you to do the opposite.",
    "That is not how things are where I live.",
)


def join_campaigns(form: Form, second: Form, desk: Desk) -> Edited:
    """Send one form letter with paragraphs of another after it, fewer words than its own and than a block's limit."""
    most = min(BLOCK - 40, sum(form.lengths) * 3 // 5)
    part: list[str] = []
    for index in desk.rng.pick_some(second.substantial, len(second.substantial)):
        if sum(map(count_words, part)) + second.lengths[index] <= most:
            part.append(second.paragraphs[index])
    own = [text] if desk.rng.happens(0.4) and count_words(text := write_own(desk)) <= 35 else []
    first, last = (part, []) if desk.rng.happens(0.3) else ([], part)
    return Edited("block_added", [*first, *form.paragraphs, *last, *own], tuple(own), (), ("joined",), tuple(part))


def oppose(form: Form, desk: Desk, *, marked: bool) -> Edited:
    """Quote one or two paragraphs of a form letter in order to disagree, with or without marks of a quotation.

    Without marks the letter is a key block: its own text has over 200 words. With marks it is a letter of its own.
    """
    rng = desk.rng
    own = desk.stock.take_text(rng.between(60, 150) if marked else KEY)
    quoted = [form.paragraphs[index] for index in rng.pick_some(form.substantial, rng.pick((1, 1, 2)))]
    opening = [f"{rng.pick(_OPPOSITION)} {rng.pick(_INTRODUCTIONS)}"]
    answer = [rng.pick(_ANSWERS), *own]
    removed = tuple(paragraph for paragraph in form.paragraphs if paragraph not in quoted)
    body = [*opening, *(_mark(quoted, desk) if marked else quoted), *answer]
    relation, name = ("unique", "marked") if marked else ("key_block", "unmarked")
    return Edited(relation, body, (*opening, *answer), removed, ("opposed", name), tuple(quoted))


def reply(form: Form, desk: Desk, header: str) -> Edited:
    """Answer a form letter that a friend sent, with the whole of it quoted after the signature."""
    own = [desk.rng.pick(_OPPOSITION), *desk.stock.take_text(desk.rng.between(50, 130))]
    lines = [line for paragraph in form.paragraphs for line in (f"> {paragraph}", ">")]
    tail = (header, "\n".join(lines[:-1]))
    return Edited("unique", own, tuple(own), (), ("replied", "marked"), form.paragraphs, tail=tail)


def _mark(quoted: list[str], desk: Desk) -> list[str]:
    manner = desk.rng.below(4)
    if manner == 0:
        return [f"“{paragraph}”" for paragraph in quoted]
    if manner == 1:
        return [f'"{paragraph.replace(chr(34), chr(39))}"' for paragraph in quoted]
    if manner == 2:
        return [f"> {paragraph}" for paragraph in quoted]
    return ["[begin quote]", *quoted, "[end quote]"]
