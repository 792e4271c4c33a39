"""Writes the letters of a docket in order of time, each with its gold answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from neardup.errors import InputError, SettingsError
from neardup.reproduce.corpora.docket.bodies.edits import EDITS, Desk, Edited
from neardup.reproduce.corpora.docket.bodies.forms import Form, choose_forms
from neardup.reproduce.corpora.docket.bodies.source import Source, split_words
from neardup.reproduce.corpora.docket.bodies.stock import Stock
from neardup.reproduce.corpora.docket.frame import SALUTATIONS, Correspondence, Framed, frame_letter
from neardup.reproduce.corpora.docket.people import Person, Relayer, invent_person, invent_relayers
from neardup.reproduce.corpora.docket.plan import DAY, REFERENCE, Plan, make_plan
from neardup.reproduce.corpora.docket.settings import NO_BODY, UNIQUE, WRONG_DOCKET, DocketSettings
from neardup.reproduce.random_stream import RandomStream

GENERATOR = 1
"""The version of the generator; it changes when the same seed and source give another docket."""

MOST_COPIES = 5
"""The most writers with the same edits. With more, their version would be a reference copy by the paper's rule
(section 4.3), and it would be unclear whether it is a separate campaign."""

TRIALS = 40
"""After this many edits that other writers have made already, the writer adds a block instead."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter with its gold answer; times are seconds since 1970, None if missing; `arrived` is the true time.

    `docket` is where it was sent, `cited` the number that counts: the one that the text names, else that of the docket.
    """

    id: str
    docket: str
    cited: str
    received: int | None
    posted: int | None
    arrived: int
    person: Person
    relayer: Relayer | None
    framed: Framed
    relation: str
    cluster: str
    added: str
    removed: str
    deeds: tuple[str, ...]
    variants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Campaign:
    """A form letter, the organisation that relays it, and its salutation."""

    form: Form
    relayer: Relayer
    salutation: str


@dataclass(slots=True)
class Tally:
    """Counts of the letters written so far."""

    relations: Counter[str] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    clusters: dict[str, int] = field(default_factory=dict)


class LetterWriter:
    """Writes the letters of one docket; `tally` and `describe` count the letters written so far."""

    def __init__(self, source: Source, settings: DocketSettings) -> None:
        self.settings = settings
        self.source = source
        self.tally = Tally()
        self.campaigns, rest = _choose_campaigns(source, settings)
        self.plan: Plan = make_plan(settings, len(self.campaigns))
        kinds = self.plan.names
        singletons = int((self.plan.kinds == kinds.index(UNIQUE)).sum())
        taken = frozenset(split_words(part) for c in self.campaigns for part in (*c.form.sentences, *c.form.paragraphs))
        self.stock = Stock(rest, taken, singletons, RandomStream(settings.seed, "stock"))
        self._desk = Desk(RandomStream(settings.seed, "edits"), self.stock)
        self._frames = RandomStream(settings.seed, "frames")
        self._addresses = RandomStream(settings.seed, "addresses")
        self._shares = settings.resolve_frames()
        self._numbers = [1] * len(self.plan.docket_numbers)
        # All numbers have the same width, so ids sort in the order of the letters.
        self._digits = max(4, len(str(settings.size + 1)))
        self._references: dict[tuple[int, int], str] = {}
        self._versions: Counter[int] = Counter()
        self._single = self._find_single_letters()

    def __iter__(self) -> Iterator[Letter]:
        """Write the letters; possible only once, because the stock is used up."""
        plan = self.plan
        for kind, owner, docket, seconds in zip(
            plan.kinds.tolist(), plan.campaigns.tolist(), plan.dockets.tolist(), plan.seconds.tolist(), strict=True
        ):
            letter = self._write(plan.names[kind], owner, docket, seconds)
            self.tally.relations[letter.relation] += 1
            self.tally.variants.update(letter.variants)
            if letter.relation != UNIQUE:
                self.tally.clusters[letter.cluster] = self.tally.clusters.get(letter.cluster, 0) + 1
            yield letter

    def describe(self) -> dict[str, Any]:
        """Return the settings and contents of the docket, as in docket.json."""
        settings, homes = self.settings, self.plan.homes
        campaigns = [
            {
                "reference": (reference := self._references[index, homes[index]]),
                "letters": self.tally.clusters[reference],
                "relayer": campaign.relayer.name,
                "docket": self.plan.docket_numbers[homes[index]],
                "shares_boilerplate": campaign.form.shared is not None,
            }
            for index, campaign in enumerate(self.campaigns)
        ]
        return {
            "generator": GENERATOR,
            "settings": {**asdict(settings), "mix": dict(settings.mix)},
            "source": {"letters": self.source.given, "sha256": self.source.fingerprint},
            "relations": dict(sorted(self.tally.relations.items())),
            "variants": dict(sorted(self.tally.variants.items())),
            "clusters": len(self.tally.clusters),
            "recombined_paragraphs": self.stock.recombined,
            "campaigns": campaigns,
        }

    def _find_single_letters(self) -> set[tuple[int, int]]:
        """Return the pairs of campaign and docket with only one letter, which cannot be a copy."""
        counts = Counter(zip(self.plan.campaigns.tolist(), self.plan.dockets.tolist(), strict=True))
        return {index for index, count in counts.items() if count == 1}

    def _write(self, kind: str, owner: int, docket: int, seconds: int) -> Letter:
        edited = self._compose(kind, owner, docket)
        # Half of the letters that cite another docket than their campaign's are sent to the campaign's.
        misfiled = kind == WRONG_DOCKET and self._addresses.happens(0.5)
        sent_to = self.plan.homes[owner] if misfiled else docket
        self._numbers[sent_to] += 1
        name = f"{self.plan.docket_numbers[sent_to]}-{self._numbers[sent_to]:0{self._digits}d}"
        cited = self.plan.docket_numbers[docket]
        correspondence = self._correspond(owner, seconds, cited, must_cite=kind == WRONG_DOCKET)
        framed = self._frame(edited, correspondence)
        copied = kind in ("exact", WRONG_DOCKET)
        received, posted, forged = self._date(seconds, original=edited.relation == REFERENCE, copied=copied)
        return Letter(
            id=name,
            # Without a frame, no text cites a docket, so the column must have the number.
            docket=self.plan.docket_numbers[sent_to] if self.settings.framed else cited,
            cited=cited,
            received=received,
            posted=posted,
            arrived=seconds,
            person=correspondence.person,
            relayer=correspondence.relayer,
            framed=framed,
            relation=edited.relation,
            cluster=name if edited.relation == UNIQUE else self._references.setdefault((owner, docket), name),
            added="\n\n".join(edited.added),
            removed="\n\n".join(edited.removed),
            deeds=edited.deeds,
            variants=framed.variants + forged,
        )

    def _correspond(self, owner: int, seconds: int, cited: str, *, must_cite: bool) -> Correspondence:
        frames = self._frames
        campaign = self.campaigns[owner] if owner >= 0 else None
        return Correspondence(
            person=invent_person(frames),
            seconds=seconds,
            docket=cited,
            cites=must_cite or frames.happens(0.55),
            salutation=campaign.salutation if campaign else frames.pick(SALUTATIONS),
            relayer=campaign.relayer if campaign and frames.happens(0.8) else None,
        )

    def _compose(self, kind: str, owner: int, docket: int) -> Edited:
        if kind == UNIQUE:
            return Edited(UNIQUE, self.stock.take_letter())
        if kind == NO_BODY:
            return Edited(UNIQUE, [], deeds=(NO_BODY,))
        form = self.campaigns[owner].form
        if kind not in (REFERENCE, WRONG_DOCKET):
            return self._edit(kind, owner)
        if (owner, docket) in self._single and kind == WRONG_DOCKET:
            return Edited(UNIQUE, list(form.paragraphs))
        return Edited("exact" if (owner, docket) in self._references else REFERENCE, list(form.paragraphs))

    def _edit(self, kind: str, owner: int) -> Edited:
        """Edit a form letter; a version with too many copies is edited again."""
        form = self.campaigns[owner].form
        most = 1 if owner >= len(self.campaigns) - self.settings.scattered else MOST_COPIES
        for _ in range(TRIALS):
            edited = EDITS[kind](form, self._desk)
            if kind == "exact" or "added" in edited.deeds:
                return edited
            text = "\n".join((str(owner), *edited.paragraphs)).encode()
            version = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
            if self._versions[version] < most:
                self._versions[version] += 1
                return edited
        return EDITS["block_added"](form, self._desk)

    def _frame(self, edited: Edited, letter: Correspondence) -> Framed:
        if not self.settings.framed:
            return Framed("\n\n".join(edited.paragraphs), False, "Public comment", ())
        return frame_letter(edited.paragraphs, letter, self._shares, self._frames)

    def _date(self, seconds: int, *, original: bool, copied: bool) -> tuple[int | None, int | None, tuple[str, ...]]:
        """Return the dates of receipt and posting, and whether they are forged or missing (never for a reference copy).

        An identical copy is never dated before its original, since the two could not be distinguished.
        """
        frames = self._frames
        point = frames.random()
        posted = seconds - seconds % DAY + DAY * frames.between(1, 9)
        if original or not self.settings.framed:
            return seconds, posted, ()
        if point < self._shares["missing_date"]:
            return None, posted if frames.happens(0.5) else None, ("missing_date",)
        if point < self._shares["missing_date"] + self._shares["forged_date"]:
            late = copied or frames.happens(0.4)
            return (2_147_483_647 if late else frames.pick((0, seconds - 400 * DAY))), posted, ("forged_date",)
        return seconds, posted, ()


def format_time(seconds: int | None) -> str:
    """Return a time in the format of the portal."""
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _choose_campaigns(source: Source, settings: DocketSettings) -> tuple[list[Campaign], list[Any]]:
    rng = RandomStream(settings.seed, "campaigns")
    wanted = settings.count_campaigns()
    forms, rest = choose_forms(source.letters, wanted, rng)
    if not forms:
        raise InputError(
            f"none of the {source.given} letters can be a form letter: it needs four paragraphs or more, "
            "150 to 700 words and eight sentences"
        )
    if settings.campaigns is not None and len(forms) < wanted:
        raise SettingsError(
            f"the letters are enough for {len(forms)} campaigns, not for {wanted}: give more letters of four "
            "paragraphs or more, or fewer campaigns"
        )
    relayers = invent_relayers(-(-len(forms) * 3 // 5), rng)
    campaigns = [
        Campaign(form, relayers[index % len(relayers)], rng.pick(SALUTATIONS)) for index, form in enumerate(forms)
    ]
    return campaigns, rest


def summarise_mix(description: Mapping[str, Any]) -> list[tuple[str, int, float]]:
    """Return each relation with its number and share of letters, the most frequent first."""
    relations: dict[str, int] = description["relations"]
    total = sum(relations.values())
    ranked = sorted(relations.items(), key=lambda item: (-item[1], item[0]))
    return [(name, count, count / total) for name, count in ranked]
