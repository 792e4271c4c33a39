"""Figure 4 of Yang & Callan 2006: F1 by the number of constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from neardup.reproduce.durian import published
from neardup.reproduce.durian.experiments import Results
from neardup.reproduce.figures import BLACK, BLUE, GREEN, ORANGE, Figure, make_axes
from neardup.reproduce.tables import Row, select

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

LINES: Mapping[str, tuple[str, str]] = {
    "must": ("o", BLUE),
    "cannot": ("s", ORANGE),
    "family": ("^", GREEN),
    "all": ("D", BLACK),
}
"""Marker and colour of each kind of constraint."""


def list_figures(results: Results) -> list[Figure]:
    """Return the one figure of the paper's experiments."""
    return [
        Figure("figure4", "F1 by the number of constraints", partial(draw_constraints, results.measurements["figure4"]))
    ]


def draw_constraints(rows: Sequence[Row]) -> Drawing:
    """Draw F1 against the number of constraints, one graph per docket."""
    drawing, graphs = make_axes(len(published.SAMPLES), (12, 4), share_y=True)
    for graph, (style, name) in zip(graphs, published.SAMPLES.items(), strict=True):
        for kind, (marker, colour) in LINES.items():
            points = select(rows, sample=style, kind=kind)
            counts, values = [p["constraints"] for p in points], [p["f1"] for p in points]
            graph.plot(counts, values, label=kind, marker=marker, color=colour)
        printed = (published.WITHOUT_CONSTRAINTS[style], published.WITH_CONSTRAINTS[style])
        graph.scatter(
            (0, published.MOST_CONSTRAINTS), printed, marker="x", color="black", label="paper: none, 50 of all"
        )
        graph.set(title=name, xlabel="constraints")
        graph.grid(alpha=0.3)
    graphs[0].set_ylabel("mean F1 over subcategories")
    graphs[0].legend()
    return drawing
