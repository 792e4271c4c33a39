"""Figures 1 to 10 of Gong et al. 2008, two in each drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from neardup.reproduce.figures import BLACK, BLUE, GREEN, ORANGE, PINK, SKY, YELLOW, Figure, make_axes
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import WEIGHTINGS
from neardup.reproduce.simfinder.experiments import Results
from neardup.reproduce.simfinder.experiments.precision import ABOVE, EQUATIONS
from neardup.reproduce.simfinder.experiments.scale import fit_scale
from neardup.reproduce.tables import Row, distinct, select

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

COLOURS = (BLUE, ORANGE, GREEN, PINK, YELLOW, SKY, BLACK, "#999999")
MARKERS = "osD^vPX*"
EQUATION_STYLES: Mapping[str, tuple[str, str, str]] = {
    "3": ("s", ORANGE, "--"),
    "4 as printed": ("^", GREEN, "-."),
    "4 ours": ("o", BLUE, "-"),
}
"""Marker, colour and line of each equation."""

MODE_LINES = {"paper": "-", "prefix": ":"}
ACROSS = 3


def list_figures(results: Results) -> list[Figure]:
    """Return the figures that have measurements."""
    precision, grams, features, scale = (
        results.measurements[name] for name in ("precision", "grams", "features", "scale")
    )
    gram = published.GRAM
    figures: tuple[tuple[Sequence[Row], str, str, Callable[[], Drawing]], ...] = (
        (precision, "figures1-2", "Precision by duplicate degree", partial(draw_precision, precision)),
        (grams, "figures3-4", "Gram size", partial(draw_recall, grams, "gram size N", str(gram))),
        (features, "figures5-6", "Features", partial(draw_recall, features, "features", f"k+{gram}")),
        (scale, "figures7-8", "Time", partial(draw_scale, scale, "seconds", "seconds")),
        (scale, "figures9-10", "Memory", partial(draw_scale, scale, "memory_megabytes", "peak megabytes")),
    )
    return [Figure(name, title, draw) for rows, name, title, draw in figures if rows]


def draw_precision(rows: Sequence[Row]) -> Drawing:
    """Draw precision by duplicate degree with confidence intervals, one graph per source of pairs."""
    sources = distinct(rows, "source")
    drawing, graphs = _make_grid(len(sources), share_y=True)
    for graph, source in zip(graphs, sources, strict=True):
        for shift, equation in zip((-0.006, 0, 0.006), EQUATIONS, strict=True):
            marker, colour, line = EQUATION_STYLES[equation]
            points = select(rows, source=source, equation=equation)
            points = [row for row in points if row["degree"] != ABOVE and row["pairs"]]
            # The equations of one degree are drawn side by side.
            graph.errorbar(
                [float(row["degree"]) - 0.025 + shift for row in points],
                [row["precision"] for row in points],
                yerr=[
                    [max(0.0, row["precision"] - row["low"]) for row in points],
                    [max(0.0, row["high"] - row["precision"]) for row in points],
                ],
                label=f"equation {equation}",
                capsize=2,
                marker=marker,
                color=colour,
                linestyle=line,
            )
        graph.axvline(published.THRESHOLD, color="black", linewidth=0.8, linestyle=":", label="the paper's threshold")
        labels = select(rows, source=source)[0]["labels"]
        graph.set(title=f"{source} ({labels})", xlabel="duplicate degree, middle of the interval", ylim=(-0.03, 1.05))
        graph.grid(alpha=0.3)
    graphs[0].set_ylabel("precision")
    graphs[0].legend()
    return drawing


MEASURES = {
    "recall_baseline": "recall relative to the baseline",
    "recall_exact": "recall relative to the exact answer",
    "comparisons": "comparisons",
}


def draw_recall(rows: Sequence[Row], what: str, chosen: str) -> Drawing:
    """Draw recall and comparisons against a setting, three graphs per weighting."""
    shown = [row for row in rows if row["setting"] != "baseline"]
    corpora, settings = (distinct(shown, column) for column in ("corpus", "setting"))
    drawing, graphs = _make_grid(len(WEIGHTINGS) * len(MEASURES))
    contents = [(weighting, measure) for weighting in WEIGHTINGS for measure in MEASURES]
    for graph, (weighting, measure) in zip(graphs, contents, strict=True):
        for number, corpus in enumerate(corpora):
            points = [row for row in select(shown, corpus=corpus, weighting=weighting) if row[measure] > 0]
            graph.plot(
                [settings.index(row["setting"]) for row in points],
                [row[measure] for row in points],
                label=corpus,
                markersize=4,
                marker=MARKERS[number % len(MARKERS)],
                color=COLOURS[number % len(COLOURS)],
            )
        graph.axvline(settings.index(chosen), color="black", linewidth=0.8, linestyle=":")
        graph.set(title=f"{MEASURES[measure]}\nweights {weighting}", xlabel=f"{what} (dotted: the paper's choice)")
        graph.set_xticks(range(len(settings)), settings, rotation=0 if len(settings) < 8 else 45)
        if measure == "comparisons":
            graph.set_yscale("log")
        else:
            graph.set_ylim(0, None)
        graph.grid(alpha=0.3)
    drawing.legend(*graphs[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize="small")
    return drawing


def draw_scale(rows: Sequence[Row], measure: str, label: str) -> Drawing:
    """Draw a measure against the number of texts with its line of least squares, one graph per corpus."""
    lines = fit_scale(rows, measure)
    corpora = distinct(rows, "corpus")
    drawing, graphs = _make_grid(len(corpora))
    for graph, corpus in zip(graphs, corpora, strict=True):
        for number, (mode, style) in enumerate(MODE_LINES.items()):
            points = select(rows, corpus=corpus, mode=mode)
            texts = [row["texts"] for row in points]
            graph.plot(
                texts,
                [row[measure] for row in points],
                label=f"{mode} mode",
                marker=MARKERS[number],
                color=COLOURS[number],
                linestyle="none",
            )
            line = lines[corpus, mode]
            fitted = f"line, R² = {line.explained:.3f}"
            graph.plot(texts, [line.at(x) for x in texts], color=COLOURS[number], linestyle=style, label=fitted)
        highest = max(row[measure] for row in select(rows, corpus=corpus))
        graph.set(title=corpus, xlabel="texts", ylabel=label, ylim=(0, 1.1 * highest or 1), xlim=(0, None))
        graph.ticklabel_format(axis="x", style="plain")
        graph.tick_params(axis="x", rotation=30)
        graph.grid(alpha=0.3)
        graph.legend(fontsize="small")
    return drawing


def _make_grid(count: int, *, share_y: bool = False) -> tuple[Drawing, list[Axes]]:
    """Return a drawing with `count` graphs, three to a row."""
    across = min(count, ACROSS)
    return make_axes(count, (4.5 * across + 0.5, 4 * -(-count // across)), across=across, share_y=share_y)
