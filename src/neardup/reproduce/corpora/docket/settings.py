"""The composition of a docket: the styles of the paper's three samples, and shares that override them.

Section 5.1 of Yang & Callan 2006: of the letters other than exact copies, blocks added and key blocks are over half,
minor changes over a fifth, singletons about a tenth. NTF had 28 form letters in 1,000 letters, NTF2 26, with several
large campaigns, DOT 4, with many singletons and more than one docket.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite, isqrt

from neardup.errors import SettingsError
from neardup.reproduce.corpora.docket.bodies.edits import EDITS
from neardup.reproduce.corpora.docket.frame import SHAPES
from neardup.reproduce.corpora.docket.looks.names import LOOKS

UNIQUE, WRONG_DOCKET, NO_BODY = "unique", "wrong_docket", "no_body"

PERSONAL, MENU, JOINED = "personal", "menu", "joined"
OPPOSED, REPLIED = "opposed", "replied"
REWRITTEN, SYNONYMS = "rewritten", "synonyms"
FOREIGN, NO_CONTENT = "foreign_docket", "no_content"
MODERN = (PERSONAL, MENU, JOINED, OPPOSED, REPLIED, REWRITTEN, SYNONYMS, FOREIGN, NO_CONTENT)
"""Kinds of letters that the paper's samples do not have; `kinds` writes them."""

ALONE = (UNIQUE, NO_BODY, NO_CONTENT)
QUOTING = (OPPOSED, REPLIED)

COPIES = 7
"""The least number of identical letters in a campaign: more than five, however the paper is interpreted."""

_NEAR = {
    "block_added": 0.245,
    "key_block": 0.155,
    "minor_change": 0.155,
    "block_deleted": 0.03,
    "minor_change_block_edit": 0.025,
    "block_reordered": 0.012,
    "bag_of_words": 0.012,
    "repeated": 0.006,
}
_NONE = dict.fromkeys(MODERN, 0.0)
_PAPER = {"exact": 0.25, UNIQUE: 0.1, WRONG_DOCKET: 0.01, NO_BODY: 0.0, **_NEAR, **_NONE}
_FEWER = {name: share * 0.38 / 0.64 for name, share in _NEAR.items()}
_DOT = {"exact": 0.12, UNIQUE: 0.45, WRONG_DOCKET: 0.05, NO_BODY: 0.0, **_FEWER, **_NONE}

FRAMES: dict[str, float] = {
    "html": 0.03,
    "quoted": 0.01,
    "forwarded": 0.015,
    "flat": 0.0,
    "wrapped": 0.1,
    "formal": 0.03,
    "forged_date": 0.01,
    "missing_date": 0.01,
    **dict.fromkeys(LOOKS, 0.0),
}
"""The share of the letters with each variant of the frame."""


@dataclass(frozen=True, slots=True)
class Style:
    """A kind of docket.

    `mix` has the share of each kind of letter, `campaigns` the number of form letters (0: by size). The larger `level`,
    the more equal are the largest campaigns. `dockets` and `misfiled` are docket numbers. `frames` has the shares of
    variants of the frame that differ from FRAMES. Without `originals`, nobody sends a form letter unchanged.
    """

    mix: Mapping[str, float]
    campaigns: int
    level: int
    dockets: tuple[str, ...]
    misfiled: tuple[str, ...]
    frames: Mapping[str, float] = field(default_factory=dict)
    originals: bool = True


_AIR, _WATER, _ROADS, _RAIL = "ENV-HQ-OAR-2024-0056", "ENV-HQ-OW-2024-0123", "TRA-2024-16128", "TRA-RR-2024-0071"

_LETTERS = {"exact": 0.2, PERSONAL: 0.35, "block_added": 0.1, "minor_change": 0.1, "key_block": 0.05}
_EVERY_KIND = {
    PERSONAL: 0.4,
    MENU: 0.15,
    JOINED: 0.04,
    OPPOSED: 0.02,
    REPLIED: 0.01,
    FOREIGN: 0.04,
    SYNONYMS: 0.04,
    NO_CONTENT: 0.05,
    UNIQUE: 0.25,
}
_EVERY_LOOK = {
    "flat": 0.15,
    "hyphenated": 0.08,
    "paged": 0.08,
    "portal": 0.12,
    "escaped": 0.04,
    "preamble": 0.15,
    "typographic": 0.25,
    "bulleted": 0.08,
    "capitals": 0.04,
    "petition": 0.15,
    "disclaimer": 0.06,
    "unsubscribe": 0.06,
    "closing": 0.2,
    "alert": 0.05,
}


def _modern(mix: Mapping[str, float], frames: Mapping[str, float], *, originals: bool = True) -> Style:
    """Return a style with a few large campaigns and these kinds of letters only."""
    every = {**dict.fromkeys(_PAPER, 0.0), **mix}
    total = sum(every.values())
    shares = {name: share / total for name, share in every.items()}
    return Style(shares, 0, 2, (_AIR,), (_WATER, _ROADS), frames, originals)


STYLES = {
    "paper": Style(_PAPER, 0, 0, (_AIR,), (_WATER, _ROADS)),
    "ntf": Style(_PAPER, 28, 0, (_AIR,), (_WATER, _ROADS)),
    "ntf2": Style(_PAPER, 26, 5, (_AIR,), (_WATER, _ROADS)),
    "dot": Style(_DOT, 4, 0, (_ROADS, _RAIL, _WATER), ()),
    "personal": _modern({PERSONAL: 0.72, "key_block": 0.03, UNIQUE: 0.25}, {"flat": 0.5}, originals=False),
    "menu": _modern({MENU: 0.7, UNIQUE: 0.3}, {"flat": 0.4}, originals=False),
    "joined": _modern({PERSONAL: 0.45, "exact": 0.2, JOINED: 0.15, UNIQUE: 0.2}, {"flat": 0.2}),
    "quotation": _modern({PERSONAL: 0.3, "exact": 0.3, OPPOSED: 0.12, REPLIED: 0.06, UNIQUE: 0.22}, {}),
    "noisy": _modern({**_LETTERS, UNIQUE: 0.2}, {"noisy": 1.0}),
    "looks": _modern({**_LETTERS, UNIQUE: 0.2}, _EVERY_LOOK),
    "portal": _modern({**_LETTERS, UNIQUE: 0.2}, {"portal": 0.5, "escaped": 0.1, "preamble": 0.2}),
    "foreign": _modern({"exact": 0.35, FOREIGN: 0.25, PERSONAL: 0.2, UNIQUE: 0.2}, {}),
    "rewritten": _modern({"exact": 0.15, REWRITTEN: 0.55, UNIQUE: 0.3}, {}),
    "synonyms": _modern({"exact": 0.15, SYNONYMS: 0.55, UNIQUE: 0.3}, {}),
    "empty": _modern({**_LETTERS, NO_CONTENT: 0.2, UNIQUE: 0.2}, {}),
    "modern": _modern(_EVERY_KIND, {**_EVERY_LOOK, "noisy": 0.1, "portal": 0.2}, originals=False),
}


@dataclass(frozen=True, slots=True)
class DocketSettings:
    """The docket to make: `mix` overrides shares by name, `scattered` campaigns have no two identical letters.

    Without `originals` (None: as in the style), nobody sends a form letter unchanged. `rewriting` is the share of the
    words that are replaced in letters of the kinds `rewritten` and `synonyms`.
    """

    seed: int
    size: int = 1000
    style: str = "paper"
    campaigns: int | None = None
    scattered: int = 0
    mix: Mapping[str, float] = field(default_factory=dict)
    framed: bool = True
    originals: bool | None = None
    rewriting: float = 0.2

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise SettingsError(f"there is no style {self.style!r}: the styles are {', '.join(STYLES)}")
        if self.size < COPIES:
            raise SettingsError(f"a docket of {self.size} letters is too small: a single campaign has {COPIES}")
        if self.campaigns is not None and self.campaigns < 1:
            raise SettingsError(f"{self.campaigns} campaigns: a docket has at least one")
        if not 0 <= self.scattered <= (self.campaigns or self.size):
            raise SettingsError(f"{self.scattered} scattered campaigns: at most all campaigns can be")
        _check_share("words to rewrite", self.rewriting)
        self.resolve_mix()
        self.resolve_frames()

    def resolve_mix(self) -> dict[str, float]:
        """Return the share of each kind of letter: the given ones, the rest in proportion to those of the style."""
        base = STYLES[self.style].mix
        for name in self.mix:
            _check_name(name, (*base, *FRAMES))
        given = {name: _check_share(name, share) for name, share in self.mix.items() if name in base}
        rest = {name: share for name, share in base.items() if name not in given}
        left = 1 - sum(given.values())
        usual = sum(rest.values())
        if left < -1e-9 or (left > 1e-9 and not usual):
            raise SettingsError(f"the shares of the mix add up to {sum(given.values()):g}: all together they must be 1")
        scale = max(left, 0.0) / usual if usual else 0.0
        return {name: given[name] if name in given else rest[name] * scale for name in base}

    def resolve_frames(self) -> dict[str, float]:
        """Return the share of each variant of the frame."""
        asked = {**STYLES[self.style].frames, **self.mix}
        given = {name: _check_share(name, share) for name, share in asked.items() if name in FRAMES}
        left = 1 - sum(given.get(shape, 0.0) for shape in SHAPES)
        if left < -1e-9:
            raise SettingsError(f"the shares of {', '.join(SHAPES)} exclude each other: they add up to 1 at most")
        usual = sum(FRAMES[shape] for shape in SHAPES if shape not in given)
        scale = min(1.0, max(left, 0.0) / usual) if usual else 1.0
        return {name: given.get(name, share * (scale if name in SHAPES else 1)) for name, share in FRAMES.items()}

    def count_campaigns(self) -> int:
        """Return the number of campaigns, if the source has enough letters."""
        if self.campaigns is not None:
            return self.campaigns
        usual = STYLES[self.style].campaigns or isqrt(self.size) * 2 // 3
        if self.originals is False or not STYLES[self.style].originals:
            return max(1, isqrt(self.size) // 3)
        room = int(self.resolve_mix()["exact"] * self.size) // COPIES
        return max(1, min(usual, room))

    def count_menus(self, campaigns: int) -> int:
        """Return how many of the campaigns are menus of talking points: in proportion to their letters."""
        mix = self.resolve_mix()
        forms = sum(share for name, share in mix.items() if name not in (MENU, *ALONE))
        if not mix[MENU]:
            return 0
        if not forms:
            return campaigns
        return min(max(1, round(campaigns * mix[MENU] / (mix[MENU] + forms))), campaigns - 1)

    def count_scattered(self, campaigns: int) -> int:
        """Return how many campaigns have no two identical letters: the last ones, menus among them."""
        if not self.has_originals(menu=False):
            return campaigns
        return max(min(self.scattered, campaigns), self.count_menus(campaigns))

    def is_scattered(self, owner: int, campaigns: int) -> bool:
        """Return whether a campaign has no two identical letters."""
        return owner >= campaigns - self.count_scattered(campaigns)

    def has_originals(self, menu: bool) -> bool:
        """Return whether the original of a campaign is among the letters; a menu has none."""
        return not menu and (STYLES[self.style].originals if self.originals is None else self.originals)


def _check_name(name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f": did you mean {close[0]}?" if close else f": there are {', '.join(known)}"
        raise SettingsError(f"the mix has no {name!r}{hint}")


def _check_share(name: str, share: float) -> float:
    if not isfinite(share) or not 0 <= share <= 1:
        raise SettingsError(f"the share of {name} is {share:g}: it must be between 0 and 1")
    return float(share)


assert set(_NEAR) | {"exact"} == set(EDITS)
