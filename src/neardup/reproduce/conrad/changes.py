"""Collections that change: their growth, the ranks of their terms, and what happens to signatures.

Conrad, Guo & Schriber 2003, sections 4 to 6.2: Tables 3 and 4, Figures 1 to 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from neardup import api
from neardup.errors import InputError
from neardup.normalise import BodyReader, Normaliser
from neardup.records import Documents
from neardup.represent import TermChoice, measure_stability, pair_orders
from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.newswire import invent_stories
from neardup.reproduce.docket.chance import Chance

PERIODS = ((0, 1), (1, 2), (0, 2))
SAMPLE = 1000

PAPER_GROWTH = (0.8485, 0.9330, 1.0)
"""Which shares of a dated collection give the paper's growth of 9.95 % and 7.18 %."""

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Changing:
    """A collection at three points in time: its texts, of which the first so many are there at each."""

    name: str
    labels: tuple[str, str, str]
    texts: list[str]
    ends: tuple[int, int, int]


def read_changing(name: str, documents: Documents, releases: Sequence[str] | None) -> Changing:
    """Cut a collection at its last three releases; without releases by date, where it grew as the paper's did."""
    texts = documents.texts.to_list()
    if releases is None:
        if documents.times is None:
            raise InputError(f"{name} has neither a column of releases nor dates: name one with --release or --time")
        times = documents.times.to_pylist()
        order = sorted((place for place, time in enumerate(times) if time), key=lambda place: (times[place], place))
        ends = tuple(round(len(order) * share) for share in PAPER_GROWTH)
        if not ends[0]:
            raise InputError(f"{name} has too few dated documents to be cut in three")
        labels = tuple(str(times[order[end - 1]].date()) for end in ends)
    else:
        steps = sorted(set(releases), key=_version_key)
        if len(steps) < 3:
            raise InputError(f"{name} has {len(steps)} releases, but three are needed")
        place_of = {step: place for place, step in enumerate(steps)}
        order = sorted(range(len(texts)), key=lambda place: (place_of[releases[place]], place))
        counts = np.cumsum(np.bincount([place_of[release] for release in releases]))
        ends, labels = tuple(map(int, counts[-3:])), tuple(steps[-3:])
    return Changing(name, labels, [texts[place] or "" for place in order], ends)  # type: ignore[arg-type]


def _version_key(release: str) -> tuple[Any, ...]:
    """Order releases by their numbers: 1.10 comes after 1.9."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in release.replace("-", ".").split("."))


def invent_changing(seed: int, number: int, size: int) -> Changing:
    """Invent a collection that grows by the paper's shares."""
    texts = [story.text for story in invent_stories(seed, size, f"collection {number}")]
    ends = tuple(round(len(texts) * share) for share in PAPER_GROWTH)
    return Changing(f"invented {number + 1}", ("August", "September", "October"), texts, ends)  # type: ignore[arg-type]


def measure_growth(tables: Sequence[Changing]) -> Iterator[Row]:
    """Compute Table 3: documents at the three points in time."""
    for table in tables:
        yield _growth_row("ours", table.name, table.labels, table.ends)
    totals = tuple(sum(table.ends[place] for table in tables) for place in range(3))
    yield _growth_row("ours", "total", ("first", "second", "third"), totals)
    labels = ("August 2002", "September 2002", "October 2002")
    for name, counts in published.GROWTH.items():
        yield _growth_row("paper", name, labels, counts)
    yield _growth_row("paper", "total", labels, tuple(map(sum, zip(*published.GROWTH.values(), strict=True))))


def _growth_row(of: str, name: str, labels: Sequence[str], counts: Sequence[int]) -> Row:
    return {
        "of": of,
        "collection": name,
        **{f"label_{place + 1}": label for place, label in enumerate(labels)},
        **{f"documents_{place + 1}": count for place, count in enumerate(counts)},
        "change_2": 100 * (counts[1] / counts[0] - 1),
        "change_3": 100 * (counts[2] / counts[1] - 1),
    }


def measure_changes(tables: Sequence[Changing], seed: int) -> tuple[list[Row], list[Row]]:
    """Compute Table 4 and Figures 1 to 4: one lexicon of all collections at each point in time."""
    lexicons = [api.Lexicon.merge([_count(table.texts[: table.ends[step]]) for table in tables]) for step in range(3)]
    correlations = []
    for kind in ("alphabetic", "alphanumeric"):
        chosen = [lexicon.choose(TermChoice(kind=kind)) for lexicon in lexicons]
        for period, (a, b) in enumerate(PERIODS):
            found = chosen[a].compare(chosen[b])
            terms, coefficient = published.CORRELATIONS[kind, period]
            correlations.append(
                {
                    "kind": kind,
                    "from": a + 1,
                    "to": b + 1,
                    "terms_in_both": found.common,
                    "spearman": found.spearman,
                    "paper_terms_in_both": terms,
                    "paper_spearman": coefficient,
                }
            )
    chance = Chance(seed, "signatures")
    samples = {table.name: chance.pick_some(table.texts[: table.ends[0]], SAMPLE) for table in tables}
    if len(samples) > 1:
        samples = {"all": [text for sample in samples.values() for text in sample], **samples}
    changes = [
        {
            "collection": name,
            "from": a + 1,
            "to": b + 1,
            "order": order,
            **row,
            "paper": published.CHANGES.get((int(row["length"]), period)),
        }
        for name, sample in samples.items()
        for period, (a, b) in enumerate(PERIODS)
        for order, pair in pair_orders(lexicons[a], lexicons[b]).items()
        for row in measure_stability(_open(sample), *pair).rows()
    ]
    return correlations, changes


def _open(texts: list[str]) -> Any:
    return BodyReader().open(Normaliser().open(Documents(texts)))


def _count(texts: list[str]) -> api.Lexicon:
    return api.Lexicon.build(Documents(texts))
