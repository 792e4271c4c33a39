"""What a reproduction is written as: tables for people, CSV files, a plot and a report."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import StringIO
from math import isnan
from pathlib import Path
from statistics import fmean

from neardup.errors import MissingExtra, OutputError
from neardup.report.layout import say_share
from neardup.reproduce import published
from neardup.reproduce.durian import CODER_ERRORS, COUNTS, DRAWS, KINDS, TIMES, Reproduction, Row, Settings

REPORT = "report.md"
PLOTS = ("figure4.png", "figure4.svg")

SUBCATEGORY_NAMES = {
    "exact": "Exact",
    "minor_change": "Minor change",
    "block_added": "Block added / key block",
    "block_deleted": "Block deleted",
    "singleton": "Singleton",
    "rearrange": "Rearrange",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table for people: its title, what its figures mean, headings and cells."""

    title: str
    note: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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
        return say_share(fmean(row[measure] for row in rows if row["letters"]))

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
    return say_share(row[measure]) + ("" if paper is None else f" ({say_share(paper)})")


def _three(row: Row, prefix: str) -> str:
    return " ".join(say_share(row[prefix + measure]) for measure in ("precision", "recall", "f1"))


def say_settings(settings: Settings) -> str:
    """Return settings in words, as in threshold 0.8, shingle 3."""
    return ", ".join(f"{name} {value:g}" for name, value in settings.items()) or "its own"


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Say before the work is done if nothing can be written there; an older reproduction is replaced, nothing else."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target} is a file: name a folder for the tables")
    if target.exists() and any(target.iterdir()) and not (target / REPORT).exists():
        raise OutputError(f"{target} holds something else than a reproduction: name a new or an empty folder")
    nearest = next(path for path in (target, *target.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise OutputError(f"cannot write to {target}: {nearest} is not a folder that can be written to")


def write_reproduction(found: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write CSV files, plots and the report; without matplotlib, all but the plots, and then say that it is missing."""
    target = Path(folder)
    drawable = find_spec("matplotlib") is not None
    tables = {name: getattr(found, name) for name in ("table1", "table2", "table3", "figure4")}
    contents = {f"{name}.csv": _to_csv(rows) for name, rows in tables.items()}
    contents[REPORT] = write_report(found, drawn=drawable)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (target / name).write_text(text, "utf-8", newline="\n")
        for name in PLOTS:
            (target / name).unlink(missing_ok=True)
        if drawable:
            draw_figure4(found.figure4, [target / name for name in PLOTS])
    except OSError as problem:
        raise OutputError(f"cannot write to {target}: {problem.strerror or problem}") from None
    return [target / name for name in (*contents, *(PLOTS if drawable else ()))]


def _to_csv(rows: Sequence[Row]) -> str:
    text = StringIO()
    table = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    table.writeheader()
    for row in rows:
        table.writerow({name: _round(value) for name, value in row.items()})
    return text.getvalue()


def _round(value: object) -> object:
    if isinstance(value, float):
        return "" if isnan(value) else round(value, 6)
    return value


def write_report(found: Reproduction, *, drawn: bool) -> str:
    """Return the report: what was done, what is simulated, and every table."""
    lines = ["# DURIAN, reproduced", "", *_say_how(found)]
    for sheet in list_sheets(found):
        lines += ["", f"## {sheet.title}", "", sheet.note, "", _row(sheet.headings)]
        lines += [_row(["---"] * len(sheet.headings)), *map(_row, sheet.rows)]
    if drawn:
        lines += ["", f"![F1 by the number of constraints]({PLOTS[1]})"]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


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


def draw_figure4(rows: Sequence[Row], paths: Sequence[Path]) -> None:
    """Draw F1 against the number of constraints, one graph for each docket."""
    try:
        import matplotlib as mpl  # noqa: PLC0415 - an optional part
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("matplotlib", "plots", "drawing Figure 4") from None
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
    for path in paths:
        # A fixed salt and no date: the same figures give the same file.
        with mpl.rc_context({"svg.hashsalt": "neardup"}):
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


_LOOKS: Mapping[str, Mapping[str, str]] = {
    "must": {"marker": "o", "color": "#0072b2"},
    "cannot": {"marker": "s", "color": "#d55e00"},
    "family": {"marker": "^", "color": "#009e73"},
    "all": {"marker": "D", "color": "#333333"},
}
