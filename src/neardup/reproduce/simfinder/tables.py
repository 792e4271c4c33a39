"""The tables of the reproduction of Gong et al. 2008, our numbers with the published ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isnan

from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.experiments import Results
from neardup.reproduce.simfinder.experiments.precision import EQUATIONS
from neardup.reproduce.simfinder.experiments.scale import MODES, TIMES, fit_scale
from neardup.reproduce.tables import MISSING, Row, Table, format_measure, format_percent, group_rows

PAPER = "paper"
CURVE = f"The paper: {published.UNREADABLE}."


def list_tables(results: Results) -> list[Table]:
    """Return every table that has measurements."""
    return [
        tabulate(results)
        for name, tabulators in TABULATORS.items()
        if results.measurements[name]
        for tabulate in tabulators
    ]


def tabulate_corpora(results: Results) -> Table:
    """Return the sizes of the corpora."""
    papers = (
        (f"{PAPER}: {name}", f"{texts:,}", "-", f"{megabytes:,}", "over 40 %" if "messages" in name else "-")
        for name, (texts, megabytes) in published.CORPORA.items()
    )
    ours = (
        (
            row["corpus"],
            f"{row['texts']:,}",
            f"{row['distinct']:,}",
            _format_megabytes(row["megabytes"]),
            f"{row['copied']:.1%}",
        )
        for row in results.measurements["corpora"]
    )
    return Table(
        "Corpora",
        "Copied: texts that occur at least twice, character for character.",
        ("", "texts", "distinct", "MB", "copied"),
        (*papers, *ours),
    )


def tabulate_precision(results: Results) -> Table:
    """Return Figures 1 and 2."""
    groups = group_rows(results.measurements["precision"], "source", "labels", "degree")
    degrees = {f"{degree:.2f}": f"{degree - 0.05:.2f}-{degree:.2f}" for degree in published.INTERVALS}
    return Table(
        "Figures 1 and 2: precision by duplicate degree",
        "The share of the pairs in an interval that are near-duplicates, its 95 % confidence interval, and the "
        "number of pairs. Judged: all pairs of the file, judged by people. Same original: "
        f"{published.PAIRS_PER_INTERVAL} pairs of each interval, drawn at random, with or without the same original. "
        f"The paper: {published.PAIRS_PER_INTERVAL} pairs of each interval, judged by hand; {published.UNREADABLE}.",
        ("", "", "degree", *(f"eq. {equation}{of}" for equation in EQUATIONS for of in ("", " 95 %", " pairs"))),
        tuple(
            (
                source,
                labels,
                degrees.get(degree, f"from {published.THRESHOLD}"),
                *(cell for row in rows for cell in _format_precision(row)),
            )
            for (source, labels, degree), rows in groups.items()
        ),
    )


def _format_precision(row: Row) -> tuple[str, str, str]:
    pairs = f"{row['pairs']:,}"
    if isnan(row["precision"]):
        return MISSING, MISSING, pairs
    return f"{row['precision']:.3f}", f"{row['low']:.2f}-{row['high']:.2f}", pairs


SEARCH_HEADINGS = ("texts found", "recall, baseline", "recall, exact", "pairs, exact", "comparisons")


def tabulate_grams(results: Results) -> Table:
    """Return Figures 3 and 4."""
    return Table(
        "Figures 3 and 4: gram size, recall and comparisons",
        "Without identical copies, with k+N features. Recall of texts with a partner is relative to the baseline, "
        "which compares texts that share two continuous terms, and to all texts with a partner at the threshold. "
        "Recall of pairs is relative to all pairs. Recall relative to the baseline is above 1 if SimFinder finds "
        f"texts that the baseline does not. The paper chooses N = {published.GRAM}. {CURVE}",
        ("", "weights", "N", *SEARCH_HEADINGS),
        tuple(_format_search(row) for row in results.measurements["grams"]),
    )


def tabulate_features(results: Results) -> Table:
    """Return Figures 5 and 6."""
    return Table(
        "Figures 5 and 6: feature number, recall and comparisons",
        f"As above, with N = {published.GRAM}. The paper chooses k+{published.GRAM}, with a recall of “almost 1”. "
        f"{CURVE}",
        ("", "weights", "features", *SEARCH_HEADINGS),
        tuple(_format_search(row) for row in results.measurements["features"]),
    )


def _format_search(row: Row) -> tuple[str, ...]:
    recalls = (format_measure(row[name], 4) for name in ("recall_baseline", "recall_exact", "pair_recall"))
    settings = row["corpus"], row["weighting"], row["setting"]
    return *settings, f"{row['texts_found']:,}", *recalls, _format_counted(row, "comparisons")


def _format_counted(row: Row, name: str) -> str:
    return f"{row[name]:,}" if row["counted"] == "exactly" else f"{row['counted']} {row[name]:,}"


def tabulate_lengths(results: Results) -> Table:
    """Return recall by the length of texts."""
    return Table(
        "Recall of the paper's search by length of text",
        f"N = {published.GRAM}, k+{published.GRAM} features, relative to the exact answer. Texts are grouped by their "
        "number of terms, pairs by that of the shorter text. Not in the paper.",
        ("", "weights", "terms", "texts", "recall of texts", "pairs", "recall of pairs"),
        tuple(
            (
                row["corpus"],
                row["weighting"],
                row["terms"],
                f"{row['texts']:,}",
                format_measure(row["recall_exact"], 4),
                f"{row['pairs']:,}",
                format_measure(row["pair_recall"], 4),
            )
            for row in results.measurements["lengths"]
        ),
    )


def tabulate_optimisation(results: Results) -> Table:
    """Return the comparisons that skipping saves."""
    saved = 1 - published.COMPARISONS_SKIPPING / published.COMPARISONS
    paper = (
        f"{PAPER}: short messages",
        "as printed",
        "kept",
        f"{published.CORPORA['short messages'][0]:,}",
        f"{published.COMPARISONS:,}",
        f"{published.COMPARISONS_SKIPPING:,}",
        f"{saved:.1%}",
        f"{published.COMPARISONS / published.COMPARISONS_SKIPPING:.2f}",
    )
    return Table(
        "The optimisation: comparisons without and with skipping connected pairs",
        "With identical copies kept as separate texts, and with copies collapsed first. A pair counts once, however "
        "many fingerprints it shares.",
        ("", "weights", "copies", "texts", "comparisons", "skipping", "saved", "times fewer"),
        (paper, *map(_format_optimisation, results.measurements["optimisation"])),
    )


def _format_optimisation(row: Row) -> tuple[str, ...]:
    skipping = row["comparisons_skipping"]
    return (
        row["corpus"],
        row["weighting"],
        row["copies"],
        f"{row['texts']:,}",
        _format_counted(row, "comparisons"),
        f"{skipping:,}",
        format_percent(row["saved"]),
        f"{row['comparisons'] / skipping:.2f}" if skipping else MISSING,
    )


def tabulate_potential_pairs(results: Results) -> Table:
    """Return how many potential pairs are below the threshold."""
    drawn, below = published.POTENTIAL_PAIRS, published.BELOW
    paper = (
        *(f"{PAPER}: short messages", "as printed", "kept", "two", "-"),
        *(f"{drawn:,}", str(below), f"{below / drawn:.2%}", "-"),
    )
    return Table(
        f"The optimisation: potential pairs below {published.THRESHOLD}",
        "Potential pairs are near-duplicates of a third text (two links, the paper's definition), or connected by any "
        "number of links, which the optimisation assumes to be duplicates. They are drawn without repetition, or all "
        "used if there are fewer.",
        ("", "weights", "copies", "links", "potential pairs", "drawn", "below", "share", "95 % interval"),
        (
            paper,
            *(
                (
                    row["corpus"],
                    row["weighting"],
                    row["copies"],
                    row["links_between"],
                    f"{row['potential_pairs']:,}",
                    f"{row['drawn']:,}",
                    f"{row['below']:,}",
                    format_percent(row["share"], 2),
                    MISSING if isnan(row["share"]) else f"{row['low']:.2%}-{row['high']:.2%}",
                )
                for row in results.measurements["potential"]
            ),
        ),
    )


def tabulate_scale(results: Results) -> Table:
    """Return Figures 7 to 10."""
    groups = group_rows(results.measurements["scale"], "corpus", "texts")
    runs = {key: {row["mode"]: row for row in rows} for key, rows in groups.items()}
    return Table(
        "Figures 7 to 10: time and memory by size of the corpus",
        f"Seconds (the best of {TIMES} runs) and peak megabytes, including the texts but not reading files and "
        "explaining. Paper: fingerprints, skipping connected pairs. Prefix: every pair at the threshold. "
        f"{CURVE} According to the text, both are almost linear, up to 12 and 5 million texts.",
        (
            *("", "texts", "MB of text"),
            *(f"{mode}, {what}" for mode in MODES for what in ("s", "MB", "comparisons")),
        ),
        tuple(
            (
                corpus,
                f"{texts:,}",
                _format_megabytes(next(iter(modes.values()))["megabytes"]),
                *(cell for mode in MODES for cell in _format_run(modes[mode])),
            )
            for (corpus, texts), modes in runs.items()
        ),
    )


def _format_run(row: Row) -> tuple[str, str, str]:
    return f"{row['seconds']:.3f}", f"{row['memory_megabytes']:.0f}", f"{row['comparisons']:,}"


def tabulate_fits(results: Results) -> Table:
    """Return the lines fitted to Figures 7 to 10."""
    times, sizes = (
        fit_scale(results.measurements["scale"], "seconds"),
        fit_scale(results.measurements["scale"], "memory_megabytes"),
    )
    return Table(
        "Figures 7 to 10: lines of least squares",
        "R² is the share of the variance that the line explains.",
        ("", "mode", "seconds", "R²", "MB", "R²"),
        tuple(
            (
                corpus,
                mode,
                _format_line(times[corpus, mode].intercept, times[corpus, mode].slope, 3),
                format_measure(times[corpus, mode].explained, 4),
                _format_line(sizes[corpus, mode].intercept, sizes[corpus, mode].slope, 1),
                format_measure(sizes[corpus, mode].explained, 4),
            )
            for corpus, mode in times
        ),
    )


def _format_line(intercept: float, slope: float, digits: int) -> str:
    return f"{intercept:.{digits}f} + {1e6 * slope:.{digits}f} per million texts"


def _format_megabytes(number: float) -> str:
    return f"{number:.1f}" if number < 100 else f"{number:,.0f}"


TABULATORS: Mapping[str, tuple[Callable[[Results], Table], ...]] = {
    "corpora": (tabulate_corpora,),
    "precision": (tabulate_precision,),
    "grams": (tabulate_grams,),
    "features": (tabulate_features,),
    "lengths": (tabulate_lengths,),
    "optimisation": (tabulate_optimisation,),
    "potential": (tabulate_potential_pairs,),
    "scale": (tabulate_scale, tabulate_fits),
}
"""The tables of each experiment."""
