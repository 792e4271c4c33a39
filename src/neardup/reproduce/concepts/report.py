"""The reproduction of Ignatov & Kuznetsov 2009 on disk: CSV files, JSON, a report in Markdown, and Figures 1 to 7."""

from __future__ import annotations

import json
import os
from math import isnan
from pathlib import Path

from neardup.reproduce.concepts.experiments import Reproduction, Row
from neardup.reproduce.concepts.plots import FIGURES, list_plots
from neardup.reproduce.concepts.sheets import list_sheets
from neardup.reproduce.folder import REPORT, can_draw, to_csv, to_markdown, write_folder


def write_concepts(found: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write tables, report and plots; without matplotlib, all but the plots."""
    contents = {f"{name}.csv": to_csv(rows) for name, rows in found.tables.items()}
    tables = {name: [_without_nan(row) for row in rows] for name, rows in found.tables.items()}
    contents["tables.json"] = json.dumps(tables, indent=1, ensure_ascii=False) + "\n"
    contents[REPORT] = write_report(found, drawn=can_draw())
    return write_folder(folder, contents, list_plots(found))


def _without_nan(row: Row) -> Row:
    """Return a row in which what is not defined, as a recall where there are no gold pairs, is None."""
    return {name: None if isinstance(value, float) and isnan(value) else value for name, value in row.items()}


def write_report(found: Reproduction, *, drawn: bool) -> str:
    """Return the report: what was done, what differs from the paper, every table and figure."""
    lines = ["# Frequent itemsets for near-duplicate web pages, reproduced", "", *_say_how(found)]
    lines += to_markdown(list_sheets(found))
    if drawn:
        lines += ["", "## Figures"]
        for name, title in FIGURES.items():
            lines += ["", f"![{title}]({name}.svg)"]
    return "\n".join(lines) + "\n"


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
        "exact, over the characters of the visible text, white space folded, boilerplate included. The paper's gold "
        "was made likewise, by others.",
        "- Offset is one word; orders come from a strong mixer, and minima in n permutations carry the number of their "
        "permutation (the paper multiplies by random binary matrices, which is not min-wise). Slips of the paper are "
        "set right: a cluster has at least k units, and Tables 3 and 4 change their descriptions.",
        "- Pairs of clusters are found by the overlap join; they are those of all closed and of all maximal clusters. "
        "Relative thresholds are ours.",
        "- Times are of this machine and differ from run to run; all else depends on the pages alone.",
    ]
