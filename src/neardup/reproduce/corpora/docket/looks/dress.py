"""Gives a letter its looks: which ones, and the changes to its parts before they are laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from neardup.reproduce.corpora.docket.frame import Correspondence
from neardup.reproduce.corpora.docket.looks.footers import CLOSINGS, write_footers, write_preamble
from neardup.reproduce.corpora.docket.looks.layouts import LAYOUT, Parts
from neardup.reproduce.corpora.docket.looks.names import LAYOUTS, LOOKS
from neardup.reproduce.corpora.docket.looks.noise import distort
from neardup.reproduce.random_stream import RandomStream

_BULLETS = ("• ", "- ", "* ", "– ", "· ")
_DASH, _FIXED_SPACE = "\u2014", "\u00a0"


@dataclass(frozen=True, slots=True)
class Dress:
    """The looks of one letter."""

    looks: frozenset[str]
    rng: RandomStream

    @property
    def layout(self) -> str:
        """The layout of the whole letter, or an empty string."""
        return next((name for name in LAYOUTS if name in self.looks), "")

    def arrange(self, head: Parts, body: Parts, tail: Parts, letter: Correspondence) -> Parts:
        """Return the parts of a letter as they look, with preamble and footers."""
        looks, rng = self.looks, self.rng
        if "closing" in looks and tail and tail[0][0].endswith(","):
            tail = [[rng.pick(CLOSINGS), *tail[0][1:]], *tail[1:]]
        if "bulleted" in looks:
            bullet = rng.pick(_BULLETS)
            body = [[bullet + line for line in part] for part in body]
        if "noisy" in looks:
            head, tail = ([[distort(line, rng) for line in part] for part in parts] for parts in (head, tail))
        preamble = [write_preamble(letter, rng)] if "preamble" in looks else []
        parts = [*preamble, *head, *body, *tail, *write_footers(looks, letter, rng)]
        if "typographic" in looks:
            parts = [[_set_type(line) for line in part] for part in parts]
        return [[line.upper() for line in part] for part in parts] if "capitals" in looks else parts

    def lay_out(self, parts: Parts, title: str) -> str:
        """Return the text of a letter in its layout."""
        return LAYOUT[self.layout](parts, title, self.rng)


def choose_dress(shares: Mapping[str, float], rng: RandomStream) -> Dress:
    """Choose the looks of a letter; of the layouts, one at most."""
    point = rng.random()
    layout = ""
    for name in LAYOUTS:
        point -= shares[name]
        if point < 0:
            layout = name
            break
    others = {name for name in LOOKS if name not in LAYOUTS and rng.happens(shares[name])}
    return Dress(frozenset(others | ({layout} if layout else set())), rng)


def _set_type(line: str) -> str:
    """Set quotation marks, apostrophes, dashes and ellipses as a word processor does."""
    line = line.replace("...", "…").replace(" - ", f" {_DASH} ").replace("'", "’")
    pieces = line.split('"')
    marked = [piece + ("“" if index % 2 == 0 else "”") for index, piece in enumerate(pieces[:-1])]
    return "".join((*marked, pieces[-1])).replace(". ", f".{_FIXED_SPACE} ", 1)
