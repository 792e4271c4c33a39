"""The study of Conrad, Guo & Schriber 2003: reads news and changing collections, runs the experiments, and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neardup import api
from neardup.errors import InputError
from neardup.records import Documents
from neardup.reproduce.conrad.experiments import NATURAL_SIMILARITY, Results, read_stories, run_experiments
from neardup.reproduce.conrad.experiments.changes import Changing, read_changing
from neardup.reproduce.conrad.figures import draw_changes, draw_sets
from neardup.reproduce.conrad.tables import list_tables
from neardup.reproduce.corpora.newswire import LEAST_WORDS
from neardup.reproduce.figures import Figure
from neardup.reproduce.inputs import list_texts
from neardup.reproduce.study import Progress, Report, Reproduction, Study
from neardup.reproduce.tables import Table


@dataclass(frozen=True, slots=True)
class ConradOptions:
    """Sources of dated news and of changing collections (generated if empty), the release column, seed and size."""

    news: tuple[str, ...]
    changing: tuple[str, ...]
    release: str | None
    seed: int
    size: int


def run_conrad(options: ConradOptions, progress: Progress) -> Reproduction:
    """Run every experiment on the given or generated collections."""
    inputs = [api.read([Path(name) for name in options.news], progress=progress)] if options.news else []
    stories = read_stories(inputs[0]) if inputs else None
    changing = [_read_collection(name, options.changing, options.release) for name in options.changing]
    results = run_experiments(stories, changing, options.seed, size=options.size, progress=progress)
    return present(results, inputs)


STUDY = Study("conrad", "Conrad, Guo & Schriber 2003", ConradOptions, run_conrad)


def present(results: Results, inputs: Sequence[Documents] = ()) -> Reproduction:
    """Return the results with their report; each figure follows its table."""
    drawings = {
        "Figures 1 to 4": ("figures", lambda: draw_changes(results.measurements["figures"])),
        "Planted sets": ("sets", lambda: draw_sets(results.measurements["sets"])),
    }
    sections: list[Table | Figure] = []
    for table in list_tables(results):
        sections.append(table)
        for start, (name, draw) in drawings.items():
            if table.title.startswith(start):
                sections.append(Figure(name, table.title, draw))
    report = Report("Conrad et al. 2003, reproduced", introduce(results), sections)
    return Reproduction(report, results.measurements, inputs=inputs)


def introduce(results: Results) -> list[str]:
    """Return what was done and what is simulated."""
    news, changing = ("invented" if invented else "given" for invented in results.invented)
    return [
        'The experiments of Conrad, Guo & Schriber, "Online duplicate document detection: signature reliability in a '
        f'dynamic retrieval environment" (CIKM 2003), seed {results.seed}.',
        "",
        f"- The news are {news}: {results.stories:,} stories. Sets are planted among the stories of {LEAST_WORDS} "
        f"words or more that have no near copy (Jaccard {NATURAL_SIMILARITY} of two-word shingles): "
        f"{results.documents:,} documents, including versions, recurring reports and tables of numbers.",
        "- Planted: excerpts of 84 to 96 % of the words, elaborations by a paragraph of 4 to 15 %, insertions of 3 to "
        "12 %, revisions of 2 to 8 % of the words and a third of the numbers, exact copies with another title; all "
        "within four weeks. Rewritten stories (focus) keep a quarter of their words. Sets have the sizes of Table 7.",
        f"- The changing collections are {changing}. A collection with releases is used at its last three, each with "
        "all earlier releases; a collection with dates is divided so that it grows like the paper's.",
        "- Simulated: queries and assessors. Result lists are documents with common rare terms, and the answers are "
        "known.",
        "- Not reproduced: Table 1 (sizes of databases) and Table 5 (sample queries).",
    ]


def _read_collection(name: str, others: Sequence[str], release: str | None) -> Changing:
    """Read a changing collection; one without the column of releases is divided by date."""
    path = Path(name)
    alike = sum(Path(other).name == path.name for other in others) > 1
    documents = api.read(path)
    releases = None if release is None else _read_releases(path, release, len(documents))
    return read_changing(f"{path.absolute().parent.name}/{path.name}" if alike else path.name, documents, releases)


def _read_releases(path: Path, release: str, count: int) -> list[str] | None:
    """Return the release of each record, or None if there is no such column."""
    try:
        releases = list_texts(api.read(path, text=release))
    except InputError:
        return None
    if len(releases) != count or not all(releases):
        raise InputError(f"{path}: not every record has a release in the column {release!r}")
    return releases
