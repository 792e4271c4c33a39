"""Menus of talking points: a writer takes some of them, in any order, and adds sentences of his or her own."""

from __future__ import annotations

from neardup.reproduce.corpora.docket.bodies.edits import Desk, Edited
from neardup.reproduce.corpora.docket.bodies.forms import Form
from neardup.reproduce.corpora.docket.bodies.source import count_words, recut
from neardup.reproduce.corpora.docket.kinds.personal import write_own

POINT = 35
"""The approximate largest number of words of a talking point."""

FEWEST_POINTS = 4
_SHORTEST = 10


def list_points(form: Form) -> tuple[str, ...]:
    """Return the talking points of a form letter: its paragraphs, the long ones divided."""
    pieces = (piece for paragraph in form.paragraphs for piece in recut(paragraph, POINT))
    return tuple(piece for piece in pieces if count_words(piece) >= _SHORTEST)


def choose_points(form: Form, desk: Desk) -> Edited:
    """Write a letter from a menu: a third of its points or more, in their order or another."""
    rng, points = desk.rng, list_points(form)
    count = rng.between(max(2, len(points) // 3), len(points))
    chosen = rng.pick_some(range(len(points)), count)
    if rng.happens(0.5):
        rng.shuffle(chosen)
    own = [write_own(desk) for _ in range(rng.pick((0, 1, 1, 2)))]
    blocks = [points[index] for index in chosen]
    for text in own:
        blocks.insert(rng.between(0, len(blocks)), text)
    removed = tuple(points[index] for index in range(len(points)) if index not in chosen)
    deeds = ("menu", *(["added"] if own else []), *(["moved"] if chosen != sorted(chosen) else []))
    return Edited("", _bundle(blocks, desk), tuple(own), removed, deeds, points=tuple(chosen))


def _bundle(blocks: list[str], desk: Desk) -> list[str]:
    """Join successive points to paragraphs: each alone, some together, or all in one."""
    most = desk.rng.pick((1, 1, 2, 3, len(blocks)))
    paragraphs: list[str] = []
    while blocks:
        size = desk.rng.between(1, most) if most < len(blocks) else most
        paragraphs.append(" ".join(blocks[:size]))
        blocks = blocks[size:]
    return paragraphs
