"""The experiments of Yang & Callan 2006, section 6, on dockets made after the paper's three samples.

Nothing of the paper's data is public: the letters are generated, and two simulated coders, who err at a stated rate,
stand in for the human ones. The same letters and seed give the same Tables 1 and 2 and the same Figure 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup import api
from neardup.errors import SettingsError
from neardup.evaluate import evaluate_labels
from neardup.evaluate.contingency import Integers
from neardup.evaluate.gold import number_labels
from neardup.records import Documents
from neardup.reproduce import published
from neardup.reproduce.docket import make_docket
from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.folder import Progress, Row
from neardup.reproduce.subcategories import SUBCATEGORIES, Score, mean_f1, score_subcategories

CODER_ERRORS = 0.02
"""The share of the letters that a simulated coder puts elsewhere."""

TIMES = 3
COUNTS = (0, 5, 10, 20, 30, 40, 50)
KINDS: Mapping[str, tuple[str, ...]] = {
    "must": ("must",),
    "cannot": ("cannot",),
    "family": ("family",),
    "all": ("must", "cannot", "family"),
}
DRAWS = 5
"""How many times constraints are drawn for a point of Figure 4."""

_SHINGLED: Mapping[str, Sequence[float]] = {
    "threshold": [share / 100 for share in range(50, 100, 5)],
    "shingle": [2, 3, 4, 5],
}
SWEEPS: Mapping[str, Mapping[str, Sequence[float]]] = {
    "full": _SHINGLED,
    "dsc": _SHINGLED,
    "imatch": {"terms": [20, 25, 30, 35, 40, 45, 50], "skip": list(range(11))},
}
PAPER_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "full": {"threshold": 0.8, "shingle": 3},
    "dsc": {"threshold": 0.8, "shingle": 3},
    "imatch": {"terms": 30, "skip": 5},
    "durian": {},
}

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """A docket made after one of the paper's samples, with its answers; `campaigns` is how many form letters it has."""

    style: str
    documents: Documents
    clusters: Integers
    relations: npt.NDArray[np.str_]
    campaigns: int

    def score(self, labels: Sequence[int] | Integers) -> dict[str, Score]:
        """Score found clusters by subcategory."""
        return score_subcategories(number_labels(labels), self.clusters, self.relations)


@dataclass
class Reproduction:
    """What came out: the settings of each method, and one row per figure of each table."""

    seed: int
    samples: Sequence[Sample]
    settings: dict[str, Settings] = field(default_factory=dict)
    table1: list[Row] = field(default_factory=list)
    table2: list[Row] = field(default_factory=list)
    table3: list[Row] = field(default_factory=list)
    figure4: list[Row] = field(default_factory=list)


def reproduce_durian(
    letters: Iterable[str],
    seed: int,
    *,
    size: int = 1000,
    draws: int = DRAWS,
    progress: Progress | None = None,
) -> Reproduction:
    """Make the three dockets from real letters and run every experiment on them."""
    if draws < 1:
        raise SettingsError(f"{draws} draws of constraints: at least one is needed")
    tell = progress or (lambda stage, done, total: None)
    texts = list(letters)
    samples = [make_sample(texts, seed, style, size) for style in published.SAMPLES]
    found = Reproduction(seed, samples)
    for method in SWEEPS:
        found.settings[method] = sweep(method, samples, tell)
    found.settings["durian"] = PAPER_SETTINGS["durian"]
    found.table1 = list(measure_agreement(samples, seed))
    found.table2 = list(measure_effectiveness(samples, found.settings))
    found.table3 = list(measure_time(samples, found.settings, tell))
    found.figure4 = list(measure_constraints(samples, draws, tell))
    return found


def make_sample(letters: Sequence[str], seed: int, style: str, size: int) -> Sample:
    """Make one docket and number its answers."""
    docket = make_docket(letters, seed, size=size, style=style)
    clusters = number_labels(docket.gold["cluster"])
    relations = np.array(docket.gold["relation"].to_pylist(), np.str_)
    campaigns = int((np.bincount(clusters) > 1).sum())
    return Sample(style, api.read(docket.documents), clusters, relations, campaigns)


def sweep(method: str, samples: Sequence[Sample], tell: Progress) -> Settings:
    """Return the settings with the best F1, averaged over subcategories and dockets; of equal ones the first."""
    names = list(SWEEPS[method])
    trials = [dict(zip(names, values, strict=True)) for values in product(*SWEEPS[method].values())]
    reached = []
    for place, settings in enumerate(trials):
        tell(f"sweep {method}", place, len(trials))
        scores = [sample.score(_label(sample, method, settings)) for sample in samples]
        reached.append(fmean(map(mean_f1, scores)))
    return trials[reached.index(max(reached))]


def _label(sample: Sample, method: str, settings: Settings) -> Integers:
    return api.find(sample.documents, method, **settings).labels


def measure_agreement(samples: Sequence[Sample], seed: int, errors: float = CODER_ERRORS) -> Iterator[Row]:
    """Compute Table 1: AC1 between two simulated coders and durian."""
    for place, sample in enumerate(samples):
        coders: dict[str, Sequence[int] | Integers] = {
            name: simulate_coder(sample.clusters, Chance(seed, f"coder {name} {sample.style}"), errors) for name in "AB"
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
                    "paper_ac1": paper[average][place],
                }


def _name_coder(coder: str) -> str:
    return "Program" if coder == "program" else f"Coder {coder}"


def simulate_coder(clusters: Integers, chance: Chance, errors: float) -> list[int]:
    """Return the gold labels with errors: letters put into another campaign, or every other time left alone."""
    sizes = np.bincount(clusters)
    campaigns = np.flatnonzero(sizes > 1).tolist()
    labels: list[int] = clusters.tolist()
    for place, own in enumerate(clusters.tolist()):
        if not chance.happens(errors):
            continue
        others = [campaign for campaign in campaigns if campaign != own]
        if sizes[own] > 1 and (chance.happens(0.5) or not others):
            labels[place] = len(sizes) + place
        elif others:
            labels[place] = chance.pick(others)
    return labels


def measure_effectiveness(samples: Sequence[Sample], settings: Mapping[str, Settings]) -> Iterator[Row]:
    """Compute Table 2: precision, recall and F1 by subcategory for every method."""
    paper = published.read_effectiveness()
    scores = {
        (sample.style, method): sample.score(_label(sample, method, settings[method]))
        for sample, method in product(samples, published.METHODS)
    }
    for name, method, sample in product(SUBCATEGORIES, published.METHODS, samples):
        beside = zip(("precision", "recall", "f1"), paper[name, method, sample.style], strict=True)
        yield {
            "subcategory": name,
            "method": method,
            "sample": sample.style,
            **asdict(scores[sample.style, method][name]),
            **{f"paper_{measure}": value for measure, value in beside},
        }


def measure_time(samples: Sequence[Sample], settings: Mapping[str, Settings], tell: Progress) -> Iterator[Row]:
    """Compute Table 3: seconds of detection with the paper's settings and with the best ones, and the ratio to full."""
    for done, (sample, (kind, chosen)) in enumerate(product(samples, (("paper", PAPER_SETTINGS), ("best", settings)))):
        tell("time", done, 2 * len(samples))
        seconds = {method: _time(sample, method, chosen[method]) for method in published.METHODS}
        place = list(published.SAMPLES).index(sample.style)
        for method, taken in seconds.items():
            yield {
                "method": method,
                "sample": sample.style,
                "settings": kind,
                "seconds": taken,
                "ratio": taken / seconds["full"],
                "paper_seconds": published.SECONDS[method][place],
                "paper_ratio": published.SECONDS[method][place] / published.SECONDS["full"][place],
            }


def _time(sample: Sample, method: str, settings: Settings) -> float:
    """Return the seconds that all stages of detection take, the best of several runs."""
    runs = (api.find(sample.documents, method, **settings).summary["seconds"] for _ in range(TIMES))
    return min(float(sum(stages.values())) for stages in runs)


def measure_constraints(samples: Sequence[Sample], draws: int, tell: Progress) -> Iterator[Row]:
    """Compute Figure 4: F1 by the number of constraints of each kind, the others off, averaged over drawings."""
    points = list(product(samples, KINDS, COUNTS))
    for done, (sample, kind, count) in enumerate(points):
        tell("constraints", done, len(points))
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
