"""Writes the letters of a docket in order of time, each with its gold answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from neardup.reproduce.corpora.docket.bodies.edits import Edited
from neardup.reproduce.corpora.docket.bodies.source import Source, split_words
from neardup.reproduce.corpora.docket.bodies.stock import Stock
from neardup.reproduce.corpora.docket.frame import SALUTATIONS, Correspondence, Framed, frame_letter
from neardup.reproduce.corpora.docket.kinds.campaigns import choose_campaigns
from neardup.reproduce.corpora.docket.kinds.composer import Brief, Composer
from neardup.reproduce.corpora.docket.kinds.empty import write_nothing
from neardup.reproduce.corpora.docket.looks.dress import choose_dress
from neardup.reproduce.corpora.docket.looks.footers import write_reply_header
from neardup.reproduce.corpora.docket.looks.names import LOOKS
from neardup.reproduce.corpora.docket.looks.noise import add_noise
from neardup.reproduce.corpora.docket.people import Person, Relayer, invent_person
from neardup.reproduce.corpora.docket.plan import DAY, REFERENCE, Plan, make_plan
from neardup.reproduce.corpora.docket.settings import NO_CONTENT, QUOTING, UNIQUE, WRONG_DOCKET, DocketSettings
from neardup.reproduce.random_stream import RandomStream

GENERATOR = 1
"""The version of the generator; it changes when the same seed and source give another docket."""


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter with its gold answer; times are seconds since 1970, None if missing; `arrived` is the true time.

    `docket` is where it was sent, `cited` the number that counts: the one that the text names, else that of the docket.
    `also` is another campaign of which the letter has text, `other` that text, `points` the talking points of a menu.
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
    also: str = ""
    other: str = ""
    points: tuple[int, ...] = ()


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
        self.campaigns, rest = choose_campaigns(source, settings)
        self.plan: Plan = make_plan(settings, len(self.campaigns))
        kinds = self.plan.names
        singletons = int((self.plan.kinds == kinds.index(UNIQUE)).sum())
        taken = frozenset(split_words(part) for c in self.campaigns for part in (*c.form.sentences, *c.form.paragraphs))
        self.stock = Stock(rest, taken, singletons, RandomStream(settings.seed, "stock"))
        self._composer = Composer(self.campaigns, self.stock, settings)
        self._frames = RandomStream(settings.seed, "frames")
        self._addresses = RandomStream(settings.seed, "addresses")
        self._shares = settings.resolve_frames()
        self._looks = RandomStream(settings.seed, "looks")
        self._has_looks = any(self._shares[name] for name in LOOKS)
        self._numbers = [1] * len(self.plan.docket_numbers)
        # All numbers have the same width, so ids sort in the order of the letters.
        self._digits = max(4, len(str(settings.size + 1)))
        self._references: list[dict[int, str]] = [{} for _ in self.plan.docket_numbers]
        self._single = self._find_single_letters()

    def __iter__(self) -> Iterator[Letter]:
        """Write the letters; possible only once, because the stock is used up."""
        plan = self.plan
        for kind, owner, docket, seconds in zip(
            plan.kinds.tolist(), plan.campaigns.tolist(), plan.dockets.tolist(), plan.seconds.tolist(), strict=True
        ):
            letter = self._write(plan.names[kind], owner, docket, seconds)
            self.tally.relations[letter.relation or letter.deeds[0]] += 1
            self.tally.variants.update(letter.variants)
            if letter.relation != UNIQUE:
                self.tally.clusters[letter.cluster] = self.tally.clusters.get(letter.cluster, 0) + 1
            yield letter

    def describe(self) -> dict[str, Any]:
        """Return the settings and contents of the docket, as in docket.json."""
        settings, homes = self.settings, self.plan.homes
        campaigns = [
            {
                "reference": (reference := self._references[homes[index]][index]),
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
        edited, other = self._compose(kind, owner, docket, seconds)
        references = self._references[docket]
        # Half of the letters that cite another docket than their campaign's are sent to the campaign's.
        misfiled = kind == WRONG_DOCKET and self._addresses.happens(0.5)
        sent_to = self.plan.homes[owner] if misfiled else docket
        self._numbers[sent_to] += 1
        name = f"{self.plan.docket_numbers[sent_to]}-{self._numbers[sent_to]:0{self._digits}d}"
        cited = self.plan.docket_numbers[docket]
        sender = -1 if kind in QUOTING else owner
        correspondence = self._correspond(sender, seconds, cited, must_cite=kind == WRONG_DOCKET)
        edited, framed = self._frame(edited, correspondence)
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
            cluster=name if edited.relation == UNIQUE else references.setdefault(owner, name),
            added="\n\n".join(edited.added),
            removed="\n\n".join(edited.removed),
            deeds=edited.deeds,
            variants=framed.variants + forged,
            also=references.get(other, ""),
            other="\n\n".join(edited.other),
            points=edited.points,
        )

    def _compose(self, kind: str, owner: int, docket: int, seconds: int) -> tuple[Edited, int]:
        foreign = self.plan.docket_numbers[-1 if docket != len(self.plan.docket_numbers) - 1 else 0]
        header = ""
        if kind in QUOTING:
            number = self.plan.docket_numbers[docket]
            header = write_reply_header(self._correspond(owner, seconds, number, must_cite=False), self._looks)
        alone = (owner, docket) in self._single
        return self._composer.compose(Brief(kind, owner, self._references[docket], alone, header, foreign))

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

    def _frame(self, edited: Edited, letter: Correspondence) -> tuple[Edited, Framed]:
        """Frame a body; noise changes the words of the body and of the gold alike."""
        if NO_CONTENT in edited.deeds:
            text = write_nothing(letter.person, self._looks)
            return edited, Framed(text, False, "Public comment", (NO_CONTENT,))
        marked = "marked" in edited.deeds
        dress = choose_dress(self._shares, self._looks) if self._has_looks and not marked else None
        if dress is not None and "noisy" in dress.looks:
            edited = add_noise(edited, self._looks)
        if not self.settings.framed:
            return edited, Framed("\n\n".join((*edited.paragraphs, *edited.tail)), False, "Public comment", ())
        shares = self._shares
        if marked:
            # Marks of a quotation would be lost on one line, in other layouts, and in a letter that is itself quoted.
            shares = {**shares, "flat": 0.0, "html": 0.0, "quoted": 0.0, "forwarded": 0.0}
        framed = frame_letter(edited.paragraphs, letter, shares, self._frames, dress)
        return edited, replace(
            framed,
            text="\n\n".join((framed.text, *edited.tail)),
            variants=(*framed.variants, *(sorted(dress.looks) if dress else ())),
        )

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


def summarise_mix(description: Mapping[str, Any]) -> list[tuple[str, int, float]]:
    """Return each relation with its number and share of letters, the most frequent first."""
    relations: dict[str, int] = description["relations"]
    total = sum(relations.values())
    ranked = sorted(relations.items(), key=lambda item: (-item[1], item[0]))
    return [(name, count, count / total) for name, count in ranked]
