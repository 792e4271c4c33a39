"""The experiments of Conrad, Guo & Schriber 2003 on given or generated collections.

The paper's collections are not public. Duplicate types (Table 2) are counted among the stories as they are. Growth,
rank correlation and signature changes (Tables 3 and 4, Figures 1 to 4) are measured on collections that change, by
release or by date. Detection (Tables 6 to 8) is measured on stories with planted duplicate sets; result lists of 20
replace the paper's queries. The same inputs and seed give the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from neardup import api
from neardup.errors import InputError
from neardup.records import Documents
from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.detection import list_bodies
from neardup.reproduce.conrad.experiments.categories import CATEGORY_NUMBERS, categorise_set
from neardup.reproduce.conrad.experiments.changes import (
    Changing,
    build_lexicons,
    invent_changing,
    measure_changes,
    measure_correlations,
    measure_growth,
)
from neardup.reproduce.conrad.experiments.lists import draw_lists, measure_effort, measure_lists
from neardup.reproduce.conrad.experiments.planted import Planted, as_documents, measure_keys, measure_sets
from neardup.reproduce.corpora.newswire import Item, Story, invent_stories, plant_sets
from neardup.reproduce.inputs import list_texts
from neardup.reproduce.study import Progress, ignore_progress
from neardup.reproduce.tables import Measurements, Row

QUERIES = 50
RESULTS = 20
NATURAL_SIMILARITY = 0.25
"""Stories with a near copy of this Jaccard similarity are left out, so that no set exists but the planted ones."""

PAPER_COLUMNS = ("allnews_sets", "allnews_documents", "allnewsplus_sets", "allnewsplus_documents")

TABLES = ("table2", "table3", "table4", "figures", "table6", "table7", "table8", "sets", "effort", "keys")
"""The names of the measurements in the order of the report."""


@dataclass(frozen=True, slots=True)
class Results:
    """The numbers of stories and documents, whether news and changing collections were invented, and measurements."""

    seed: int
    stories: int
    documents: int
    invented: tuple[bool, bool]
    measurements: Measurements


def run_experiments(
    stories: Sequence[Story] | None,
    changing: Sequence[Changing],
    seed: int,
    *,
    size: int = 3000,
    progress: Progress = ignore_progress,
) -> Results:
    """Run every experiment; collections that are not given are generated."""
    news = list(stories) if stories is not None else invent_stories(seed, size)
    progress("plant", 0, len(news))
    alone = news if stories is None else drop_natural(news)
    items = plant_sets(alone, seed)
    progress("categories", 0, len(news))
    table2 = list(count_categories(news if stories is not None else _without_focus(items)))
    measurements = Measurements(
        table2=table2, **_measure_changing(changing, seed, size, progress), **_measure_planted(items, seed, progress)
    )
    ordered = Measurements({name: measurements[name] for name in TABLES})
    return Results(seed, len(news), len(items), (stories is None, not changing), ordered)


def _measure_changing(changing: Sequence[Changing], seed: int, size: int, progress: Progress) -> Measurements:
    tables = list(changing) or [invent_changing(seed, number, size) for number in range(3)]
    progress("stability", 0, len(tables))
    lexicons = build_lexicons(tables)
    return Measurements(
        table3=list(measure_growth(tables)),
        table4=list(measure_correlations(lexicons)),
        figures=list(measure_changes(tables, lexicons, seed)),
    )


def _measure_planted(items: Sequence[Item], seed: int, progress: Progress) -> Measurements:
    collection = Planted.build(items)
    progress("sets", 0, len(items))
    sets, keys = list(measure_sets(collection)), list(measure_keys(collection))
    progress("result lists", 0, 2 * QUERIES)
    table6, table7, table8 = measure_lists(collection, draw_lists(collection, seed, 2 * QUERIES, RESULTS))
    progress("effort", 0, len(items))
    effort = list(measure_effort(collection, seed))
    return Measurements(table6=table6, table7=table7, table8=table8, sets=sets, effort=effort, keys=keys)


def drop_natural(stories: Sequence[Story]) -> list[Story]:
    """Return the stories that have no near copies among the others."""
    texts = [story.text for story in stories]
    labels = api.find(texts, "jaccard", threshold=NATURAL_SIMILARITY, shingle=2).labels
    alone = np.bincount(labels)[labels] == 1
    return [story for story, kept in zip(stories, alone, strict=True) if kept]


def read_stories(documents: Documents) -> list[Story]:
    """Return the dated documents of a collection as stories."""
    if documents.times is None:
        raise InputError("the news have no dates: name their column with --time")
    days = [None if time is None else time.toordinal() for time in documents.times.to_pylist()]
    return [Story(text, day) for text, day in zip(list_texts(documents), days, strict=True) if text and day is not None]


def count_categories(stories: Sequence[Story | Item]) -> Iterator[Row]:
    """Compute Table 2: the categories of the duplicates that are found among the stories."""
    result = api.find(as_documents(stories), "conrad")
    bodies = list_bodies([story.text for story in stories])
    sets: Counter[str] = Counter()
    documents: Counter[str] = Counter()
    for cluster in result.clusters:
        members = [bodies[int(member.id)] for member in cluster.members]
        own = Counter(categorise_set(members))
        # A set has the category of most of its copies; its reference copy counts with them.
        name = min(own, key=lambda category: (-own[category], CATEGORY_NUMBERS[category]))
        sets[name] += 1
        documents += own + Counter([name])
    for name, number in CATEGORY_NUMBERS.items():
        paper = zip(PAPER_COLUMNS, published.CATEGORY_SHARES[name], strict=True)
        yield {
            "number": number,
            "category": name,
            "sets": sets[name],
            "documents": documents[name],
            "sets_percent": 100 * sets[name] / max(sets.total(), 1),
            "documents_percent": 100 * documents[name] / max(documents.total(), 1),
            **{f"paper_{column}": value for column, value in paper},
        }


def _without_focus(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.category != "focus"]
