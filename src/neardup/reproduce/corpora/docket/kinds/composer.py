"""Composes the body of every letter of a docket, by its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from neardup.reproduce.corpora.docket.bodies.edits import EDITS, Desk, Edited
from neardup.reproduce.corpora.docket.bodies.stock import Stock
from neardup.reproduce.corpora.docket.kinds.campaigns import Campaign
from neardup.reproduce.corpora.docket.kinds.menus import choose_points
from neardup.reproduce.corpora.docket.kinds.mixtures import join_campaigns, oppose, reply
from neardup.reproduce.corpora.docket.kinds.personal import edit_personally, mention_docket
from neardup.reproduce.corpora.docket.kinds.rewriting import rewrite
from neardup.reproduce.corpora.docket.plan import REFERENCE
from neardup.reproduce.corpora.docket.settings import (
    FOREIGN,
    JOINED,
    NO_BODY,
    NO_CONTENT,
    OPPOSED,
    PERSONAL,
    REPLIED,
    REWRITTEN,
    SYNONYMS,
    UNIQUE,
    WRONG_DOCKET,
    DocketSettings,
)
from neardup.reproduce.random_stream import RandomStream

MOST_COPIES = 5
"""The most writers with the same edits. With more, their version would be a reference copy by the paper's rule
(section 4.3), and it would be unclear whether it is a separate campaign."""

TRIALS = 40
"""After this many edits that other writers have made already, the writer adds a block instead."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What to compose: the kind, the campaign, the campaigns that have begun, and facts about the letter.

    `begun` has the first letter of each campaign on the docket; `alone` is a letter without others of its campaign
    on its docket; `header` introduces quoted mail; `foreign` is the number of another docket.
    """

    kind: str
    owner: int
    begun: Mapping[int, str]
    alone: bool
    header: str
    foreign: str


class Composer:
    """Writes bodies; the stock is used up by it."""

    def __init__(self, campaigns: Sequence[Campaign], stock: Stock, settings: DocketSettings) -> None:
        self._campaigns = campaigns
        self._settings = settings
        self._desk = Desk(RandomStream(settings.seed, "edits"), stock)
        self._versions: Counter[int] = Counter()

    def compose(self, brief: Brief) -> tuple[Edited, int]:
        """Return the body of a letter, and the other campaign that it has text of, or -1."""
        if brief.kind in (OPPOSED, REPLIED):
            return self._quote(brief)
        if brief.kind == JOINED:
            return self._join(brief)
        return self._compose_one(brief), -1

    def _compose_one(self, brief: Brief) -> Edited:
        """Return a body with the text of one campaign or none."""
        kind, owner = brief.kind, brief.owner
        if kind == UNIQUE:
            return Edited(UNIQUE, self._desk.stock.take_letter())
        if kind in (NO_BODY, NO_CONTENT):
            return Edited(UNIQUE, [], deeds=(kind,))
        if kind in (REFERENCE, WRONG_DOCKET) and self._settings.has_originals(self._campaigns[owner].menu):
            return self._send_original(brief)
        if kind == FOREIGN:
            return mention_docket(self._campaigns[owner].form, self._desk, brief.foreign)
        return self._edit(kind, owner)

    def _send_original(self, brief: Brief) -> Edited:
        paragraphs = list(self._campaigns[brief.owner].form.paragraphs)
        if brief.alone and brief.kind == WRONG_DOCKET:
            return Edited(UNIQUE, paragraphs)
        return Edited("exact" if brief.owner in brief.begun else REFERENCE, paragraphs)

    def _join(self, brief: Brief) -> tuple[Edited, int]:
        """Join a second campaign; the first letter of a docket has none to join."""
        others = [other for other in brief.begun if other != brief.owner and not self._campaigns[other].menu]
        if not others:
            return self._edit(PERSONAL, brief.owner), -1
        second = self._desk.rng.pick(others)
        form = self._campaigns[brief.owner].form
        edited = join_campaigns(form, self._campaigns[second].form, self._desk)
        return edited, second if edited.other else -1

    def _quote(self, brief: Brief) -> tuple[Edited, int]:
        form = self._campaigns[brief.owner].form
        if brief.kind == REPLIED:
            return reply(form, self._desk, brief.header), brief.owner
        marked = self._desk.rng.happens(0.6)
        edited = oppose(form, self._desk, marked=marked)
        return (edited, brief.owner) if marked else (replace(edited, other=()), -1)

    def _edit(self, kind: str, owner: int) -> Edited:
        """Edit a form letter; a version with too many copies is edited again."""
        settings, campaign = self._settings, self._campaigns[owner]
        most = 1 if settings.is_scattered(owner, len(self._campaigns)) else MOST_COPIES
        for _ in range(TRIALS):
            edited = self._edit_once(kind, campaign)
            if kind == "exact" or "added" in edited.deeds:
                return edited
            text = "\n".join((str(owner), *edited.paragraphs)).encode()
            version = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
            if self._versions[version] < most:
                self._versions[version] += 1
                return edited
        return EDITS["block_added"](campaign.form, self._desk)

    def _edit_once(self, kind: str, campaign: Campaign) -> Edited:
        form, desk, share = campaign.form, self._desk, self._settings.rewriting
        if campaign.menu:
            return choose_points(form, desk)
        if kind in (REWRITTEN, SYNONYMS):
            return rewrite(form, desk, share, synonyms=kind == SYNONYMS)
        return EDITS[kind](form, desk) if kind in EDITS else edit_personally(form, desk)
