"""The reproduction of Ignatov & Kuznetsov 2009 on disk: CSV files, JSON, a report in Markdown, and Figures 1 to 7."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from importlib.util import find_spec
from io import StringIO
from math import isnan
from pathlib import Path

from neardup.errors import OutputError
from neardup.reproduce.concepts.experiments import Reproduction, Row
from neardup.reproduce.concepts.plots import FIGURES, draw_figures
from neardup.reproduce.concepts.sheets import list_sheets
from neardup.reproduce.folder import REPORT

FORMATS = (".png", ".svg")


def write_concepts(found: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write tables, report and plots; without matplotlib, all but the plots."""
    target = Path(folder)
    drawable = find_spec("matplotlib") is not None
    contents = {f"{name}.csv": _to_csv(rows) for name, rows in found.tables.items()}
    tables = {name: [_without_nan(row) for row in rows] for name, rows in found.tables.items()}
    contents["tables.json"] = json.dumps(tables, indent=1, ensure_ascii=False) + "\n"
    contents[REPORT] = write_report(found, drawn=drawable)
    plots = [target / f"{name}{suffix}" for name in FIGURES for suffix in FORMATS]
    try:
        target.mkdir(parents=True, exist_ok=True)
        for name, text in contents.items():
            (target / name).write_text(text, "utf-8", newline="\n")
        for path in plots:
            path.unlink(missing_ok=True)
        if drawable:
            draw_figures(found, target, FORMATS)
    except OSError as problem:
        raise OutputError(f"cannot write to {target}: {problem.strerror or problem}") from None
    return [*(target / name for name in contents), *(plots if drawable else ())]


def _to_csv(rows: Sequence[Row]) -> str:
    text = StringIO()
    table = csv.DictWriter(text, list(rows[0]) if rows else ["collection"], lineterminator="\n")
    table.writeheader()
    for row in rows:
        rounded = {name: round(value, 6) if isinstance(value, float) else value for name, value in row.items()}
        table.writerow(_without_nan(rounded))
    return text.getvalue()


def _without_nan(row: Row) -> Row:
    """Return a row in which what is not defined, as a recall where there are no gold pairs, is None."""
    return {name: None if isinstance(value, float) and isnan(value) else value for name, value in row.items()}


def write_report(found: Reproduction, *, drawn: bool) -> str:
    """Return the report: what was done, what differs from the paper, every table and figure."""
    lines = ["# Frequent itemsets for near-duplicate web pages, reproduced", "", *_say_how(found)]
    for sheet in list_sheets(found):
        lines += ["", f"## {sheet.title}", "", sheet.note]
        if sheet.rows:
            lines += ["", _row(sheet.headings), _row(["---"] * len(sheet.headings)), *map(_row, sheet.rows)]
    if drawn:
        lines += ["", "## Figures"]
        for name, title in FIGURES.items():
            lines += ["", f"![{title}]({name}.svg)"]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(0xFF5C)) for cell in cells)} |"


def _say_how(found: Reproduction) -> list[str]:
    made = ", ".join(
        f"{pages.name} {len(pages):,} pages with {len(pages.gold):,} gold pairs" for pages in found.collections
    )
    return [
        "The experiments of Ignatov & Kuznetsov, “Frequent itemset mining for clustering near duplicate web documents” "
        "(ICCS 2009), section 4.",
        "",
        f"- The pages: {made}. The paper's collection, 530,000 pages of one Russian host, is not to be had; what it "
        "found on it stands beside ours and is not of the same pages.",
        "- The gold: all pairs of pages whose edit similarity, 1 - distance/length of the longer, lies above 0.85; "
        "exact, over the characters of the visible text, white space folded, frames and all. The paper's gold was made "
        "likewise, by others.",
        "- Offset is one word; orders come from a strong mixer, and minima in n permutations carry the number of their "
        "permutation (the paper multiplies by random binary matrices, which is not min-wise). Slips of the paper are "
        "set right: a cluster has at least k units, and Tables 3 and 4 change their descriptions.",
        "- Pairs of clusters are found by the overlap join; they are those of all closed and of all maximal clusters. "
        "Relative thresholds are ours.",
        "- Times are of this machine and differ from run to run; all else depends on the pages alone.",
    ]
