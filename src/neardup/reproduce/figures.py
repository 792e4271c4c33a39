"""What a reproduction is written as: tables for people, CSV files, a plot and a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from neardup.report.layout import format_share
from neardup.reproduce import published
from neardup.reproduce.durian import CODER_ERRORS, COUNTS, DRAWS, KINDS, TIMES, Reproduction, Settings
from neardup.reproduce.folder import REPORT, Plot, Row, Sheet, can_draw, to_csv, to_markdown, write_folder

PLOTS = ("figure4.png", "figure4.svg")

SUBCATEGORY_NAMES = {
    "exact": "Exact",
    "minor_change": "Minor change",
    "block_added": "Block added / key block",
    "block_deleted": "Block deleted",
    "singleton": "Singleton",
    "rearrange": "Rearrange",
}


def list_sheets(found: Reproduction) -> list[Sheet]:
    """Lay out every table, ours beside the paper's."""
    return [_lay_table1(found.table1), _lay_table2(found), _lay_means(found), _lay_table3(found), _lay_figure4(found)]


def _lay_table1(rows: Sequence[Row]) -> Sheet:
    cells = {(row["between"], row["average"], row["sample"]): _pair(row, "ac1") for row in rows}
    across = [(average, style) for average in ("macro", "micro") for style in published.SAMPLES]
    return Sheet(
        "Table 1: agreement of coders and program (AC1)",
        f"Ours, the paper's in brackets. The coders are simulated: the right answers with {CODER_ERRORS:.0%} errors.",
        ("", *(f"{average} {published.SAMPLES[style]}" for average, style in across)),
        tuple((between, *(cells[between, *place] for place in across)) for between in _distinct(rows, "between")),
    )


def _lay_table2(found: Reproduction) -> Sheet:
    cells: dict[tuple[str, str], list[str]] = {}
    for row in found.table2:
        own = cells.setdefault((row["subcategory"], row["method"]), [])
        own += [_three(row, ""), _three(row, "paper_")]
    return Sheet(
        "Table 2: precision, recall and F1 by subcategory",
        "Averages over form letters. The baselines compare whole letters, durian main texts.",
        ("", "", *(name + of for name in published.SAMPLES.values() for of in ("", " (paper)"))),
        tuple((SUBCATEGORY_NAMES[name], published.METHODS[method], *own) for (name, method), own in cells.items()),
    )


def _lay_means(found: Reproduction) -> Sheet:
    def average(method: str, style: str, measure: str) -> str:
        rows = (row for row in found.table2 if (row["method"], row["sample"]) == (method, style))
        return format_share(fmean(row[measure] for row in rows if row["letters"]))

    return Sheet(
        "Table 2, means: F1 over the subcategories",
        "Averaged over form letters, pooled (micro), and the paper's; with the settings that did best on all dockets.",
        ("", "settings", *(name + of for name in published.SAMPLES.values() for of in ("", " micro", " (paper)"))),
        tuple(
            (
                published.METHODS[method],
                say_settings(found.settings[method]),
                *(average(method, s, m) for s in published.SAMPLES for m in ("f1", "micro_f1", "paper_f1")),
            )
            for method in published.METHODS
        ),
    )


def _lay_table3(found: Reproduction) -> Sheet:
    cells: dict[tuple[str, str], list[str]] = {}
    for row in found.table3:
        own = cells.setdefault((row["settings"], row["method"]), [])
        own += [f"{row['seconds']:.3f} {row['ratio']:.2f}", f"{row['paper_seconds']:,} {row['paper_ratio']:.2f}"]
    return Sheet(
        "Table 3: seconds of detection and ratio to Full",
        f"Without reading and explaining, the best of {TIMES} runs; with the paper's settings, then the best ones.",
        ("", "settings", *(name + of for name in published.SAMPLES.values() for of in ("", " (paper)"))),
        tuple((published.METHODS[method], kind, *own) for (kind, method), own in cells.items()),
    )


def _lay_figure4(found: Reproduction) -> Sheet:
    cells = {(row["sample"], row["kind"], row["constraints"]): row for row in found.figure4}
    return Sheet(
        "Figure 4: F1 by the number of constraints",
        f"Mean F1 over the subcategories of Table 2, averaged over {DRAWS} drawings; one kind, the others off. "
        "In brackets what the paper's text gives.",
        ("", "constraints", *map(str, COUNTS)),
        tuple(
            (name, kind, *(_pair(cells[style, kind, count], "f1") for count in COUNTS))
            for style, name in published.SAMPLES.items()
            for kind in KINDS
        ),
    )


def _distinct(rows: Sequence[Row], name: str) -> list[str]:
    return list(dict.fromkeys(row[name] for row in rows))


def _pair(row: Row, measure: str) -> str:
    paper = row[f"paper_{measure}"]
    return format_share(row[measure]) + ("" if paper is None else f" ({format_share(paper)})")


def _three(row: Row, prefix: str) -> str:
    return " ".join(format_share(row[prefix + measure]) for measure in ("precision", "recall", "f1"))


def say_settings(settings: Settings) -> str:
    """Return settings in words, as in threshold 0.8, shingle 3."""
    return ", ".join(f"{name} {value:g}" for name, value in settings.items()) or "its own"


def write_reproduction(found: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write CSV files, plots and the report; without matplotlib, all but the plots."""
    tables = {name: getattr(found, name) for name in ("table1", "table2", "table3", "figure4")}
    contents = {f"{name}.csv": to_csv(rows) for name, rows in tables.items()}
    contents[REPORT] = write_report(found, drawn=can_draw())
    return write_folder(folder, contents, [Plot("figure4", "Figure 4", lambda: draw_figure4(found.figure4))])


def write_report(found: Reproduction, *, drawn: bool) -> str:
    """Return the report: what was done, what is simulated, and every table."""
    lines = ["# DURIAN, reproduced", "", *_say_how(found)]
    lines += to_markdown(list_sheets(found))
    if drawn:
        lines += ["", f"![F1 by the number of constraints]({PLOTS[1]})"]
    return "\n".join(lines) + "\n"


def _say_how(found: Reproduction) -> list[str]:
    made = ", ".join(
        f"{published.SAMPLES[s.style]} {len(s.documents):,} letters with {s.campaigns} form letters "
        f"(the paper: {published.FORM_LETTERS[s.style]})"
        for s in found.samples
    )
    return [
        'The experiments of Yang & Callan, "Near-duplicate detection by instance-level constrained clustering" '
        f"(SIGIR 2006), section 6, on generated dockets, seed {found.seed}.",
        "",
        f"- Simulated: the letters. The paper's samples are not public. {made}. A form letter that was also sent to "
        "another docket counts there as one of its own, whatever the texts have in common. The paper's coders did "
        "not see exact copies; here all letters count.",
        f"- Simulated: the coders. Each has the right answers, but {CODER_ERRORS:.0%} of the letters (drawn) are put "
        "into another campaign or left alone.",
        "- Chosen: a letter is right if its cluster and its form letter are each other's largest part; recall is over "
        "all letters of a subcategory, precision over those put into any cluster; singletons must be alone. The paper "
        "does not define its averages.",
        "- Chosen: the baselines cluster the docket, the paper's compared with known form letters. Swept: threshold "
        "0.5 to 0.95 and shingles of 2 to 5 words for Full and DSC, 20 to 50 terms after 0 to 10 for I-Match; "
        "one setting for the three dockets, chosen on the dockets themselves, which favours the baselines.",
        "- Times are of this machine, and differ from run to run; all else depends on the letters and the seed alone.",
    ]


def draw_figure4(rows: Sequence[Row]) -> Any:
    """Draw F1 against the number of constraints, one graph for each docket."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional part

    figure = Figure(figsize=(12, 4), layout="constrained")
    graphs = figure.subplots(1, len(published.SAMPLES), sharey=True)
    for graph, (style, name) in zip(graphs, published.SAMPLES.items(), strict=True):
        for kind, look in _LOOKS.items():
            points = [row for row in rows if (row["sample"], row["kind"]) == (style, kind)]
            graph.plot([p["constraints"] for p in points], [p["f1"] for p in points], label=kind, **look)
        printed = (published.WITHOUT_CONSTRAINTS[style], published.WITH_CONSTRAINTS[style])
        graph.scatter(
            (0, published.MOST_CONSTRAINTS), printed, marker="x", color="black", label="paper: none, 50 of all"
        )
        graph.set(title=name, xlabel="constraints")
        graph.grid(alpha=0.3)
    graphs[0].set_ylabel("mean F1 over subcategories")
    graphs[0].legend()
    return figure


_LOOKS: Mapping[str, Mapping[str, str]] = {
    "must": {"marker": "o", "color": "#0072b2"},
    "cannot": {"marker": "s", "color": "#d55e00"},
    "family": {"marker": "^", "color": "#009e73"},
    "all": {"marker": "D", "color": "#333333"},
}
