"""The study of Yang & Callan 2006: reads letters, runs the experiments on dockets made from them, and reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from neardup import api
from neardup.records import Documents
from neardup.reproduce.durian import published
from neardup.reproduce.durian.experiments import CODER_ERRORS, Results, run_experiments
from neardup.reproduce.durian.figures import list_figures
from neardup.reproduce.durian.tables import list_tables
from neardup.reproduce.inputs import find_examples, list_texts
from neardup.reproduce.study import Progress, Report, Reproduction, Study


@dataclass(frozen=True, slots=True)
class DurianOptions:
    """Sources of real letters (the project's examples if empty), the seed, and the letters per docket."""

    letters: tuple[str, ...]
    seed: int
    size: int


def run_durian(options: DurianOptions, progress: Progress) -> Reproduction:
    """Make three dockets from real letters and run every experiment on them."""
    sources = options.letters or find_examples("letters", "letters to make dockets from", "--letters")
    documents = api.read([Path(source) for source in sources], progress=progress)
    results = run_experiments(filter(None, list_texts(documents)), options.seed, size=options.size, progress=progress)
    return present(results, [documents])


STUDY = Study("durian", "Yang & Callan 2006", DurianOptions, run_durian)


def present(results: Results, inputs: Sequence[Documents] = ()) -> Reproduction:
    """Return the results with their report."""
    report = Report("DURIAN, reproduced", introduce(results), [*list_tables(results), *list_figures(results)])
    return Reproduction(report, results.measurements, inputs=inputs)


def introduce(results: Results) -> list[str]:
    """Return what was done, what is simulated, and the choices that the paper leaves open."""
    samples = ", ".join(
        f"{published.SAMPLES[s.style]} {len(s.documents):,} letters with {s.campaigns} form letters "
        f"(the paper: {published.FORM_LETTERS[s.style]})"
        for s in results.samples
    )
    return [
        'The experiments of Yang & Callan, "Near-duplicate detection by instance-level constrained clustering" '
        f"(SIGIR 2006), section 6, on generated dockets, seed {results.seed}.",
        "",
        f"- Simulated: the letters. The paper's samples are not public. {samples}. A form letter that was also sent "
        "to another docket counts there as a separate form letter, even if the texts are equal. The paper's coders "
        "did not see exact copies; here all letters count.",
        f"- Simulated: the coders. Each has the gold answers, except that {CODER_ERRORS:.0%} of the letters, drawn at "
        "random, are put into another campaign or left alone.",
        "- Chosen: a letter is correct if its cluster and its form letter are each other's largest part. Recall is "
        "over all letters of a subcategory, precision over those in any cluster; singletons must be alone. The paper "
        "does not define its averages.",
        "- Chosen: the baselines cluster the docket; the paper's compared letters with known form letters. Swept: "
        "threshold 0.5 to 0.95 and shingles of 2 to 5 words for Full and DSC, 20 to 50 terms after skipping 0 to 10 "
        "for I-Match. One setting is chosen for the three dockets, on the dockets themselves, which favours the "
        "baselines.",
        "- Times depend on the machine and differ between runs; everything else depends only on the letters and the "
        "seed.",
    ]
