"""The figures of the reproduction of Conrad et al. 2003: changed signatures, and planted sets found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.experiments.planted import SETTINGS
from neardup.reproduce.conrad.tables import ORDERS, PERIODS
from neardup.reproduce.corpora.newswire import CATEGORIES
from neardup.reproduce.figures import BLUE, GREEN, ORANGE, SKY, make_axes
from neardup.reproduce.tables import Row, distinct, select

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing


def draw_changes(rows: Sequence[Row]) -> Drawing:
    """Draw the share of unchanged signatures against their length, one graph per collection."""
    collections = distinct(rows, "collection")
    drawing, graphs = make_axes(len(collections), (max(5 * len(collections), 9), 5.5), share_y=True)
    for graph, name in zip(graphs, collections, strict=True):
        for ((first, last), period), colour in zip(PERIODS.items(), (BLUE, ORANGE, GREEN), strict=True):
            for order, line in (("idf", "-"), ("quantised", "--"), ("followed", ":")):
                own = select(rows, **{"collection": name, "order": order, "from": first, "to": last})
                unchanged = [100 * (1 - row["sets"]) for row in own]
                label = f"{period}, {ORDERS[order]}"
                graph.plot([row["length"] for row in own], unchanged, line, color=colour, label=label)
        points = [(length, 100 * (1 - share)) for (length, _), share in published.CHANGES.items()]
        lengths, shares = zip(*points, strict=True)
        graph.scatter(lengths, shares, marker="x", color="black", label="paper, Figure 1, in words")
        graph.set(title=name, xlabel="terms in the signature", ylim=(0, 103))
        graph.grid(alpha=0.3)
    graphs[0].set_ylabel("unchanged signatures, %")
    handles, labels = graphs[0].get_legend_handles_labels()
    drawing.legend(handles, labels, fontsize="small", loc="outside lower center", ncols=4)
    return drawing


def draw_sets(rows: Sequence[Row]) -> Drawing:
    """Draw the share of planted sets found by category, for vectors of 60 and 30 terms."""
    drawing, (graph,) = make_axes(1, (8, 4))
    for number, (settings, colour) in enumerate(zip((SETTINGS[0], SETTINGS[2]), (BLUE, SKY), strict=True)):
        own = {row["category"]: row for row in select(rows, otherwise="", **settings)}
        shares = [100 * own[name]["recall"] for name in CATEGORIES]
        centres = [category + 0.4 * number - 0.2 for category in range(len(CATEGORIES))]
        bars = graph.bar(centres, shares, 0.38, label=f"{settings['terms']} terms", color=colour)
        tall = [f"{share:.1f}" if share > 10 else "" for share in shares]
        low = ["" if share > 10 else f"{share:.1f}" for share in shares]
        graph.bar_label(bars, tall, label_type="center", color="white", fontsize="small")
        graph.bar_label(bars, low, fontsize="small")
    graph.axhline(96, color="black", linewidth=1, linestyle="--", label="paper, test round: 96 % of the sets")
    graph.set(ylabel="sets found, %", xticks=range(len(CATEGORIES)), xticklabels=CATEGORIES, ylim=(0, 108))
    handles, labels = graph.get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside lower center", ncols=3)
    return drawing
