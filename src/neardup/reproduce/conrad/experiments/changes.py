"""Collections that change: their growth, the ranks of their terms, and how many signatures change with them.

Conrad, Guo & Schriber 2003, sections 4 to 6.2: Tables 3 and 4, Figures 1 to 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from neardup import api
from neardup.errors import InputError
from neardup.records import Documents
from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.detection import correlate_ranks, measure_signature_changes
from neardup.reproduce.corpora.newswire import invent_stories
from neardup.reproduce.inputs import list_texts
from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.tables import Row

Three = tuple[int, int, int]

PERIODS = ((0, 1), (1, 2), (0, 2))
SAMPLE = 1000

PAPER_GROWTH = (0.8485, 0.9330, 1.0)
"""The shares of a dated collection that give the paper's growth of 9.95 % and 7.18 %."""


@dataclass(frozen=True, slots=True)
class Changing:
    """A collection at three points in time, each with its label; at point i it has the first `ends[i]` texts."""

    name: str
    labels: tuple[str, str, str]
    texts: list[str]
    ends: Three


def read_changing(name: str, documents: Documents, releases: Sequence[str] | None) -> Changing:
    """Divide a collection by its last three releases; without releases by date, with the growth of the paper's."""
    if releases is None:
        return _divide_by_date(name, documents)
    return _divide_by_release(name, documents, releases)


def _divide_by_date(name: str, documents: Documents) -> Changing:
    if documents.times is None:
        raise InputError(f"{name} has neither a column of releases nor dates: name one with --release or --time")
    times, texts = documents.times.to_pylist(), list_texts(documents)
    order = sorted((index for index, time in enumerate(times) if time), key=lambda index: (times[index], index))
    ends = _grow(len(order))
    if not ends[0]:
        raise InputError(f"{name} has too few dated documents to be divided in three")
    first, second, third = (str(times[order[end - 1]].date()) for end in ends)
    return Changing(name, (first, second, third), [texts[index] for index in order], ends)


def _divide_by_release(name: str, documents: Documents, releases: Sequence[str]) -> Changing:
    steps = sorted(set(releases), key=_version_key)
    if len(steps) < 3:
        raise InputError(f"{name} has {len(steps)} releases, but three are needed")
    rank_of = {step: rank for rank, step in enumerate(steps)}
    texts = list_texts(documents)
    order = sorted(range(len(texts)), key=lambda index: (rank_of[releases[index]], index))
    counts = np.cumsum(np.bincount([rank_of[release] for release in releases]))
    first, second, third = map(int, counts[-3:])
    return Changing(name, (steps[-3], steps[-2], steps[-1]), [texts[index] for index in order], (first, second, third))


def _grow(count: int) -> Three:
    """Return three sizes of a collection of `count` documents that grows as the paper's did."""
    first, second, third = (round(count * share) for share in PAPER_GROWTH)
    return first, second, third


def _version_key(release: str) -> tuple[Any, ...]:
    """Order releases by their numbers: 1.10 comes after 1.9."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in release.replace("-", ".").split("."))


def invent_changing(seed: int, number: int, size: int) -> Changing:
    """Generate a collection that grows as the paper's did."""
    texts = [story.text for story in invent_stories(seed, size, f"collection {number}")]
    return Changing(f"invented {number + 1}", ("August", "September", "October"), texts, _grow(len(texts)))


def measure_growth(tables: Sequence[Changing]) -> Iterator[Row]:
    """Compute Table 3: the number of documents at the three points in time."""
    for table in tables:
        yield _growth_row("ours", table.name, table.labels, table.ends)
    totals = tuple(sum(table.ends[index] for table in tables) for index in range(3))
    yield _growth_row("ours", "total", ("first", "second", "third"), totals)
    labels = ("August 2002", "September 2002", "October 2002")
    for name, counts in published.GROWTH.items():
        yield _growth_row("paper", name, labels, counts)
    yield _growth_row("paper", "total", labels, tuple(map(sum, zip(*published.GROWTH.values(), strict=True))))


def _growth_row(of: str, name: str, labels: Sequence[str], counts: Sequence[int]) -> Row:
    return {
        "of": of,
        "collection": name,
        **{f"label_{index + 1}": label for index, label in enumerate(labels)},
        **{f"documents_{index + 1}": count for index, count in enumerate(counts)},
        "change_2": 100 * (counts[1] / counts[0] - 1),
        "change_3": 100 * (counts[2] / counts[1] - 1),
    }


def build_lexicons(tables: Sequence[Changing]) -> list[api.Lexicon]:
    """Return one lexicon of all collections for each point in time."""
    return [
        api.Lexicon.merge([api.Lexicon.build(Documents(table.texts[: table.ends[step]])) for table in tables])
        for step in range(3)
    ]


def measure_correlations(lexicons: Sequence[api.Lexicon]) -> Iterator[Row]:
    """Compute Table 4: the rank correlation of the terms between points in time."""
    for kind in ("alphabetic", "alphanumeric"):
        for period, (a, b) in enumerate(PERIODS):
            common, spearman = correlate_ranks(lexicons[a], lexicons[b], kind)
            terms, coefficient = published.CORRELATIONS[kind, period]
            yield {
                "kind": kind,
                "from": a + 1,
                "to": b + 1,
                "terms_in_both": common,
                "spearman": spearman,
                "paper_terms_in_both": terms,
                "paper_spearman": coefficient,
            }


def measure_changes(tables: Sequence[Changing], lexicons: Sequence[api.Lexicon], seed: int) -> Iterator[Row]:
    """Compute Figures 1 to 4: the share of the signatures that change with the lexicon."""
    for name, sample in _draw_samples(tables, seed).items():
        for period, (a, b) in enumerate(PERIODS):
            for row in measure_signature_changes(sample, lexicons[a], lexicons[b]):
                paper = published.CHANGES.get((int(row["length"]), period))
                yield {"collection": name, "from": a + 1, "to": b + 1, **row, "paper": paper}


def _draw_samples(tables: Sequence[Changing], seed: int) -> dict[str, list[str]]:
    rng = RandomStream(seed, "signatures")
    samples = {table.name: rng.pick_some(table.texts[: table.ends[0]], SAMPLE) for table in tables}
    if len(samples) > 1:
        return {"all": [text for sample in samples.values() for text in sample], **samples}
    return samples
