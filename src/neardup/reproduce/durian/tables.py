"""The tables of the reproduction of Yang & Callan 2006, our numbers with the published ones."""

from __future__ import annotations

from statistics import fmean

from neardup.reproduce.durian import published
from neardup.reproduce.durian.experiments import CODER_ERRORS, COUNTS, DRAWS, KINDS, TIMES, Results, Settings
from neardup.reproduce.tables import (
    Row,
    Table,
    add_paper_columns,
    add_published,
    distinct,
    format_measure,
    group_rows,
)

SUBCATEGORY_NAMES = {
    "exact": "Exact",
    "minor_change": "Minor change",
    "block_added": "Block added / key block",
    "block_deleted": "Block deleted",
    "singleton": "Singleton",
    "rearrange": "Rearrange",
}
SAMPLE_NAMES = tuple(published.SAMPLES.values())


def list_tables(results: Results) -> list[Table]:
    """Return every table."""
    return [
        tabulate_agreement(results),
        tabulate_effectiveness(results),
        tabulate_means(results),
        tabulate_times(results),
        tabulate_constraints(results),
    ]


def tabulate_agreement(results: Results) -> Table:
    """Return Table 1."""
    rows = results.measurements["table1"]
    cells = {(row["between"], row["average"], row["sample"]): _with_paper(row, "ac1") for row in rows}
    columns = [(average, style) for average in ("macro", "micro") for style in published.SAMPLES]
    return Table(
        "Table 1: agreement of coders and program (AC1)",
        f"Ours, with the paper's in brackets. The coders are simulated: the gold with {CODER_ERRORS:.0%} errors.",
        ("", *(f"{average} {published.SAMPLES[style]}" for average, style in columns)),
        tuple((between, *(cells[between, *column] for column in columns)) for between in distinct(rows, "between")),
    )


def tabulate_effectiveness(results: Results) -> Table:
    """Return Table 2."""
    return Table(
        "Table 2: precision, recall and F1 by subcategory",
        "Averages over form letters. The baselines compare whole letters, durian compares main texts.",
        ("", "", *add_paper_columns(SAMPLE_NAMES)),
        tuple(
            (
                SUBCATEGORY_NAMES[subcategory],
                published.METHODS[method],
                *(_format_three(row, prefix) for row in rows for prefix in ("", "paper_")),
            )
            for (subcategory, method), rows in group_rows(
                results.measurements["table2"], "subcategory", "method"
            ).items()
        ),
    )


def tabulate_means(results: Results) -> Table:
    """Return the mean F1 over the subcategories of Table 2."""

    def average(method: str, style: str, measure: str) -> str:
        rows = results.measurements.rows("table2", method=method, sample=style)
        return format_measure(fmean(row[measure] for row in rows if row["letters"]))

    return Table(
        "Table 2, means: F1 over the subcategories",
        "Averaged over form letters, pooled (micro), and the paper's; with the settings that are best on all dockets.",
        ("", "settings", *(name + source for name in SAMPLE_NAMES for source in ("", " micro", " (paper)"))),
        tuple(
            (
                published.METHODS[method],
                format_settings(results.settings[method]),
                *(average(method, s, m) for s in published.SAMPLES for m in ("f1", "micro_f1", "paper_f1")),
            )
            for method in published.METHODS
        ),
    )


def tabulate_times(results: Results) -> Table:
    """Return Table 3."""
    return Table(
        "Table 3: seconds of detection and ratio to Full",
        f"The best of {TIMES} runs, without reading and explaining; with the paper's settings, then with the best "
        "ones.",
        ("", "settings", *add_paper_columns(SAMPLE_NAMES)),
        tuple(
            (published.METHODS[method], settings, *(cell for row in rows for cell in _format_times(row)))
            for (settings, method), rows in group_rows(results.measurements["table3"], "settings", "method").items()
        ),
    )


def tabulate_constraints(results: Results) -> Table:
    """Return the values of Figure 4."""
    cells = {(row["sample"], row["kind"], row["constraints"]): row for row in results.measurements["figure4"]}
    return Table(
        "Figure 4: F1 by the number of constraints",
        f"Mean F1 over the subcategories of Table 2, averaged over {DRAWS} random draws; other kinds of "
        "constraints are off. In brackets: the values in the text of the paper.",
        ("", "constraints", *map(str, COUNTS)),
        tuple(
            (name, kind, *(_with_paper(cells[style, kind, count], "f1") for count in COUNTS))
            for style, name in published.SAMPLES.items()
            for kind in KINDS
        ),
    )


def _with_paper(row: Row, measure: str) -> str:
    paper = row[f"paper_{measure}"]
    return add_published(format_measure(row[measure]), None if paper is None else format_measure(paper))


def _format_three(row: Row, prefix: str) -> str:
    return " ".join(format_measure(row[prefix + measure]) for measure in ("precision", "recall", "f1"))


def _format_times(row: Row) -> tuple[str, str]:
    return f"{row['seconds']:.3f} {row['ratio']:.2f}", f"{row['paper_seconds']:,} {row['paper_ratio']:.2f}"


def format_settings(settings: Settings) -> str:
    """Return settings as text, such as "threshold 0.8, shingle 3"."""
    return ", ".join(f"{name} {value:g}" for name, value in settings.items()) or "its own"
