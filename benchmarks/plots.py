"""Draw the two plots of a run: speed against quality, and the growth of time and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

from matplotlib import pyplot as plt

Row = dict[str, Any]


def colour(contender: str) -> str:
    """Return one colour for neardup and another for its peers."""
    return "tab:red" if contender.startswith("neardup") else "tab:blue"


def draw(rows: list[Row], folder: Path) -> None:
    """Draw the plots of the benchmarks that were run."""
    done = [row for row in rows if row["seconds"]]
    collection = [row for row in done if row["benchmark"] == "collection"]
    growth = [row for row in done if row["benchmark"] == "growth"]
    if collection:
        draw_quality(collection, folder / "quality.svg")
    if growth:
        draw_growth(growth, folder / "growth.svg")


def draw_quality(rows: list[Row], path: Path) -> None:
    """Draw documents per second against F1 of the clusters' pairs."""
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for index, row in enumerate(sorted(rows, key=lambda row: row["documents_per_second"])):
        quality = 2 * row["precision"] * row["recall"] / ((row["precision"] + row["recall"]) or 1)
        point = (row["documents_per_second"], quality)
        axes.scatter(*point, color=colour(row["contender"]))
        # Labels of points with similar speed are at four different heights.
        below, line = (0, -20 - 14 * (index % 4)), {"arrowstyle": "-", "alpha": 0.3}
        axes.annotate(row["contender"], point, below, textcoords="offset points", ha="center", arrowprops=line)
    axes.set(xscale="log", ylim=(0, 1.05), xlabel="documents per second", ylabel="F1 of the clusters' pairs")
    axes.set_title(f"{rows[0]['documents']:,} documents, word 5-grams, Jaccard 0.8")
    axes.margins(x=0.2)
    axes.grid(alpha=0.3)
    figure.savefig(path)
    plt.close(figure)


def draw_growth(rows: list[Row], path: Path) -> None:
    """Draw seconds and peak memory against the number of documents, with a line of linear growth."""
    figure, panels = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
    for contender in dict.fromkeys(row["contender"] for row in rows):
        own = [row for row in rows if row["contender"] == contender]
        sizes = [row["documents"] for row in own]
        style = "o-" if contender.startswith("neardup") else "s--"
        panels[0].plot(sizes, [min(row["seconds"]) for row in own], style, label=contender)
        panels[1].plot(sizes, [row["peak_bytes"] / 1e6 for row in own], style, label=contender)
    sizes = sorted({row["documents"] for row in rows})
    panels[0].plot(sizes, [size / 1e5 for size in sizes], ":", color="grey", label="100,000 documents per second")
    panels[1].plot(sizes, [size * rows[0]["text_bytes"] / rows[0]["documents"] / 1e6 for size in sizes], ":",
                   color="grey", label="the text itself")  # fmt: skip
    for panel, label in zip(panels, ("seconds", "peak memory above the text, MB"), strict=True):
        panel.set(xscale="log", yscale="log", xlabel="documents", ylabel=label)
        panel.grid(alpha=0.3)
        panel.legend(fontsize=8)
    figure.savefig(path)
    plt.close(figure)
