"""The experiments of Yang & Callan 2006, section 6, on dockets modelled on the paper's three samples.

The paper's letters are not public. The letters here are generated, and two simulated coders with a stated error rate
replace the human ones. The same letters and seed give the same Tables 1 and 2 and the same Figure 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import api
from neardup.detectors import make_detector
from neardup.errors import SettingsError
from neardup.evaluate import evaluate_labels
from neardup.evaluate.contingency import Integers
from neardup.evaluate.gold import number_labels
from neardup.records import Documents
from neardup.reproduce.corpora.docket import DocketSettings, make_docket
from neardup.reproduce.durian import published
from neardup.reproduce.durian.subcategories import SUBCATEGORIES, Score, mean_f1, score_subcategories
from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.study import Progress, ignore_progress
from neardup.reproduce.tables import Measurements, Row

CODER_ERRORS = 0.02
"""The share of the letters that a simulated coder puts into the wrong cluster."""

TIMES = 3
COUNTS = (0, 5, 10, 20, 30, 40, 50)
KINDS: Mapping[str, tuple[str, ...]] = {
    "must": ("must",),
    "cannot": ("cannot",),
    "family": ("family",),
    "all": ("must", "cannot", "family"),
}
DRAWS = 5
"""The number of random draws of constraints that a point of Figure 4 is averaged over."""

_SHINGLED: Mapping[str, Sequence[float]] = {
    "threshold": [share / 100 for share in range(50, 100, 5)],
    "shingle": [2, 3, 4, 5],
}
SWEEPS: Mapping[str, Mapping[str, Sequence[float]]] = {
    "full": _SHINGLED,
    "dsc": _SHINGLED,
    "imatch": {"terms": [20, 25, 30, 35, 40, 45, 50], "skip": list(range(11))},
}
Settings = Mapping[str, Any]

PAPER_SETTINGS: Mapping[str, Settings] = {
    "full": {"threshold": 0.8, "shingle": 3},
    "dsc": {"threshold": 0.8, "shingle": 3},
    "imatch": {"terms": 30, "skip": 5},
    "durian": {},
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A docket modelled on one of the paper's samples, with its gold labels and its number of form letters."""

    style: str
    documents: Documents
    clusters: Integers
    relations: npt.NDArray[np.str_]
    campaigns: int

    def score(self, labels: Sequence[int] | Integers) -> dict[str, Score]:
        """Score found clusters by subcategory."""
        return score_subcategories(number_labels(labels), self.clusters, self.relations)


@dataclass(frozen=True, slots=True)
class Results:
    """The dockets, the best settings of each method, and the measurements table1, table2, table3 and figure4."""

    seed: int
    samples: Sequence[Sample]
    settings: Mapping[str, Settings]
    measurements: Measurements


def run_experiments(
    letters: Iterable[str],
    seed: int,
    *,
    size: int = 1000,
    draws: int = DRAWS,
    progress: Progress = ignore_progress,
) -> Results:
    """Make the three dockets from real letters and run every experiment on them."""
    if draws < 1:
        raise SettingsError(f"{draws} draws of constraints: at least one is needed")
    texts = list(letters)
    samples = [make_sample(texts, seed, style, size) for style in published.SAMPLES]
    settings = {method: sweep(method, samples, progress) for method in SWEEPS}
    settings["durian"] = PAPER_SETTINGS["durian"]
    measurements = Measurements(
        table1=list(measure_agreement(samples, seed)),
        table2=list(measure_effectiveness(samples, settings)),
        table3=list(measure_time(samples, settings, progress)),
        figure4=list(measure_constraints(samples, draws, progress)),
    )
    return Results(seed, samples, settings, measurements)


def make_sample(letters: Sequence[str], seed: int, style: str, size: int) -> Sample:
    """Make one docket and number its gold clusters."""
    docket = make_docket(letters, DocketSettings(seed, size=size, style=style))
    clusters = number_labels(docket.gold["cluster"])
    relations = np.array(docket.gold["relation"].to_pylist(), np.str_)
    campaigns = int((np.bincount(clusters) > 1).sum())
    return Sample(style, api.read(docket.documents), clusters, relations, campaigns)


def sweep(method: str, samples: Sequence[Sample], progress: Progress) -> Settings:
    """Return the settings with the best F1, averaged over subcategories and dockets; the first of equal ones."""
    names = list(SWEEPS[method])
    trials = [dict(zip(names, values, strict=True)) for values in product(*SWEEPS[method].values())]
    means = []
    for index, settings in enumerate(trials):
        progress(f"sweep {method}", index, len(trials))
        scores = [sample.score(_label(sample, method, settings)) for sample in samples]
        means.append(fmean(map(mean_f1, scores)))
    return trials[means.index(max(means))]


def _label(sample: Sample, method: str, settings: Settings) -> Integers:
    return api.find(sample.documents, make_detector(method, settings)).labels


def measure_agreement(samples: Sequence[Sample], seed: int, errors: float = CODER_ERRORS) -> Iterator[Row]:
    """Compute Table 1: AC1 between two simulated coders and durian."""
    for index, sample in enumerate(samples):
        coders: dict[str, Sequence[int] | Integers] = {
            name: simulate_coder(sample.clusters, RandomStream(seed, f"coder {name} {sample.style}"), errors)
            for name in "AB"
        }
        coders["program"] = _label(sample, "durian", {})
        for (first, second), paper in published.AGREEMENT.items():
            # The macro average goes over the clusters of the first coder.
            measured = evaluate_labels(list(coders[second]), list(coders[first]))
            for average, ours in (("macro", measured.ac1_macro), ("micro", measured.ac1_micro)):
                between = f"{_name_coder(first)} / {_name_coder(second)}"
                yield {
                    "sample": sample.style,
                    "between": between,
                    "average": average,
                    "ac1": ours,
                    "paper_ac1": paper[average][index],
                }


def _name_coder(coder: str) -> str:
    return "Program" if coder == "program" else f"Coder {coder}"


def simulate_coder(clusters: Integers, rng: RandomStream, errors: float) -> list[int]:
    """Return the gold labels with errors: a letter is put into another campaign or, half of the time, left alone."""
    sizes = np.bincount(clusters)
    campaigns = np.flatnonzero(sizes > 1).tolist()
    labels: list[int] = clusters.tolist()
    for index, own in enumerate(clusters.tolist()):
        if not rng.happens(errors):
            continue
        others = [campaign for campaign in campaigns if campaign != own]
        if sizes[own] > 1 and (rng.happens(0.5) or not others):
            labels[index] = len(sizes) + index
        elif others:
            labels[index] = rng.pick(others)
    return labels


def measure_effectiveness(samples: Sequence[Sample], settings: Mapping[str, Settings]) -> Iterator[Row]:
    """Compute Table 2: precision, recall and F1 by subcategory for every method."""
    paper = published.read_effectiveness()
    scores = {
        (sample.style, method): sample.score(_label(sample, method, settings[method]))
        for sample, method in product(samples, published.METHODS)
    }
    for name, method, sample in product(SUBCATEGORIES, published.METHODS, samples):
        paper_scores = zip(("precision", "recall", "f1"), paper[name, method, sample.style], strict=True)
        yield {
            "subcategory": name,
            "method": method,
            "sample": sample.style,
            **asdict(scores[sample.style, method][name]),
            **{f"paper_{measure}": value for measure, value in paper_scores},
        }


def measure_time(samples: Sequence[Sample], settings: Mapping[str, Settings], progress: Progress) -> Iterator[Row]:
    """Compute Table 3: seconds of detection with the paper's settings and with the best ones, and the ratio to full."""
    for done, (sample, (kind, chosen)) in enumerate(product(samples, (("paper", PAPER_SETTINGS), ("best", settings)))):
        progress("time", done, 2 * len(samples))
        seconds = {method: _time(sample, method, chosen[method]) for method in published.METHODS}
        index = list(published.SAMPLES).index(sample.style)
        for method, taken in seconds.items():
            yield {
                "method": method,
                "sample": sample.style,
                "settings": kind,
                "seconds": taken,
                "ratio": taken / seconds["full"],
                "paper_seconds": published.SECONDS[method][index],
                "paper_ratio": published.SECONDS[method][index] / published.SECONDS["full"][index],
            }


def _time(sample: Sample, method: str, settings: Settings) -> float:
    """Return the seconds that all stages of detection take, the best of several runs."""
    runs = (api.find(sample.documents, make_detector(method, settings)).summary["seconds"] for _ in range(TIMES))
    return min(float(sum(stages.values())) for stages in runs)


def measure_constraints(samples: Sequence[Sample], draws: int, progress: Progress) -> Iterator[Row]:
    """Compute Figure 4: F1 by the number of constraints of each kind, the others off, averaged over random draws."""
    points = list(product(samples, KINDS, COUNTS))
    for done, (sample, kind, count) in enumerate(points):
        progress("constraints", done, len(points))
        limits = {name: count if count and name in KINDS[kind] else "off" for name in ("must", "cannot", "family")}
        # Without any constraint there is nothing to draw.
        found = [_label(sample, "durian", {**limits, "seed": seed}) for seed in range(draws if count else 1)]
        yield {
            "sample": sample.style,
            "kind": kind,
            "constraints": count,
            "f1": fmean(mean_f1(sample.score(labels)) for labels in found),
            "pair_f1": fmean(evaluate_labels(labels.tolist(), sample.clusters.tolist()).pair_f1 for labels in found),
            "paper_f1": _paper_f1(sample.style, kind, count),
        }


def _paper_f1(style: str, kind: str, count: int) -> float | None:
    if count == 0:
        return published.WITHOUT_CONSTRAINTS[style]
    known = kind == "all" and count == published.MOST_CONSTRAINTS
    return published.WITH_CONSTRAINTS[style] if known else None
