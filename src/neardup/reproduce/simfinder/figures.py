"""The tables of the reproduction for people, the report, and the files of its folder; the plots are in `plots`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path
from typing import Any

from neardup.report.layout import format_share
from neardup.reproduce.folder import REPORT, Plot, Row, Sheet, can_draw, to_csv, to_markdown, write_folder
from neardup.reproduce.messages.growth import FAMILIES, LARGEST
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.experiments import TABLES, Reproduction
from neardup.reproduce.simfinder.plots import draw_precision, draw_recall, draw_scale
from neardup.reproduce.simfinder.precision import EQUATIONS
from neardup.reproduce.simfinder.scale import MODES, TIMES, fit_scale
from neardup.version import VERSION

PAPER = "paper"
CURVE = f"The paper: {published.UNREADABLE}."


def list_sheets(found: Reproduction) -> list[Sheet]:
    """Lay out every table that has rows, ours beside the paper's."""
    layouts: Sequence[tuple[Sequence[Row], Callable[[Reproduction], Sheet]]] = (
        (found.corpora, _lay_corpora),
        (found.precision, _lay_precision),
        (found.grams, _lay_grams),
        (found.features, _lay_features),
        (found.lengths, _lay_lengths),
        (found.optimisation, _lay_optimisation),
        (found.potential, _lay_potential),
        (found.scale, _lay_scale),
        (found.scale, _lay_fits),
    )
    return [lay(found) for rows, lay in layouts if rows]


def _lay_corpora(found: Reproduction) -> Sheet:
    papers = (
        (f"{PAPER}: {name}", f"{texts:,}", "-", f"{megabytes:,}", "over 40 %" if "messages" in name else "-")
        for name, (texts, megabytes) in published.CORPORA.items()
    )
    ours = (
        (
            row["corpus"],
            f"{row['texts']:,}",
            f"{row['distinct']:,}",
            _say_megabytes(row["megabytes"]),
            f"{row['copied']:.1%}",
        )
        for row in found.corpora
    )
    return Sheet(
        "Corpora",
        "Copied: texts that stand at least twice, character for character.",
        ("", "texts", "distinct", "MB", "copied"),
        (*papers, *ours),
    )


def _lay_precision(found: Reproduction) -> Sheet:
    cells: dict[tuple[str, str, str], list[str]] = {}
    for row in found.precision:
        own = cells.setdefault((row["source"], row["labels"], row["degree"]), [])
        own += ["-" if isnan(row["precision"]) else f"{row['precision']:.3f}", _say_interval(row), f"{row['pairs']:,}"]
    degrees = {f"{degree:.2f}": f"{degree - 0.05:.2f}-{degree:.2f}" for degree in published.INTERVALS}
    return Sheet(
        "Figures 1 and 2: precision by duplicate degree",
        "The share of the pairs of an interval that are near-duplicates, its 95 % confidence interval, and how many "
        "pairs there are. Judged: by people, all pairs of the file. Same original: "
        f"{published.PAIRS_PER_INTERVAL} pairs of each interval, drawn, of one original or not. "
        f"The paper: {published.PAIRS_PER_INTERVAL} pairs of each interval, judged by hand; {published.UNREADABLE}.",
        ("", "", "degree", *(f"eq. {equation}{of}" for equation in EQUATIONS for of in ("", " 95 %", " pairs"))),
        tuple(
            (source, labels, degrees.get(degree, f"from {published.THRESHOLD}"), *own)
            for (source, labels, degree), own in cells.items()
        ),
    )


def _say_interval(row: Row) -> str:
    return "-" if isnan(row["precision"]) else f"{row['low']:.2f}-{row['high']:.2f}"


SEARCH_HEADINGS = ("texts found", "recall, baseline", "recall, exact", "pairs, exact", "comparisons")


def _lay_grams(found: Reproduction) -> Sheet:
    return Sheet(
        "Figures 3 and 4: gram size, recall and comparisons",
        "Identical copies removed, k+N features. Recall of texts with a partner, relative to the baseline, which "
        "compares texts with two continuous terms in common, and to all texts with a partner at the threshold; of "
        "pairs relative to all pairs. Where SimFinder finds texts that the baseline does not, the first is above 1. "
        f"The paper takes N = {published.GRAM}. {CURVE}",
        ("", "weights", "N", *SEARCH_HEADINGS),
        tuple(_say_search(row) for row in found.grams),
    )


def _lay_features(found: Reproduction) -> Sheet:
    return Sheet(
        "Figures 5 and 6: feature number, recall and comparisons",
        f"N = {published.GRAM}, as above. The paper takes k+{published.GRAM} and calls its recall almost 1. {CURVE}",
        ("", "weights", "features", *SEARCH_HEADINGS),
        tuple(_say_search(row) for row in found.features),
    )


def _say_search(row: Row) -> tuple[str, ...]:
    recalls = (format_share(row[name], 4) for name in ("recall_baseline", "recall_exact", "pair_recall"))
    marks = row["corpus"], row["weighting"], row["setting"]
    return *marks, f"{row['texts_found']:,}", *recalls, _say_counted(row, "comparisons")


def _say_counted(row: Row, name: str) -> str:
    return f"{row[name]:,}" if row["counted"] == "exactly" else f"{row['counted']} {row[name]:,}"


def _lay_lengths(found: Reproduction) -> Sheet:
    return Sheet(
        "Recall of the paper's search by length of text",
        f"N = {published.GRAM}, k+{published.GRAM} features, relative to the exact answer. Texts by their number of "
        "terms, pairs by that of the shorter text. Not in the paper.",
        ("", "weights", "terms", "texts", "recall of texts", "pairs", "recall of pairs"),
        tuple(
            (
                row["corpus"],
                row["weighting"],
                row["terms"],
                f"{row['texts']:,}",
                format_share(row["recall_exact"], 4),
                f"{row['pairs']:,}",
                format_share(row["pair_recall"], 4),
            )
            for row in found.lengths
        ),
    )


def _lay_optimisation(found: Reproduction) -> Sheet:
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
    return Sheet(
        "The optimisation: comparisons without and with skipping connected pairs",
        "With identical copies kept in, each a text of its own, and with copies collapsed first. A pair is counted "
        "once, however many fingerprints it shares.",
        ("", "weights", "copies", "texts", "comparisons", "skipping", "saved", "times fewer"),
        (paper, *map(_say_optimisation, found.optimisation)),
    )


def _say_optimisation(row: Row) -> tuple[str, ...]:
    skipping = row["comparisons_skipping"]
    return (
        row["corpus"],
        row["weighting"],
        row["copies"],
        f"{row['texts']:,}",
        _say_counted(row, "comparisons"),
        f"{skipping:,}",
        "-" if isnan(row["saved"]) else f"{row['saved']:.1%}",
        f"{row['comparisons'] / skipping:.2f}" if skipping else "-",
    )


def _lay_potential(found: Reproduction) -> Sheet:
    drawn, below = published.POTENTIAL_PAIRS, published.BELOW
    paper = (
        *(f"{PAPER}: short messages", "as printed", "kept", "two", "-"),
        *(f"{drawn:,}", str(below), f"{below / drawn:.2%}", "-"),
    )
    return Sheet(
        f"The optimisation: potential pairs below {published.THRESHOLD}",
        "Potential pairs are near-duplicates of one third text (two links, the paper's definition), or connected by "
        "any number of links, which is what the optimisation takes for granted. Drawn without repetition; all, where "
        "there are no more.",
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
                    "-" if isnan(row["share"]) else f"{row['share']:.2%}",
                    "-" if isnan(row["share"]) else f"{row['low']:.2%}-{row['high']:.2%}",
                )
                for row in found.potential
            ),
        ),
    )


def _lay_scale(found: Reproduction) -> Sheet:
    cells: dict[tuple[str, int], dict[str, Row]] = {}
    for row in found.scale:
        cells.setdefault((row["corpus"], row["texts"]), {})[row["mode"]] = row
    return Sheet(
        "Figures 7 to 10: time and memory by size of the corpus",
        f"Seconds (the best of {TIMES} runs) and megabytes at the highest, the texts themselves counted; reading files "
        "and explaining are not. Paper: fingerprints, skipping connected pairs. Prefix: every pair at the threshold. "
        f"{CURVE} It says that both are almost linear, up to 12 and 5 million texts.",
        (
            *("", "texts", "MB of text"),
            *(f"{mode}, {what}" for mode in MODES for what in ("s", "MB", "comparisons")),
        ),
        tuple(
            (
                corpus,
                f"{texts:,}",
                _say_megabytes(next(iter(modes.values()))["megabytes"]),
                *(cell for mode in MODES for cell in _say_run(modes[mode])),
            )
            for (corpus, texts), modes in cells.items()
        ),
    )


def _say_run(row: Row) -> tuple[str, str, str]:
    return f"{row['seconds']:.3f}", f"{row['memory_megabytes']:.0f}", f"{row['comparisons']:,}"


def _lay_fits(found: Reproduction) -> Sheet:
    times, sizes = fit_scale(found.scale, "seconds"), fit_scale(found.scale, "memory_megabytes")
    return Sheet(
        "Figures 7 to 10: lines of least squares",
        "R² is the share of the variance that the line explains.",
        ("", "mode", "seconds", "R²", "MB", "R²"),
        tuple(
            (
                corpus,
                mode,
                _say_line(times[corpus, mode].intercept, times[corpus, mode].slope, 3),
                format_share(times[corpus, mode].explained, 4),
                _say_line(sizes[corpus, mode].intercept, sizes[corpus, mode].slope, 1),
                format_share(sizes[corpus, mode].explained, 4),
            )
            for corpus, mode in times
        ),
    )


def _say_line(intercept: float, slope: float, digits: int) -> str:
    return f"{intercept:.{digits}f} + {1e6 * slope:.{digits}f} per million texts"


def _say_megabytes(number: float) -> str:
    return f"{number:.1f}" if number < 100 else f"{number:,.0f}"


def list_plots(found: Reproduction) -> list[Plot]:
    """Return the plots that there are rows for."""
    plots = (
        (found.precision, "figures1-2", "Precision by duplicate degree", draw_precision),
        (found.grams, "figures3-4", "Gram size", lambda rows: draw_recall(rows, "gram size N", str(published.GRAM))),
        (found.features, "figures5-6", "Features", lambda rows: draw_recall(rows, "features", f"k+{published.GRAM}")),
        (found.scale, "figures7-8", "Time", lambda rows: draw_scale(rows, "seconds", "seconds")),
        (
            found.scale,
            "figures9-10",
            "Memory",
            lambda rows: draw_scale(rows, "memory_megabytes", "peak megabytes"),
        ),
    )
    return [_plot(rows, name, title, draw) for rows, name, title, draw in plots if rows]


def _plot(rows: Sequence[Row], name: str, title: str, draw: Callable[[Sequence[Row]], Any]) -> Plot:
    return Plot(name, title, lambda: draw(rows))


def write_reproduction(found: Reproduction, folder: str | os.PathLike[str]) -> list[Path]:
    """Write CSV files, all of them as JSON, plots and the report; without matplotlib, all but the plots."""
    tables = {name: getattr(found, name) for name in ("corpora", *TABLES) if getattr(found, name)}
    contents = {f"{name}.csv": to_csv(rows) for name, rows in tables.items()}
    facts = {"version": VERSION, "seed": found.seed, "size": found.size}
    contents["figures.json"] = json.dumps(_without_nan({**facts, **tables}), indent=1, ensure_ascii=False) + "\n"
    contents[REPORT] = write_report(found, drawn=can_draw())
    return write_folder(folder, contents, list_plots(found))


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and isnan(value) else value


def write_report(found: Reproduction, *, drawn: bool) -> str:
    """Return the report: what was done, what is simulated, every table and the plots."""
    lines = ["# SimFinder, reproduced", "", *_say_how(found), *to_markdown(list_sheets(found))]
    for plot in list_plots(found) if drawn else ():
        lines += ["", f"![{plot.title}]({plot.files[1]})"]
    return "\n".join(lines) + "\n"


def _say_how(found: Reproduction) -> list[str]:
    return [
        'The experiments of Gong, Huang, Cheng & Bai, "Detecting near-duplicates in large-scale short text databases" '
        f"(2008), section 4, seed {found.seed}. Their corpora are not public, and their figures are curves without "
        "values: beside ours stands what their text says.",
        "",
        "- Given: corpora and judged pairs, if any were named. A corpus of more texts than asked for is sampled.",
        f"- Grown: corpora of which the origin of each message is known. {FAMILIES:.0%} of the originals have a family "
        f"of 2 to {LARGEST} messages, large ones more seldom: identical copies, and versions with one edit or more (a "
        "word replaced, dropped or put in, an abbreviation, another number or name, a greeting before or behind, other "
        "punctuation). Where the source has no more originals, they are the beginning of one message and the end of "
        "another. Without any input, the source is written by a grammar.",
        "- Same original: of a grown corpus, a pair of two originals that are alike by themselves counts as wrong, so "
        "its precision is a lower bound.",
        "- Chosen: intervals of duplicate degree hold their upper end; the first holds both. The background database "
        "of term frequencies is the distinct texts of the collection, of judged pairs theirs. Equation 3 is equation 4 "
        "with equal weights, on the same terms.",
        "- Chosen: what the baseline finds is read off the exact answer, of which it finds the pairs with two "
        "continuous terms in common; its comparisons are counted, not made. So for each gram size and feature number.",
        "- Weights as printed: the most frequent term of a class is the heaviest, on a linear scale, times its length "
        "in characters. Ours: the rarest is the heaviest, on a logarithmic scale, and length counts up to a limit. The "
        "paper does not print its weight intervals; the table of the package is used for both.",
        "- Times and memory are of this machine; all else depends on the texts and the seed alone.",
    ]
