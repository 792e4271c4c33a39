"""The tables of the reproduction of Conrad et al. 2003, our numbers with the published ones."""

from __future__ import annotations

from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.experiments import QUERIES, RESULTS, Results
from neardup.reproduce.corpora.newswire import CATEGORIES
from neardup.reproduce.tables import (
    MISSING,
    Row,
    Table,
    add_paper_columns,
    add_published,
    distinct,
    format_percent,
    group_rows,
)

SHOWN_LENGTHS = (1, 6, 12, 18, 24, 30)
ORDERS = {"idf": "by idf", "quantised": "quantised", "followed": "quantised, followed"}
PERIODS = {(1, 2): "first to second", (2, 3): "second to third", (1, 3): "first to third"}


def list_tables(results: Results) -> list[Table]:
    """Return every table."""
    return [
        tabulate_categories(results),
        tabulate_growth(results),
        tabulate_correlations(results),
        tabulate_changes(results),
        tabulate_queries(results),
        tabulate_set_sizes(results),
        tabulate_agreement(results),
        tabulate_sets(results),
        tabulate_effort(results),
        tabulate_keys(results),
    ]


def tabulate_categories(results: Results) -> Table:
    """Return Table 2."""
    return Table(
        "Table 2: types of duplicates",
        "Percentage of the duplicate sets that conrad finds among the stories, and of the documents in them. The "
        "type is determined by aligning words. The paper's assessors also found rewritten stories (focus), which no "
        "method based on words finds.",
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
            for row in results.measurements["table2"]
        ),
    )


def tabulate_growth(results: Results) -> Table:
    """Return Table 3."""

    def change(row: Row, point: int) -> str:
        return f"{row[f'documents_{point}']:,} ({row[f'change_{point}']:+.1f} %)"

    return Table(
        "Table 3: documents at three points in time",
        "The paper prints +16.0 % for USFT62K in September 2002; its counts give +6.2 %.",
        ("", "collection", "points in time", "first", "second", "third"),
        tuple(
            (
                row["of"],
                row["collection"],
                ", ".join(row[f"label_{point}"] for point in (1, 2, 3)),
                f"{row['documents_1']:,}",
                change(row, 2),
                change(row, 3),
            )
            for row in results.measurements["table3"]
        ),
    )


def tabulate_correlations(results: Results) -> Table:
    """Return Table 4."""
    return Table(
        "Table 4: rank correlation of terms",
        "Terms in both lexicons, and Spearman's coefficient with ties (equation 2). There is one lexicon of all "
        "collections for each point in time.",
        ("terms", *add_paper_columns(PERIODS.values())),
        tuple(
            (kind, *(cell for row in rows for cell in _format_correlation(row)))
            for (kind,), rows in group_rows(results.measurements["table4"], "kind").items()
        ),
    )


def _format_correlation(row: Row) -> tuple[str, str]:
    ours = MISSING if row["spearman"] is None else f"{row['spearman']:.4f}"
    return f"{row['terms_in_both']:,} {ours}", f"{row['paper_terms_in_both']:,} {row['paper_spearman']:.4f}"


def tabulate_changes(results: Results) -> Table:
    """Return some values of Figures 1 to 4."""
    shown = [row for row in results.measurements["figures"] if row["length"] in SHOWN_LENGTHS]
    return Table(
        "Figures 1 to 4: signatures that change with the lexicon",
        "By length of signature: the share that changes as a set, then as a sequence; in brackets, the values of "
        "Figure 1 in the text of the paper. By idf: the paper's choice of terms. Quantised: terms of two classes, "
        "ordered by hash. Followed: the same, but the later lexicon keeps the terms of the earlier one.",
        ("collection", "from to", "terms", *map(str, SHOWN_LENGTHS)),
        tuple(
            (collection, PERIODS[first, last], ORDERS[order], *map(_format_change, rows))
            for (collection, first, last, order), rows in group_rows(shown, "collection", "from", "to", "order").items()
        ),
    )


def _format_change(row: Row) -> str:
    printed = row["paper"] is not None and row["order"] == "idf"
    return add_published(f"{row['sets']:.1%} {row['orders']:.1%}", f"{row['paper']:.0%}" if printed else None)


def tabulate_queries(results: Results) -> Table:
    """Return Table 6."""
    return Table(
        "Table 6: result lists with duplicate sets",
        f"{2 * QUERIES} lists of {RESULTS}; each has the documents that share most rare terms with a random one. The "
        "rounds are those of the paper, but nothing is trained.",
        ("", "lists", "with sets", "without", "with sets (paper)", "without (paper)"),
        tuple(
            (
                row["round"],
                *(str(row[name]) for name in ("queries", "with_sets", "without_sets")),
                *(str(row[f"paper_{name}"]) for name in ("with_sets", "without_sets")),
            )
            for row in results.measurements["table6"]
        ),
    )


def tabulate_set_sizes(results: Results) -> Table:
    """Return Table 7."""
    sizes = {(row["round"], row["size"]): row for row in results.measurements["table7"]}
    return Table(
        "Table 7: sizes of the duplicate sets in the lists",
        "Ours, with the paper's in brackets.",
        ("", *(f"of {size}" for size in range(2, 7))),
        tuple(
            (name, *(f"{sizes[name, size]['sets']} ({sizes[name, size]['paper_sets']})" for size in range(2, 7)))
            for name in published.QUERIES
        ),
    )


def tabulate_agreement(results: Results) -> Table:
    """Return Table 8."""

    def cell(row: Row, name: str) -> str:
        return add_published(str(row[name]), None if row["paper_sets"] is None else str(row[f"paper_{name}"]))

    return Table(
        "Table 8: agreement on the duplicate sets in the lists",
        "A set agrees if all its documents are found together. A found set is over-identified if it has documents that "
        "do not belong together. The paper's numbers, in brackets, are for 60 terms and 12 weeks; its precision is "
        f"{published.PRECISION['training']:.1%} and {published.PRECISION['test']:.1%}.",
        ("", "terms", "days", "sets", "agreement", "misses", "over-identified", "recall", "precision"),
        tuple(
            (
                row["round"],
                str(row["terms"]),
                str(row["days"]),
                *(cell(row, name) for name in ("sets", "agreement", "misses", "over_identified")),
                f"{row['recall']:.1%}",
                f"{row['precision']:.1%}",
            )
            for row in results.measurements["table8"]
        ),
    )


def tabulate_sets(results: Results) -> Table:
    """Return the recall of planted sets by category."""
    groups = group_rows(results.measurements["sets"], "terms", "days", "otherwise")
    recalls = {key: {row["category"]: row for row in rows} for key, rows in groups.items()}
    return Table(
        "Planted sets found in the whole collection",
        "The share of the sets whose documents are found together, by category, and the precision of all found sets. "
        "The total is without rewritten stories (focus).",
        ("terms", "days", "otherwise", "total", "precision", *CATEGORIES),
        tuple(
            (
                *map(str, key),
                format_percent(own["all but focus"]["recall"]),
                format_percent(own["all but focus"]["precision"]),
                *(format_percent(own[name]["recall"]) for name in CATEGORIES),
            )
            for key, own in recalls.items()
        ),
    )


def tabulate_effort(results: Results) -> Table:
    """Return the comparisons that are saved."""
    return Table(
        "Comparisons saved (section 7.3)",
        "Pairs of documents; pairs within the window of days, of similar length, and of both, whose vectors are "
        "compared. Then the number of compared terms per pair until it is ruled out, until it is certain, and "
        f"without stopping early. The paper: no more than {published.COMPARED_TERMS} on average until a pair is ruled "
        "out.",
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
            for row in results.measurements["effort"]
        ),
    )


def tabulate_keys(results: Results) -> Table:
    """Return how often versions have the same key."""
    cells = {(row["bins"], row["category"]): row["same_key"] for row in results.measurements["keys"]}
    bins = sorted(distinct(results.measurements["keys"], "bins"))
    return Table(
        "Keys of identical documents (section 6.1)",
        "The share of the planted sets whose documents all have the same key, by the size of the bins of offsets.",
        ("bins", *CATEGORIES),
        tuple(
            (str(size) if size else "none", *(format_percent(cells[size, name]) for name in CATEGORIES))
            for size in bins
        ),
    )
