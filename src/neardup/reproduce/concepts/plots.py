"""Figures 1 to 7 of Ignatov & Kuznetsov 2009, one graph for each collection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from neardup.reproduce.concepts import published as paper
from neardup.reproduce.concepts.experiments import LENGTHS, OURS, PEER_SECONDS, TIMED, Reproduction, Row
from neardup.reproduce.folder import Plot

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
"""Figures in which every collection has lines of its own."""
BLUE, ORANGE, GREEN, GREY, PINK, YELLOW, SKY = (
    *("#0072b2", "#d55e00", "#009e73", "#555555"),
    *("#cc79a7", "#e69f00", "#56b4e9"),
)
BARS = (GREEN, "#7fcfb6", BLUE, SKY, ORANGE, YELLOW, PINK, "#777777", "#bbbbbb")
MEASURES = {"precision": (BLUE, "o"), "recall": (ORANGE, "s"), "f1": (GREEN, "^")}


def list_plots(found: Reproduction) -> list[Plot]:
    """List every figure."""
    return [Plot(name, title, partial(draw_figure, found, name)) for name, title in FIGURES.items()]


def draw_figure(found: Reproduction, name: str) -> Any:
    """Draw one of the figures."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional part

    collections = len(found.collections)
    figure = Figure(figsize=(1.5 + 5.2 * collections, 4.4), layout="constrained")
    graphs = figure.subplots(1, collections, squeeze=False)[0]
    for graph, pages in zip(graphs, found.collections, strict=True):
        DRAWERS[name](found, pages.name, graph)
        graph.set_title(pages.name, fontsize=10)
        graph.grid(alpha=0.25)
        graph.spines[["top", "right"]].set_visible(False)
        if name in OWN_LEGENDS:
            graph.legend(fontsize=8, frameon=False)
    if name not in OWN_LEGENDS:
        graphs[-1].legend(fontsize=8, frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    figure.suptitle(FIGURES[name], fontsize=11)
    return figure


def _draw_thresholds(
    length: int, size: int, printed: Sequence[paper.Scored]
) -> Callable[[Reproduction, str, Any], None]:
    def draw(found: Reproduction, name: str, graph: Any) -> None:
        rows = found.rows("thresholds", collection=name, method="bottom", length=length, size=size)
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


def _draw_lengths(found: Reproduction, name: str, graph: Any) -> None:
    looks = {100: (BLUE, "o"), 95: (SKY, "o"), 90: (YELLOW, "s"), 85: (ORANGE, "^"), 60: (GREY, "v")}
    rows = found.rows("thresholds", collection=name, method="bottom", size=100)
    for threshold, (colour, marker) in looks.items():
        values = [row["f1"] for row in rows if row["threshold"] == threshold]
        graph.plot(LENGTHS, values, color=colour, marker=marker, label=f"threshold {threshold}")
    for measure, style, label in (("f1", "-", "best"), ("relative_f1", "--", "best, relative")):
        best = [max(row[measure] for row in rows if row["length"] == length) for length in LENGTHS]
        graph.plot(LENGTHS, best, color=GREEN, ls=style, marker="D", label=label)
    graph.set(xlabel="words in a shingle", ylabel="F1", xticks=LENGTHS, ylim=(-0.02, 1.02))


def _draw_bisection(found: Reproduction, name: str, graph: Any) -> None:
    rows = found.rows("bisection", collection=name)
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


def _draw_times(method: str) -> Callable[[Reproduction, str, Any], None]:
    def draw(found: Reproduction, name: str, graph: Any) -> None:
        groups: dict[tuple[int, int], list[Row]] = {}
        for row in found.rows("times", collection=name, method=method, size=100):
            groups.setdefault((row["length"], row["pages"]), []).append(row)
        markers = dict(zip(sorted({pages for _, pages in groups}), "os^D", strict=False))
        for (length, pages), rows in groups.items():
            colour = BLUE if length == 10 else ORANGE
            label = f"length {length}, {pages:,} pages"
            values = [1000 * row["seconds"] for row in rows]
            graph.plot([row["threshold"] for row in rows], values, color=colour, marker=markers[pages], label=label)
        graph.invert_xaxis()
        graph.set(xlabel="threshold (units in common)", ylabel="milliseconds", ylim=(0, None), xticks=TIMED)

    return draw


def _draw_algorithms(found: Reproduction, name: str, graph: Any) -> None:
    """Draw the seconds for maximal clusters as bars on a logarithmic scale; what did not end is hatched.

    Behind the contexts of the pages stand the campaigns.
    """
    rows = [
        row
        for row in (*found.rows("algorithms", collection=name), *found.tables["campaigns"])
        if row["kind"] == "maximal" or (row["kind"] == "cover" and row["algorithm"] == OURS)
    ]
    contexts = list(dict.fromkeys((row["context"], row["threshold"]) for row in rows))
    series: dict[str, dict[tuple[str, int], float | None]] = {}
    for row in rows:
        label = row["algorithm"] if row["kind"] == "maximal" else f"{OURS}, cover"
        series.setdefault(label, {})[row["context"], row["threshold"]] = row["seconds"]
    width = 0.85 / len(series)
    for place, ((label, seconds), colour) in enumerate(zip(series.items(), BARS, strict=False)):
        for at, context in enumerate(contexts):
            taken = seconds.get(context)
            graph.bar(
                at + (place - len(series) / 2 + 0.5) * width,
                PEER_SECONDS if taken is None else taken,
                width,
                color="white" if taken is None else colour,
                edgecolor=colour,
                linewidth=0.6,
                hatch="/////" if taken is None else None,
                label=label if at == 0 else None,
            )
    graph.axhline(PEER_SECONDS, color=GREY, lw=0.8, ls=":")
    graph.set(yscale="log", ylabel=f"seconds (hatched: not done in {PEER_SECONDS:g} s)")
    labels = [f"{context}\n{units} units" for context, units in contexts]
    graph.set_xticks(range(len(contexts)), labels, fontsize=7, rotation=30)


DRAWERS: dict[str, Callable[[Reproduction, str, Any], None]] = {
    "figure1": _draw_thresholds(20, 100, paper.TABLE3),
    "figure2": _draw_lengths,
    "figure3": _draw_thresholds(10, 150, paper.TABLE4),
    "figure4": _draw_bisection,
    "figure5": _draw_times("bottom"),
    "figure6": _draw_times("permutations"),
    "figure7": _draw_algorithms,
}
