"""What the reproduction is written as: tables for people, CSV files, plots and a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import Any

from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.changes import Row
from neardup.reproduce.conrad.detection import SETTINGS
from neardup.reproduce.conrad.experiments import NATURAL_SIMILARITY, QUERIES, RESULTS, ConradReproduction
from neardup.reproduce.conrad.newswire import CATEGORIES, LEAST_WORDS
from neardup.reproduce.folder import REPORT, Plot, Sheet, can_draw, to_csv, to_markdown, write_folder

TABLES = ("table2", "table3", "table4", "figures", "table6", "table7", "table8", "sets", "effort", "keys")
SHOWN_LENGTHS = (1, 6, 12, 18, 24, 30)
ORDERS = {"idf": "by idf", "quantised": "quantised", "followed": "quantised, followed"}
PERIODS = {(1, 2): "first to second", (2, 3): "second to third", (1, 3): "first to third"}


def list_sheets(found: ConradReproduction) -> list[Sheet]:
    """Lay out every table, ours beside the paper's."""
    return [
        _lay_table2(found),
        _lay_table3(found),
        _lay_table4(found),
        _lay_figures(found),
        _lay_table6(found),
        _lay_table7(found),
        _lay_table8(found),
        _lay_sets(found),
        _lay_effort(found),
        _lay_keys(found),
    ]


def _lay_table2(found: ConradReproduction) -> Sheet:
    return Sheet(
        "Table 2: types of duplicates",
        "Percent of the duplicate sets, and of the documents in them, that conrad finds among the stories; the type is "
        "told by aligning words. In the paper assessors also found rewritten stories (focus), which no method by words "
        "does.",
        ("", "category", "sets", "documents", "ALLNEWS (paper)", "ALLNEWSPLUS (paper)"),
        tuple(
            (
                str(row["number"]),
                row["category"],
                f"{row['sets_percent']:.1f} % ({row['sets']:,})",
                f"{row['documents_percent']:.1f} % ({row['documents']:,})",
                f"{row['paper_allnews_sets']:.1f} % {row['paper_allnews_documents']:.1f} %",
                f"{row['paper_allnewsplus_sets']:.1f} % {row['paper_allnewsplus_documents']:.1f} %",
            )
            for row in found.table2
        ),
    )


def _lay_table3(found: ConradReproduction) -> Sheet:
    def change(row: Row, place: int) -> str:
        return f"{row[f'documents_{place}']:,} ({row[f'change_{place}']:+.1f} %)"

    return Sheet(
        "Table 3: documents at three points in time",
        "The paper prints +16.0 % for USFT62K, September 2002; its own counts give +6.2 %.",
        ("", "collection", "points in time", "first", "second", "third"),
        tuple(
            (
                row["of"],
                row["collection"],
                ", ".join(row[f"label_{place}"] for place in (1, 2, 3)),
                f"{row['documents_1']:,}",
                change(row, 2),
                change(row, 3),
            )
            for row in found.table3
        ),
    )


def _lay_table4(found: ConradReproduction) -> Sheet:
    cells: dict[str, list[str]] = {}
    for row in found.table4:
        ours = "-" if row["spearman"] is None else f"{row['spearman']:.4f}"
        own = cells.setdefault(row["kind"], [])
        own += [f"{row['terms_in_both']:,} {ours}", f"{row['paper_terms_in_both']:,} {row['paper_spearman']:.4f}"]
    return Sheet(
        "Table 4: rank correlation of terms",
        "Terms in both lexicons and Spearman's coefficient with ties (equation 2); one lexicon of all collections for "
        "each point in time.",
        ("terms", *(name + of for name in PERIODS.values() for of in ("", " (paper)"))),
        tuple((kind, *own) for kind, own in cells.items()),
    )


def _lay_figures(found: ConradReproduction) -> Sheet:
    rows: dict[tuple[Any, ...], list[str]] = {}
    for row in found.figures:
        if row["length"] in SHOWN_LENGTHS:
            key = (row["collection"], PERIODS[row["from"], row["to"]], ORDERS[row["order"]])
            paper = f" ({row['paper']:.0%})" if row["paper"] is not None and row["order"] == "idf" else ""
            rows.setdefault(key, []).append(f"{row['sets']:.1%} {row['orders']:.1%}{paper}")
    return Sheet(
        "Figures 1 to 4: signatures that change with the lexicon",
        "By length: as sets, then in their order, and in brackets what the paper's text says of Figure 1. By idf is "
        "the paper's choice of terms; quantised takes terms of two classes in the order of their hashes; followed is "
        "the same where the later lexicon leaves the terms of the earlier one in place.",
        ("collection", "from to", "terms", *map(str, SHOWN_LENGTHS)),
        tuple((*key, *cells) for key, cells in rows.items()),
    )


def _lay_table6(found: ConradReproduction) -> Sheet:
    return Sheet(
        "Table 6: result lists with duplicate sets",
        f"{2 * QUERIES} lists of {RESULTS}: each the documents that share most rare terms with a drawn one. Nothing is "
        "trained; the rounds are the paper's.",
        ("", "lists", "with sets", "without", "with sets (paper)", "without (paper)"),
        tuple(
            (
                row["round"],
                *(str(row[name]) for name in ("queries", "with_sets", "without_sets")),
                *(str(row[f"paper_{name}"]) for name in ("with_sets", "without_sets")),
            )
            for row in found.table6
        ),
    )


def _lay_table7(found: ConradReproduction) -> Sheet:
    sizes = {(row["round"], row["size"]): row for row in found.table7}
    return Sheet(
        "Table 7: sizes of the duplicate sets in the lists",
        "Ours, the paper's in brackets.",
        ("", *(f"of {size}" for size in range(2, 7))),
        tuple(
            (name, *(f"{sizes[name, size]['sets']} ({sizes[name, size]['paper_sets']})" for size in range(2, 7)))
            for name in published.QUERIES
        ),
    )


def _lay_table8(found: ConradReproduction) -> Sheet:
    def beside(row: Row, name: str) -> str:
        return str(row[name]) + ("" if row["paper_sets"] is None else f" ({row[f'paper_{name}']})")

    return Sheet(
        "Table 8: agreement on the duplicate sets in the lists",
        "A set agrees if all its documents are found together; over-identified is a found set with documents that do "
        "not belong together. The paper's figures, in brackets, are with 60 terms and 12 weeks; its precision is "
        f"{published.PRECISION['training']:.1%} and {published.PRECISION['test']:.1%}.",
        ("", "terms", "days", "sets", "agreement", "misses", "over-identified", "recall", "precision"),
        tuple(
            (
                row["round"],
                str(row["terms"]),
                str(row["days"]),
                *(beside(row, name) for name in ("sets", "agreement", "misses", "over_identified")),
                f"{row['recall']:.1%}",
                f"{row['precision']:.1%}",
            )
            for row in found.table8
        ),
    )


def _lay_sets(found: ConradReproduction) -> Sheet:
    rows: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in found.sets:
        rows.setdefault((str(row["terms"]), str(row["days"]), row["otherwise"]), {})[row["category"]] = row
    return Sheet(
        "Planted sets found in the whole collection",
        "Share of the sets whose documents are found together, by category; precision is that of all found sets. "
        "Stories told anew (focus) are not in the total.",
        ("terms", "days", "otherwise", "total", "precision", *CATEGORIES),
        tuple(
            (
                *key,
                _share(own["all but focus"]["recall"]),
                _share(own["all but focus"]["precision"]),
                *(_share(own[name]["recall"]) for name in CATEGORIES),
            )
            for key, own in rows.items()
        ),
    )


def _lay_effort(found: ConradReproduction) -> Sheet:
    return Sheet(
        "What need not be compared (section 7.3)",
        "Pairs of documents, those within the window of days, those of like length, those of both, whose vectors are "
        "compared; then comparisons of terms for a pair until it is certain that it is no duplicate, until it is "
        f"certain that it is one, and without stopping early. The paper: no more than {published.COMPARED_TERMS} on "
        "average until a pair is ruled out.",
        (
            "of",
            "terms",
            "days",
            "pairs",
            "in time",
            "in length",
            "both",
            "duplicates",
            "ruled out",
            "certain",
            "to end",
        ),
        tuple(
            (
                row["of"],
                str(row["terms"]),
                str(row["days"]),
                f"{row['pairs']:,}",
                f"{row['within_days'] / max(row['pairs'], 1):.1%}",
                f"{row['of_like_length'] / max(row['pairs'], 1):.1%}",
                f"{row['compared'] / max(row['pairs'], 1):.1%}",
                f"{row['duplicates']:,}",
                f"{row['terms_apart']:.1f}",
                f"{row['terms_alike']:.1f}",
                f"{row['terms_without_stopping']:.1f}",
            )
            for row in found.effort
        ),
    )


def _lay_keys(found: ConradReproduction) -> Sheet:
    cells = {(row["bins"], row["category"]): row["same_key"] for row in found.keys}
    bins = sorted({row["bins"] for row in found.keys})
    return Sheet(
        "Keys of identical documents (section 6.1)",
        "Share of the planted sets of which all documents have the same key, by the size of the bins of offsets.",
        ("bins", *CATEGORIES),
        tuple((str(size) if size else "none", *(_share(cells[size, name]) for name in CATEGORIES)) for size in bins),
    )


def _share(value: float | None) -> str:
    return "-" if value is None or isnan(value) else f"{value:.1%}"


def write_reproduction(found: ConradReproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write CSV files, plots and the report; without matplotlib, all but the plots."""
    contents = {f"{name}.csv": to_csv(getattr(found, name)) for name in TABLES}
    contents[REPORT] = write_report(found, drawn=can_draw())
    return write_folder(folder, contents, list_plots(found))


def list_plots(found: ConradReproduction) -> list[Plot]:
    """List the drawings, each by the title of the sheet that it stands under."""
    return [
        Plot("figures", "Figures 1 to 4", lambda: draw_figures(found.figures)),
        Plot("sets", "Planted sets", lambda: draw_sets(found.sets)),
    ]


def write_report(found: ConradReproduction, *, drawn: bool) -> str:
    """Return the report: what was done, what is simulated, and every table."""
    lines = ["# Conrad et al. 2003, reproduced", "", *_say_how(found)]
    for sheet in list_sheets(found):
        lines += to_markdown([sheet])
        for plot in list_plots(found):
            if drawn and sheet.title.startswith(plot.title):
                lines += ["", f"![{sheet.title}]({plot.files[1]})"]
    return "\n".join(lines) + "\n"


def _say_how(found: ConradReproduction) -> list[str]:
    news, changing = ("invented" if flag else "given" for flag in found.invented)
    return [
        'The experiments of Conrad, Guo & Schriber, "Online duplicate document detection: signature reliability in a '
        f'dynamic retrieval environment" (CIKM 2003), seed {found.seed}.',
        "",
        f"- The news are {news}: {found.stories:,} stories. For the planted sets, stories of {LEAST_WORDS} words or "
        f"more without a near copy of their own (Jaccard {NATURAL_SIMILARITY} of two-word shingles) were taken; "
        f"{found.documents:,} documents with versions, returning reports and tables of numbers.",
        "- Planted: excerpts of 84 to 96 % of the words, elaborations by a paragraph of 4 to 15 %, insertions of 3 to "
        "12 %, revisions of 2 to 8 % of the words and a third of the numbers, exact copies under another title; all "
        "within four weeks. Stories told anew (focus) keep a quarter of their words. Sets have the sizes of Table 7.",
        f"- The changing collections are {changing}. A collection with releases is taken at its last three, all "
        "releases so far; one with dates where it grew as the paper's did.",
        "- Simulated: queries and assessors. Result lists are documents with common rare terms, the answers are known.",
        "- Not reproduced: Table 5 (sample queries), Table 1 (sizes of databases).",
    ]


def draw_figures(rows: Sequence[Row]) -> Any:
    """Draw the share of unchanged signatures against their length, one graph for each collection."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional part

    collections = list(dict.fromkeys(row["collection"] for row in rows))
    figure = Figure(figsize=(max(5 * len(collections), 9), 5.5), layout="constrained")
    graphs = figure.subplots(1, len(collections), sharey=True, squeeze=False)[0]
    for graph, name in zip(graphs, collections, strict=True):
        for (period, told), colour in zip(PERIODS.items(), ("#0072b2", "#d55e00", "#009e73"), strict=True):
            for order, line in (("idf", "-"), ("quantised", "--"), ("followed", ":")):
                own = [r for r in rows if (r["collection"], r["order"], (r["from"], r["to"])) == (name, order, period)]
                kept = [100 * (1 - row["sets"]) for row in own]
                label = f"{told}, {ORDERS[order]}"
                graph.plot([row["length"] for row in own], kept, line, color=colour, label=label)
        points = [(length, 100 * (1 - share)) for (length, _), share in published.CHANGES.items()]
        graph.scatter(*zip(*points, strict=True), marker="x", color="black", label="paper, Figure 1, in words")
        graph.set(title=name, xlabel="terms in the signature", ylim=(0, 103))
        graph.grid(alpha=0.3)
    graphs[0].set_ylabel("unchanged signatures, %")
    figure.legend(*graphs[0].get_legend_handles_labels(), fontsize="small", loc="outside lower center", ncols=4)
    return figure


def draw_sets(rows: Sequence[Row]) -> Any:
    """Draw the share of planted sets found by category, for vectors of 60 and 30 terms."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - an optional part

    figure = Figure(figsize=(8, 4), layout="constrained")
    graph = figure.subplots()
    for place, settings in enumerate((SETTINGS[0], SETTINGS[2])):
        own = [row for row in rows if not row["otherwise"] and (row["terms"], row["days"]) == tuple(settings.values())]
        shares = [next(100 * row["recall"] for row in own if row["category"] == name) for name in CATEGORIES]
        at = [number + 0.4 * place - 0.2 for number in range(len(CATEGORIES))]
        bars = graph.bar(at, shares, 0.38, label=f"{settings['terms']} terms", color=("#0072b2", "#56b4e9")[place])
        tall = [f"{share:.1f}" if share > 10 else "" for share in shares]
        low = ["" if share > 10 else f"{share:.1f}" for share in shares]
        graph.bar_label(bars, tall, label_type="center", color="white", fontsize="small")
        graph.bar_label(bars, low, fontsize="small")
    graph.axhline(96, color="black", linewidth=1, linestyle="--", label="paper, test round: 96 % of the sets")
    graph.set(ylabel="sets found, %", xticks=range(len(CATEGORIES)), xticklabels=CATEGORIES, ylim=(0, 108))
    figure.legend(*graph.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
