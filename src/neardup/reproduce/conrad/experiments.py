"""The experiments of Conrad, Guo & Schriber 2003 on collections at hand.

Nothing of the paper's data is public. Duplicate types (Table 2) are counted among the stories as they are; growth, rank
correlation and signature changes (Tables 3 and 4, Figures 1 to 4) on collections that really change, release by release
or by date; detection (Tables 6 to 8) on stories with planted duplicate sets, whose result lists of 20 stand in for the
paper's queries. The same inputs and seed give the same figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from neardup import _core, api
from neardup.errors import InputError
from neardup.normalise import Normaliser
from neardup.records import Documents
from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.categories import CATEGORY_NUMBERS, categorise_set
from neardup.reproduce.conrad.changes import Changing, Row, invent_changing, measure_changes, measure_growth
from neardup.reproduce.conrad.detection import (
    Planted,
    as_documents,
    draw_lists,
    measure_effort,
    measure_keys,
    measure_lists,
    measure_sets,
)
from neardup.reproduce.conrad.newswire import Item, Story, invent_stories, plant_sets

QUERIES = 50
RESULTS = 20
NATURAL_SIMILARITY = 0.25
"""Stories with so many two-word shingles in common with another are left out, so that planted sets are all there is."""

Progress = Callable[[str, int, int | None], None]


@dataclass
class ConradReproduction:
    """What came out: one row per figure of each table."""

    seed: int
    stories: int
    documents: int
    invented: tuple[bool, bool]
    table2: list[Row] = field(default_factory=list)
    table3: list[Row] = field(default_factory=list)
    table4: list[Row] = field(default_factory=list)
    figures: list[Row] = field(default_factory=list)
    table6: list[Row] = field(default_factory=list)
    table7: list[Row] = field(default_factory=list)
    table8: list[Row] = field(default_factory=list)
    sets: list[Row] = field(default_factory=list)
    effort: list[Row] = field(default_factory=list)
    keys: list[Row] = field(default_factory=list)


def reproduce_conrad(
    stories: Sequence[Story] | None,
    changing: Sequence[Changing],
    seed: int,
    *,
    size: int = 3000,
    progress: Progress | None = None,
) -> ConradReproduction:
    """Run every experiment; what is not given is invented."""
    tell = progress or (lambda stage, done, total: None)
    news = list(stories) if stories is not None else invent_stories(seed, size)
    tell("plant", 0, len(news))
    alone = news if stories is None else drop_natural(news)
    items = plant_sets(alone, seed)
    collection = Planted.build(items)
    found = ConradReproduction(seed, len(news), len(items), (stories is None, not changing))
    tell("categories", 0, len(news))
    found.table2 = list(count_categories(news if stories is not None else _without_focus(items)))
    tables = list(changing) or [invent_changing(seed, place, size) for place in range(3)]
    found.table3 = list(measure_growth(tables))
    tell("stability", 0, len(tables))
    found.table4, found.figures = measure_changes(tables, seed)
    tell("sets", 0, len(items))
    found.sets = list(measure_sets(collection))
    found.keys = list(measure_keys(collection))
    tell("result lists", 0, 2 * QUERIES)
    lists = draw_lists(collection, seed, 2 * QUERIES, RESULTS)
    found.table6, found.table7, found.table8 = measure_lists(collection, lists)
    tell("effort", 0, len(items))
    found.effort = list(measure_effort(collection, seed))
    return found


def drop_natural(stories: Sequence[Story]) -> list[Story]:
    """Leave out the stories that have near copies of their own."""
    texts = [story.text for story in stories]
    labels = api.find(texts, "jaccard", threshold=NATURAL_SIMILARITY, shingle=2).labels
    alone = np.bincount(labels)[labels] == 1
    return [story for story, kept in zip(stories, alone, strict=True) if kept]


def read_stories(documents: Documents) -> list[Story]:
    """Take the dated documents of a collection as stories."""
    if documents.times is None:
        raise InputError("the news have no dates: name their column with --time")
    days = [None if time is None else time.toordinal() for time in documents.times.to_pylist()]
    texts = documents.texts.to_list()
    return [Story(text, day) for text, day in zip(texts, days, strict=True) if text and day is not None]


def list_bodies(texts: list[str]) -> list[str]:
    """Return texts without their titles and header lines."""
    opened = Normaliser(markup="plain").open(Documents(texts))
    starts = _core.find_bodies(opened)[1]
    return [opened.prepared(place).encode()[int(start) :].decode() for place, start in enumerate(starts)]


def count_categories(stories: Sequence[Story | Item]) -> Iterator[Row]:
    """Compute Table 2: into which categories the duplicates fall that are found among the stories."""
    result = api.find(as_documents(stories), "conrad")
    bodies = list_bodies([story.text for story in stories])
    sets: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for cluster in result.clusters:
        members = [bodies[int(member.id)] for member in cluster.members]
        own = Counter(categorise_set(members))
        # A set belongs where most of its copies do; its reference copy counts with them.
        name = min(own, key=lambda category: (-own[category], CATEGORY_NUMBERS[category]))
        sets[name] += 1
        documents += own + Counter([name])
    for place, (name, number) in enumerate(CATEGORY_NUMBERS.items()):
        yield {
            "number": number,
            "category": name,
            "sets": sets[name],
            "documents": documents[name],
            "sets_percent": 100 * sets[name] / max(sets.total(), 1),
            "documents_percent": 100 * documents[name] / max(documents.total(), 1),
            **{f"paper_{column}": value for column, value in zip(_PAPER_SHARES, _paper_shares(place), strict=True)},
        }


_PAPER_SHARES = ("allnews_sets", "allnews_documents", "allnewsplus_sets", "allnewsplus_documents")


def _paper_shares(place: int) -> tuple[float, float, float, float]:
    return published.CATEGORY_SHARES[list(CATEGORY_NUMBERS)[place]]


def _without_focus(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.category != "focus"]
