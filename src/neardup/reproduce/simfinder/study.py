"""The study of Gong, Huang, Cheng & Bai 2008: reads corpora and judged pairs, runs the experiments, and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neardup import api
from neardup.records import Documents
from neardup.reproduce.corpora.messages.growth import FAMILIES, LARGEST
from neardup.reproduce.inputs import list_texts
from neardup.reproduce.simfinder.experiments import Results, Source, run_experiments
from neardup.reproduce.simfinder.figures import list_figures
from neardup.reproduce.simfinder.pairs import name_path, read_pairs
from neardup.reproduce.simfinder.tables import list_tables
from neardup.reproduce.study import Progress, Report, Reproduction, Study
from neardup.reproduce.tables import Measurements
from neardup.version import VERSION


@dataclass(frozen=True, slots=True)
class SimfinderOptions:
    """Files of short texts and of judged pairs (generated messages if both are empty), seed, and texts per corpus."""

    corpora: tuple[str, ...]
    pairs: tuple[str, ...]
    seed: int
    size: int


def run_simfinder(options: SimfinderOptions, progress: Progress) -> Reproduction:
    """Run every experiment on the given or generated corpora and the judged pairs."""
    paths = list(map(Path, options.corpora))
    inputs = [api.read(path, progress=progress) for path in paths]
    corpora = [Source(name_path(path), list_texts(documents)) for path, documents in zip(paths, inputs, strict=True)]
    judged = [read_pairs(Path(name), progress) for name in options.pairs]
    results = run_experiments(corpora, judged, options.seed, size=options.size, progress=progress)
    return present(results, inputs)


STUDY = Study("simfinder", "Gong, Huang, Cheng & Bai 2008", SimfinderOptions, run_simfinder)


def present(results: Results, inputs: Sequence[Documents] = ()) -> Reproduction:
    """Return the results with their report; experiments without rows are left out."""
    report = Report("SimFinder, reproduced", introduce(results), [*list_tables(results), *list_figures(results)])
    measured = Measurements({name: rows for name, rows in results.measurements.items() if rows})
    facts: dict[str, str | int] = {"version": VERSION, "seed": results.seed, "size": results.size}
    return Reproduction(report, measured, "figures.json", facts, inputs)


def introduce(results: Results) -> list[str]:
    """Return what was done, what is generated, and what was chosen where the paper does not say."""
    return [
        'The experiments of Gong, Huang, Cheng & Bai, "Detecting near-duplicates in large-scale short text databases" '
        f"(2008), section 4, seed {results.seed}. Their corpora are not public, and their figures are curves without "
        "values: beside ours stands what their text says.",
        "",
        "- Given: corpora and judged pairs, if any were named. A corpus of more texts than asked for is sampled.",
        f"- Grown: corpora of which the origin of each message is known. {FAMILIES:.0%} of the originals have a family "
        f"of 2 to {LARGEST} messages, large ones more seldom: identical copies, and versions with one edit or more (a "
        "word replaced, dropped or put in, an abbreviation, another number or name, a greeting before or behind, other "
        "punctuation). Where the source has no more originals, they are the beginning of one message and the end of "
        "another. Without any input, the source is written by a grammar.",
        "- Same original: of a grown corpus, a pair of two originals that are alike by themselves counts as wrong, so "
        "its precision is a lower bound.",
        "- Chosen: intervals of duplicate degree hold their upper end; the first holds both. The background database "
        "of term frequencies is the distinct texts of the collection, of judged pairs theirs. Equation 3 is equation 4 "
        "with equal weights, on the same terms.",
        "- Chosen: what the baseline finds is read off the exact answer, of which it finds the pairs with two "
        "continuous terms in common; its comparisons are counted, not made. So for each gram size and feature number.",
        "- Weights as printed: the most frequent term of a class is the heaviest, on a linear scale, times its length "
        "in characters. Ours: the rarest is the heaviest, on a logarithmic scale, and length counts up to a limit. The "
        "paper does not print its weight intervals; the table of the package is used for both.",
        "- Times and memory are of this machine; all else depends on the texts and the seed alone.",
    ]
