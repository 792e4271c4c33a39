"""What writers say in their own words, and form letters that every writer edits.

Most personal text is real: one to three sentences of the source, each used once. The rest repeats, because people
repeat themselves: sentences of a small grammar (a trade, a place, a number of years), and a few that everybody writes.
"""

from __future__ import annotations

from neardup.reproduce.corpora.docket.bodies.edits import (
    Desk,
    Edited,
    alter_paragraphs,
    choose_kept,
    insert_blocks,
    list_others,
)
from neardup.reproduce.corpora.docket.bodies.forms import Form
from neardup.reproduce.corpora.docket.bodies.source import count_words, split_sentences
from neardup.reproduce.corpora.docket.people import invent_person
from neardup.reproduce.random_stream import RandomStream

SENTENCE_BLOCK = 18
"""A sentence of this many words is a block wherever it is added or removed: over 15, however words are counted."""

MOST_OWN = 80
_COMMON = (
    "Please do the right thing.",
    "Thank you for reading my comment.",
    "This matters a great deal to my family.",
    "I vote, and I will remember how this was decided.",
    "Please listen to the people for once.",
    "Enough is enough!",
    "Our children deserve better than this.",
    "I am very concerned about this.",
)
_TRADES = (
    *("teacher", "nurse", "farmer", "retired engineer", "bus driver", "student", "carpenter", "small business owner"),
    *("grandmother", "veteran", "programmer", "fisherman", "librarian", "chemist", "parent of two", "translator"),
)
_FEELINGS = (
    *("this keeps me awake at night", "nobody I know was asked about it", "I see the effects with my own eyes"),
    *("we have waited long enough for an answer", "I have read the notice from the first page to the last"),
    *("my neighbors talk about little else", "I never wrote to an agency before", "the costs will fall on us"),
)
_TIMES = (
    *("for {} years", "since {}, when we bought the house", "all my life, which is now {} years"),
    *("with {} other people on my street", "after {} years in another state"),
)
_WISHES = (
    *("I hope that somebody reads this", "I ask you to think of us", "do not let this go by", "I expect an answer"),
    *("tell me what you decide", "take the time that it needs", "look at the numbers again"),
)


def write_own(desk: Desk, *, long: bool = False) -> str:
    """Return a paragraph of one writer; a `long` one is a block even inside another paragraph."""
    draw = desk.rng.random()
    if draw < 0.12 and not long:
        return " ".join(dict.fromkeys(desk.rng.pick(_COMMON) for _ in range(desk.rng.pick((1, 1, 2)))))
    if draw < 0.25:
        return invent_sentence(desk.rng)
    return take_sentences(desk, SENTENCE_BLOCK if long else 6)


def invent_sentence(rng: RandomStream) -> str:
    """Return a sentence of at least 18 words about a writer's life."""
    person = invent_person(rng)
    time = rng.pick(_TIMES).format(rng.between(3, 61))
    trade, feeling, other = rng.pick(_TRADES), *rng.pick_some(_FEELINGS, 2)
    if rng.happens(0.5):
        return f"I am a {trade} and have lived in {person.town} {time}; {feeling}, {other}, and so {rng.pick(_WISHES)}."
    return f"As a {trade} from {person.town}, {person.state}, {time}, I can say that {feeling} and that {other}."


def take_sentences(desk: Desk, least: int) -> str:
    """Return one to three sentences of the source that no other writer has; what is left goes back to the stock."""
    wanted = desk.rng.pick((1, 1, 2, 2, 3))
    for _ in range(50):
        sentences = split_sentences(desk.stock.take_piece())
        own = sentences[:wanted]
        while count_words(" ".join(own)) < least and len(own) < len(sentences):
            own.append(sentences[len(own)])
        rest = " ".join(sentences[len(own) :])
        if count_words(rest) >= 2 * SENTENCE_BLOCK:
            desk.stock.put_back(rest)
        text = " ".join(own)
        if least <= count_words(text) <= MOST_OWN:
            return text
    return invent_sentence(desk.rng)


def edit_personally(form: Form, desk: Desk) -> Edited:
    """Edit a form letter as advocacy sites ask for: nearly everybody adds something, some alter or delete too."""
    rng = desk.rng
    adds, changes, deletes = rng.happens(0.88), rng.happens(0.3), rng.happens(0.25)
    adds = adds or not (changes or deletes)
    kept, pruned = list(range(len(form.paragraphs))), None
    if deletes:
        pruned = _prune(form, rng) if rng.happens(0.5) else None
        kept = kept if pruned else choose_kept(form, rng)
    edited = Form(pruned[0]) if pruned else form
    paragraphs, new, old = alter_paragraphs(edited, kept, rng.pick((1, 1, 2)) if changes else 0, desk)
    removed = [*old, *([pruned[1]] if pruned else list_others(form, kept))]
    deeds = (*(["added"] if adds else []), *(["changed"] if new or old else []), *(["deleted"] if deletes else []))
    paragraphs, own = _add(paragraphs, desk) if adds else (paragraphs, [])
    added = tuple(filter(None, (" ".join(new), *own)))
    return Edited(name_relation(deeds), paragraphs, added, tuple(removed), deeds)


def name_relation(deeds: tuple[str, ...]) -> str:
    """Return the relation of a letter with blocks added or deleted and words changed, each of them limited."""
    alone = {"added": "block_added", "deleted": "block_deleted", "changed": "minor_change"}
    return alone[deeds[0]] if len(deeds) == 1 else "minor_change_block_edit"


def mention_docket(form: Form, desk: Desk, number: str) -> Edited:
    """Send the form letter as it is, with a sentence that mentions another docket."""
    asides = (
        f"I wrote to you about {number} last spring as well, and nobody has answered that letter to this day.",
        f"Like many people in my town I also sent a comment on docket {number}, which is quite a different matter.",
        f"This comes after what happened with Docket ID No. {number}, where all of us were ignored for two years.",
    )
    own = [desk.rng.pick(asides), *([write_own(desk)] if desk.rng.happens(0.4) else [])]
    paragraphs = insert_blocks(list(form.paragraphs), own, desk.rng)
    return Edited("block_added", paragraphs, tuple(own), (), ("added", "foreign_docket"))


def _prune(form: Form, rng: RandomStream) -> tuple[tuple[str, ...], str] | None:
    """Remove one long sentence from a paragraph of which at least half is left; None if there is none."""
    choices = [
        (index, sentence)
        for index, paragraph in enumerate(form.paragraphs)
        for sentence in split_sentences(paragraph)
        if SENTENCE_BLOCK <= count_words(sentence) < form.lengths[index] / 2
    ]
    if not choices:
        return None
    index, sentence = rng.pick(choices)
    left = " ".join(form.paragraphs[index].replace(sentence, "", 1).split())
    return (*form.paragraphs[:index], left, *form.paragraphs[index + 1 :]), sentence


def _add(paragraphs: list[str], desk: Desk) -> tuple[list[str], list[str]]:
    """Add one or two texts of the writer's own, as paragraphs or between two sentences of one."""
    rng = desk.rng
    if rng.happens(0.7):
        own = [write_own(desk) for _ in range(rng.pick((1, 1, 2)))]
        return insert_blocks(paragraphs, own, rng), own
    text = write_own(desk, long=True)
    index = rng.below(len(paragraphs))
    sentences = split_sentences(paragraphs[index])
    sentences.insert(rng.between(0, len(sentences)), text)
    return [*paragraphs[:index], " ".join(sentences), *paragraphs[index + 1 :]], [text]
