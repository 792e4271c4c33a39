"""Figures 1 to 7 of Ignatov & Kuznetsov 2009, one graph per collection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from neardup.reproduce.concepts import published as paper
from neardup.reproduce.concepts.experiments import Results
from neardup.reproduce.concepts.experiments.mining import OURS, PEER_SECONDS, TIMED
from neardup.reproduce.concepts.experiments.quality import LENGTHS
from neardup.reproduce.figures import BLUE, GREEN, ORANGE, PINK, SKY, YELLOW, Figure, make_axes
from neardup.reproduce.tables import group_rows, select

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

FIGURES = {
    "figure1": "Figure 1: precision, recall and F1 by threshold, shingles of 20 words",
    "figure2": "Figure 2: F1 by shingle length",
    "figure3": "Figure 3: precision, recall and F1 by threshold, shingles of 10 words, images of 150",
    "figure4": "Figure 4: precision, recall and F1 by number of clusters, repeated bisection",
    "figure5": "Figure 5: seconds by threshold, n minimal elements in a permutation",
    "figure6": "Figure 6: seconds by threshold, minimal elements in n permutations",
    "figure7": "Figure 7: seconds by algorithm",
}
OWN_LEGENDS = ("figure5", "figure6")
"""Figures with a legend for each collection."""
GREY = "#555555"
BARS = (GREEN, "#7fcfb6", BLUE, SKY, ORANGE, YELLOW, PINK, "#777777", "#bbbbbb")
Graph = Callable[[Results, str, "Axes"], None]
"""Draws the graph of one collection."""

MEASURES = {"precision": (BLUE, "o"), "recall": (ORANGE, "s"), "f1": (GREEN, "^")}


def list_figures(results: Results) -> list[Figure]:
    """Return every figure, under one heading."""
    return [
        Figure(name, title, partial(draw_figure, results, name), "" if number else "Figures")
        for number, (name, title) in enumerate(FIGURES.items())
    ]


def draw_figure(results: Results, name: str) -> Drawing:
    """Draw one of the figures."""
    count = len(results.collections)
    drawing, graphs = make_axes(count, (1.5 + 5.2 * count, 4.4))
    for graph, pages in zip(graphs, results.collections, strict=True):
        GRAPHS[name](results, pages.name, graph)
        graph.set_title(pages.name, fontsize=10)
        graph.grid(alpha=0.25)
        graph.spines[["top", "right"]].set_visible(False)
        if name in OWN_LEGENDS:
            graph.legend(fontsize=8, frameon=False)
    if name not in OWN_LEGENDS:
        graphs[-1].legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    drawing.suptitle(FIGURES[name], fontsize=11)
    return drawing


def _draw_thresholds(length: int, size: int, printed: Sequence[paper.Scored]) -> Graph:
    def draw(results: Results, name: str, graph: Axes) -> None:
        rows = results.measurements.rows("thresholds", collection=name, method="bottom", length=length, size=size)
        for measure, (colour, marker) in MEASURES.items():
            values = [row[measure] for row in rows]
            graph.plot([row["threshold"] for row in rows], values, color=colour, marker=marker, ms=3.5, label=measure)
        relative = [row["relative_f1"] for row in rows]
        graph.plot([row["threshold"] for row in rows], relative, color=GREEN, ls="--", label="f1, relative threshold")
        graph.scatter(
            [row.setting for row in printed], [row.f1 for row in printed], color=GREY, marker="x", label="f1, the paper"
        )
        graph.invert_xaxis()
        graph.set(xlabel="threshold (units in common)", ylim=(-0.02, 1.02))

    return draw


def _draw_lengths(results: Results, name: str, graph: Axes) -> None:
    styles = {100: (BLUE, "o"), 95: (SKY, "o"), 90: (YELLOW, "s"), 85: (ORANGE, "^"), 60: (GREY, "v")}
    rows = results.measurements.rows("thresholds", collection=name, method="bottom", size=100)
    for threshold, (colour, marker) in styles.items():
        values = [row["f1"] for row in select(rows, threshold=threshold)]
        graph.plot(LENGTHS, values, color=colour, marker=marker, label=f"threshold {threshold}")
    for measure, style, label in (("f1", "-", "best"), ("relative_f1", "--", "best, relative")):
        best = [max(row[measure] for row in select(rows, length=length)) for length in LENGTHS]
        graph.plot(LENGTHS, best, color=GREEN, ls=style, marker="D", label=label)
    graph.set(xlabel="words in a shingle", ylabel="F1", xticks=LENGTHS, ylim=(-0.02, 1.02))


def _draw_bisection(results: Results, name: str, graph: Axes) -> None:
    rows = results.measurements.rows("bisection", collection=name)
    for measure, (colour, marker) in MEASURES.items():
        graph.plot(
            [row["clusters"] for row in rows],
            [row[measure] for row in rows],
            color=colour,
            marker=marker,
            label=measure,
        )
    graph.scatter(
        [row["clusters"] for row in rows],
        [row["paper_f1"] for row in rows],
        color=GREY,
        marker="x",
        label="f1, the paper",
    )
    graph.set(xlabel="clusters (the paper's in proportion to the pages)", ylim=(-0.02, 1.02))


def _draw_times(method: str) -> Graph:
    def draw(results: Results, name: str, graph: Axes) -> None:
        times = results.measurements.rows("times", collection=name, method=method, size=100)
        groups = group_rows(times, "length", "pages")
        markers = dict(zip(sorted({pages for _, pages in groups}), "os^D", strict=False))
        for (length, pages), rows in groups.items():
            colour = BLUE if length == 10 else ORANGE
            label = f"length {length}, {pages:,} pages"
            values = [1000 * row["seconds"] for row in rows]
            graph.plot([row["threshold"] for row in rows], values, color=colour, marker=markers[pages], label=label)
        graph.invert_xaxis()
        graph.set(xlabel="threshold (units in common)", ylabel="milliseconds", ylim=(0, None), xticks=TIMED)

    return draw


def _draw_algorithms(results: Results, name: str, graph: Axes) -> None:
    """Draw the seconds for maximal clusters as bars on a logarithmic scale, hatched if a run did not finish.

    The campaigns follow the contexts of the pages.
    """
    rows = [
        row
        for row in (*results.measurements.rows("algorithms", collection=name), *results.measurements["campaigns"])
        if row["kind"] == "maximal" or (row["kind"] == "cover" and row["algorithm"] == OURS)
    ]
    contexts = list(dict.fromkeys((row["context"], row["threshold"]) for row in rows))
    series: dict[str, dict[tuple[str, int], float | None]] = {}
    for row in rows:
        label = row["algorithm"] if row["kind"] == "maximal" else f"{OURS}, cover"
        series.setdefault(label, {})[row["context"], row["threshold"]] = row["seconds"]
    width = 0.85 / len(series)
    for number, ((label, seconds), colour) in enumerate(zip(series.items(), BARS, strict=False)):
        for position, context in enumerate(contexts):
            taken = seconds.get(context)
            graph.bar(
                position + (number - len(series) / 2 + 0.5) * width,
                PEER_SECONDS if taken is None else taken,
                width,
                color="white" if taken is None else colour,
                edgecolor=colour,
                linewidth=0.6,
                hatch="/////" if taken is None else None,
                label=label if position == 0 else None,
            )
    graph.axhline(PEER_SECONDS, color=GREY, lw=0.8, ls=":")
    graph.set(yscale="log", ylabel=f"seconds (hatched: not done in {PEER_SECONDS:g} s)")
    labels = [f"{context}\n{units} units" for context, units in contexts]
    graph.set_xticks(range(len(contexts)), labels, fontsize=7, rotation=30)


GRAPHS: Mapping[str, Graph] = {
    "figure1": _draw_thresholds(20, 100, paper.TABLE3),
    "figure2": _draw_lengths,
    "figure3": _draw_thresholds(10, 150, paper.TABLE4),
    "figure4": _draw_bisection,
    "figure5": _draw_times("bottom"),
    "figure6": _draw_times("permutations"),
    "figure7": _draw_algorithms,
}
