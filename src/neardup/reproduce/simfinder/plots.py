"""The plots of the reproduction, one for each two figures of the paper; matplotlib is imported when one is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neardup.reproduce.folder import Row
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import WEIGHTINGS
from neardup.reproduce.simfinder.precision import ABOVE, EQUATIONS
from neardup.reproduce.simfinder.scale import fit_scale

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333", "#999999")
MARKERS = "osD^vPX*"
EQUATION_LOOKS: Mapping[str, Mapping[str, str]] = {
    "3": {"marker": "s", "color": COLOURS[1], "linestyle": "--"},
    "4 as printed": {"marker": "^", "color": COLOURS[2], "linestyle": "-."},
    "4 ours": {"marker": "o", "color": COLOURS[0], "linestyle": "-"},
}
MODE_LOOKS = {"paper": "-", "prefix": ":"}
ACROSS = 3


def draw_precision(rows: Sequence[Row]) -> Any:
    """Draw precision by duplicate degree with confidence intervals, one graph for each source of pairs."""
    sources = list(dict.fromkeys(row["source"] for row in rows))
    figure, graphs = _grid(len(sources), sharey=True)
    for graph, source in zip(graphs, sources, strict=True):
        for shift, equation in zip((-0.006, 0, 0.006), EQUATIONS, strict=True):
            points = [row for row in rows if (row["source"], row["equation"]) == (source, equation)]
            points = [row for row in points if row["degree"] != ABOVE and row["pairs"]]
            # The equations of one degree stand side by side.
            graph.errorbar(
                [float(row["degree"]) - 0.025 + shift for row in points],
                [row["precision"] for row in points],
                yerr=[
                    [max(0.0, row["precision"] - row["low"]) for row in points],
                    [max(0.0, row["high"] - row["precision"]) for row in points],
                ],
                label=f"equation {equation}",
                capsize=2,
                **EQUATION_LOOKS[equation],
            )
        graph.axvline(published.THRESHOLD, color="black", linewidth=0.8, linestyle=":", label="the paper's threshold")
        labels = next(row["labels"] for row in rows if row["source"] == source)
        graph.set(title=f"{source} ({labels})", xlabel="duplicate degree, middle of the interval", ylim=(-0.03, 1.05))
        graph.grid(alpha=0.3)
    graphs[0].set_ylabel("precision")
    graphs[0].legend()
    return figure


MEASURES = {
    "recall_baseline": "recall relative to the baseline",
    "recall_exact": "recall relative to the exact answer",
    "comparisons": "comparisons",
}


def draw_recall(rows: Sequence[Row], what: str, chosen: str) -> Any:
    """Draw recall and comparisons against a setting, three graphs for each weighting."""
    shown = [row for row in rows if row["setting"] != "baseline"]
    corpora, settings = (list(dict.fromkeys(row[name] for row in shown)) for name in ("corpus", "setting"))
    figure, graphs = _grid(len(WEIGHTINGS) * len(MEASURES))
    places = [(weighting, measure) for weighting in WEIGHTINGS for measure in MEASURES]
    for graph, (weighting, measure) in zip(graphs, places, strict=True):
        for place, corpus in enumerate(corpora):
            points = [row for row in shown if (row["corpus"], row["weighting"]) == (corpus, weighting)]
            points = [row for row in points if row[measure] > 0]
            look = {"marker": MARKERS[place % len(MARKERS)], "color": COLOURS[place % len(COLOURS)]}
            at = [settings.index(row["setting"]) for row in points]
            graph.plot(at, [row[measure] for row in points], label=corpus, markersize=4, **look)
        graph.axvline(settings.index(chosen), color="black", linewidth=0.8, linestyle=":")
        graph.set(title=f"{MEASURES[measure]}\nweights {weighting}", xlabel=f"{what} (dotted: the paper's choice)")
        graph.set_xticks(range(len(settings)), settings, rotation=0 if len(settings) < 8 else 45)
        if measure == "comparisons":
            # Where nothing is compared there is no point to draw.
            graph.set_yscale("log")
        else:
            graph.set_ylim(0, None)
        graph.grid(alpha=0.3)
    figure.legend(*graphs[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize="small")
    return figure


def draw_scale(rows: Sequence[Row], measure: str, said: str) -> Any:
    """Draw a measure against the number of texts with its line of least squares, one graph for each corpus."""
    lines = fit_scale(rows, measure)
    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    figure, graphs = _grid(len(corpora))
    for graph, corpus in zip(graphs, corpora, strict=True):
        for place, (mode, style) in enumerate(MODE_LOOKS.items()):
            points = [row for row in rows if (row["corpus"], row["mode"]) == (corpus, mode)]
            texts = [row["texts"] for row in points]
            look = {"marker": MARKERS[place], "color": COLOURS[place], "linestyle": "none"}
            graph.plot(texts, [row[measure] for row in points], label=f"{mode} mode", **look)
            line = lines[corpus, mode]
            fitted = f"line, R² = {line.explained:.3f}"
            graph.plot(texts, [line.at(x) for x in texts], color=COLOURS[place], linestyle=style, label=fitted)
        highest = max(row[measure] for row in rows if row["corpus"] == corpus)
        graph.set(title=corpus, xlabel="texts", ylabel=said, ylim=(0, 1.1 * highest or 1), xlim=(0, None))
        graph.ticklabel_format(axis="x", style="plain")
        graph.tick_params(axis="x", rotation=30)
        graph.grid(alpha=0.3)
        graph.legend(fontsize="small")
    return figure


def _grid(count: int, *, sharey: bool = False) -> tuple[Any, list[Any]]:
    """Return a figure with so many graphs, three to a row."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional part

    across = min(count, ACROSS)
    down = -(-count // across)
    figure = Figure(figsize=(4.5 * across + 0.5, 4 * down), layout="constrained")
    graphs = figure.subplots(down, across, sharey=sharey, squeeze=False).ravel().tolist()
    for spare in graphs[count:]:
        figure.delaxes(spare)
    return figure, graphs[:count]
