"""The study of Ignatov & Kuznetsov 2009: reads collections of web pages, runs the experiments, and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neardup import api
from neardup.reproduce.concepts.experiments import Results, run_experiments
from neardup.reproduce.concepts.figures import list_figures
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.concepts.tables import list_tables
from neardup.reproduce.inputs import find_examples
from neardup.reproduce.study import Progress, Report, Reproduction, Study


@dataclass(frozen=True, slots=True)
class ConceptsOptions:
    """Sources of web pages, each a collection; the project's examples if empty."""

    pages: tuple[str, ...]


def run_concepts(options: ConceptsOptions, progress: Progress) -> Reproduction:
    """Run every experiment on every collection."""
    sources = options.pages or find_examples("*_pages.xml.gz", "pages", "--pages")
    collections = [
        Pages(name, api.read([Path(source)], progress=progress)) for source, name in name_sources(sources).items()
    ]
    return present(run_experiments(collections, progress=progress))


STUDY = Study("concepts", "Ignatov & Kuznetsov 2009", ConceptsOptions, run_concepts)


def present(results: Results) -> Reproduction:
    """Return the results with their report."""
    title = "Frequent itemsets for near-duplicate web pages, reproduced"
    report = Report(title, introduce(results), [*list_tables(results), *list_figures(results)])
    inputs = [pages.documents for pages in results.collections]
    return Reproduction(report, results.measurements, "tables.json", inputs=inputs)


def introduce(results: Results) -> list[str]:
    """Return what was done and what differs from the paper."""
    collections = ", ".join(
        f"{pages.name} {len(pages):,} pages with {len(pages.gold):,} gold pairs" for pages in results.collections
    )
    return [
        "The experiments of Ignatov & Kuznetsov, “Frequent itemset mining for clustering near duplicate web documents” "
        "(ICCS 2009), section 4.",
        "",
        f"- The pages: {collections}. The paper's collection, 530,000 pages of one Russian host, is not available: "
        "the published numbers are of other pages.",
        "- The gold: all pairs of pages whose edit similarity (1 - distance / length of the longer text) is above "
        "0.85. It is exact, over the characters of the visible text with folded white space, including boilerplate. "
        "The paper's gold was computed in the same way, by others.",
        "- Shingles begin at every word. Orders come from a strong mixer, and minima in n permutations carry the "
        "number of their permutation (the paper multiplies by random binary matrices, which is not min-wise). Errors "
        "of the paper are corrected: a cluster has at least k units, and the descriptions of Tables 3 and 4 are "
        "exchanged.",
        "- Pairs are found by the overlap join; all closed clusters and all maximal clusters have the same pairs. "
        "Relative thresholds are ours.",
        "- Times depend on the machine and differ between runs; everything else depends only on the pages.",
    ]


def name_sources(sources: Sequence[str]) -> dict[str, str]:
    """Return a name for each source: that of its file, with parent folders where two files have the same name."""
    paths = {source: Path(source).absolute() for source in dict.fromkeys(sources)}
    names = {source: path.name.split(".")[0] or path.name for source, path in paths.items()}
    for level in range(20):
        repeated = {name for name, count in Counter(names.values()).items() if count > 1}
        if not repeated:
            break
        for source, path in paths.items():
            if names[source] in repeated and len(path.parents) > level:
                names[source] = f"{path.parents[level].name}/{names[source]}"
    return names
