"""The tables of the reproduction of Ignatov & Kuznetsov 2009, our numbers with the published ones."""

from __future__ import annotations

from collections.abc import Sequence

from neardup.represent import Choice
from neardup.reproduce.concepts import published as paper
from neardup.reproduce.concepts.experiments import Results, choose_elsewhere
from neardup.reproduce.concepts.experiments.mining import OURS, PEER_SECONDS
from neardup.reproduce.concepts.experiments.quality import METHODS
from neardup.reproduce.tables import MISSING, Row, Table, distinct, format_measure, group_rows

DIGITS = 3
PAPER_INPUTS = {
    "bottom": {(20, 100): "length 20, size 100, parts 1-12", (10, 150): "length 10, size 150, parts 1-6"},
    "permutations": {(20, 100): "length 20, size 100, parts 1-3"},
}
"""The inputs of Tables 2 and 6 that ours are compared with, by length and size."""

PRINTED_VALUES = {"bottom": paper.TABLE2, "permutations": paper.TABLE6}
VALUES = ("gold_pairs", "found_pairs", "only_gold_pairs", "only_found_pairs", "common_pairs")
VALUE_NAMES = ("gold", "ours", "only gold", "only ours", "common")


def list_tables(results: Results) -> list[Table]:
    """Return every table, collection by collection."""
    tables = [_tabulate_chosen_thresholds(results)] if len(results.collections) > 1 else []
    for pages in results.collections:
        name = pages.name
        tables += [
            _tabulate_f1(results, name),
            _tabulate_five_values(results, name, "bottom", "Table 2"),
            _tabulate_scores(results, name, (20, 100), "Table 3", paper.TABLE3),
            _tabulate_scores(results, name, (10, 150), "Table 4", paper.TABLE4),
            _tabulate_bisection(results, name),
            _tabulate_five_values(results, name, "permutations", "Table 6"),
            _tabulate_lengths(results, name),
            _tabulate_times(results, name),
            _tabulate_algorithms(results, name),
            _tabulate_false_clusters(results, name),
            _tabulate_boilerplate(results, name),
        ]
    return [*tables, _tabulate_campaigns(results)]


def _tabulate_chosen_thresholds(results: Results) -> Table:
    rows = [row for length in (5, 10) for row in choose_elsewhere(results, length)]
    return Table(
        "F1 at a threshold chosen elsewhere",
        "Each collection uses the relative threshold that is best for all the others; images of 100 shingles.",
        ("collection", "shingle length", "threshold", "F1"),
        tuple((r["collection"], str(r["length"]), f"{r['threshold']} %", _share(r["f1"])) for r in rows),
    )


def _tabulate_f1(results: Results, name: str) -> Table:
    columns = {
        length: {
            row["threshold"]: row
            for row in results.measurements.rows(
                "thresholds", collection=name, method="bottom", length=length, size=100
            )
        }
        for length in (5, 10)
    }
    best = {length: max(row["f1"] for row in rows.values()) for length, rows in columns.items()}
    relative = {length: max(row["relative_f1"] for row in rows.values()) for length, rows in columns.items()}
    best_values = "; ".join(
        f"length {length}: {_share(best[length])} and {_share(relative[length])}" for length in columns
    )
    return Table(
        f"{name}: F1 by threshold",
        "Images of 100 shingles. Absolute: at least this number of common units. Relative: at least this percentage of "
        f"the larger image, which does not exclude short pages. Best F1, absolute and relative: {best_values}. The "
        f"paper's best: {paper.BEST_F1} (length 10).",
        (
            "threshold",
            *(f"{word} {kind} {length}" for length in columns for kind in ("absolute", "relative") for word in "PRF"),
        ),
        tuple(
            (
                str(threshold),
                *(
                    _share(columns[length][threshold][prefix + measure])
                    for length in columns
                    for prefix in ("", "relative_")
                    for measure in ("precision", "recall", "f1")
                ),
            )
            for threshold in columns[5]
        ),
    )


def _tabulate_five_values(results: Results, name: str, method: Choice, title: str) -> Table:
    """Return the five values for the inputs and thresholds of the paper, for the first part of each input."""
    rows = []
    for (length, size), paper_input in PAPER_INPUTS[method].items():
        for printed in (row for row in PRINTED_VALUES[method] if row.input == paper_input):
            (own,) = results.measurements.rows(
                "thresholds", collection=name, method=method, length=length, size=size, threshold=printed.threshold
            )
            ours = [f"{own[value]:,}" for value in VALUES]
            rows.append((f"length {length}, size {size}", str(printed.threshold), *ours, *_format_five(printed)))
    return Table(
        f"{name}: {title}, the five values of “{METHODS[method]}”",
        "Pairs in the gold, in our clusters, in only one of them, and in both. The last columns have the paper's "
        "numbers, of another collection.",
        ("input", "threshold", *VALUE_NAMES, *(f"{value} (paper)" for value in VALUE_NAMES)),
        tuple(rows),
    )


def _format_five(row: paper.FiveValues) -> tuple[str, ...]:
    return tuple(f"{value:,}" for value in (row.gold, row.found, row.only_gold, row.only_found, row.common))


def _tabulate_scores(
    results: Results, name: str, images: tuple[int, int], title: str, printed: Sequence[paper.Scored]
) -> Table:
    """Return the scores and times of images of some length and size."""
    length, size = images
    wanted = {"collection": name, "method": "bottom", "length": length, "size": size}
    own = {row["threshold"]: row for row in results.measurements.rows("thresholds", **wanted)}
    times = {row["threshold"]: row["seconds"] for row in results.measurements.rows("times", part=1.0, **wanted)}
    return Table(
        f"{name}: {title}, shingles of {length} words, images of {size}",
        "Seconds for the maximal clusters, without making the images. The last columns have the paper's numbers.",
        ("threshold", "seconds", "P", "R", "F1", "seconds (paper)", "P (paper)", "R (paper)", "F1 (paper)"),
        tuple(
            (
                str(row.setting),
                _seconds(times.get(row.setting)),
                *(_share(own[row.setting][measure]) for measure in ("precision", "recall", "f1")),
                f"{row.seconds:g}",
                *(f"{value:.2f}" for value in (row.precision, row.recall, row.f1)),
            )
            for row in printed
        ),
    )


def _tabulate_bisection(results: Results, name: str) -> Table:
    return Table(
        f"{name}: Table 5, repeated bisection",
        "As many clusters per page as in the paper; spherical two-means with criterion I2 on images of 100 shingles "
        "of 10 words, the best of 10 random starts for each split.",
        ("clusters", "seconds", "P", "R", "F1", "clusters (paper)", "seconds (paper)", "F1 (paper)"),
        tuple(
            (
                f"{row['clusters']:,}",
                _seconds(row["seconds"]),
                *(_share(row[measure]) for measure in ("precision", "recall", "f1")),
                f"{row['paper_clusters']:,}",
                f"{row['paper_seconds']:,}",
                f"{row['paper_f1']:.2f}",
            )
            for row in results.measurements.rows("bisection", collection=name)
        ),
    )


def _tabulate_lengths(results: Results, name: str) -> Table:
    """Return Figure 2 and the image sizes: the best F1 of each image, and that at 85 per cent."""
    groups = group_rows(results.measurements.rows("thresholds", collection=name), "method", "length", "size")
    return Table(
        f"{name}: Figure 2, F1 by shingle length, image size and method",
        "The best F1 over all thresholds, its threshold, and F1 at 85 % of the image; absolute thresholds as in the "
        "paper, in which length 10 is best and the methods are nearly equal.",
        ("method", "length", "size", "best F1", "at", "F1 at 85 %", "best relative F1", "at"),
        tuple(
            (
                method,
                str(length),
                str(size),
                *_format_best(own, "f1"),
                _share(_at_85(own, size)),
                *_format_best(own, "relative_f1"),
            )
            for (method, length, size), own in groups.items()
        ),
    )


def _format_best(rows: Sequence[Row], measure: str) -> tuple[str, str]:
    best = max(rows, key=lambda row: row[measure])
    return _share(best[measure]), str(best["threshold"])


def _at_85(rows: Sequence[Row], size: int) -> float:
    """Return F1 at the threshold nearest to 85 per cent."""
    nearest = min(rows, key=lambda row: (abs(100 * row["threshold"] - 85 * size), -row["threshold"]))
    return float(nearest["f1"])


def _tabulate_times(results: Results, name: str) -> Table:
    rows = results.measurements.rows("times", collection=name, size=100)
    thresholds = sorted(distinct(rows, "threshold"), reverse=True)
    groups = {
        key: {row["threshold"]: row for row in own}
        for key, own in group_rows(rows, "method", "length", "pages").items()
    }
    return Table(
        f"{name}: Figures 5 and 6, seconds for the maximal clusters",
        "By threshold and number of pages, without making the images. *: a component had too many clusters and got a "
        "cover instead.",
        ("method", "length", "pages", *map(str, thresholds)),
        tuple(
            (method, str(length), f"{pages:,}", *(_format_time(own[threshold]) for threshold in thresholds))
            for (method, length, pages), own in groups.items()
        ),
    )


def _format_time(row: Row) -> str:
    return _seconds(row["seconds"]) + ("*" if row["components_cut"] else "")


def _tabulate_algorithms(results: Results, name: str) -> Table:
    missing = "" if results.peers else " The package pyfim is not installed, so ours is not compared."
    return Table(
        f"{name}: Figure 7, seconds by algorithm",
        f"Images of 100 shingles of 10 words. All algorithms but ours are those of pyfim, stopped after "
        f"{PEER_SECONDS:g} s or at 4 GB (over).{missing}",
        *_tabulate_runs(results.measurements.rows("algorithms", collection=name)),
    )


def _tabulate_campaigns(results: Results) -> Table:
    return Table(
        "Seconds by algorithm on campaigns",
        "Near-copies of one text, each with up to five of its 100 units replaced; clusters share 85 units. *: there "
        "are more than 10,000 clusters, and ours gives a cover. An algorithm that does not finish on the smaller "
        "campaign is not run on the larger one.",
        *_tabulate_runs(results.measurements["campaigns"]),
    )


def _tabulate_runs(rows: Sequence[Row]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return headings and rows: a context in each row, an algorithm in each column."""
    algorithms = distinct(rows, "algorithm")
    groups = {
        key: {row["algorithm"]: row for row in own}
        for key, own in group_rows(rows, "context", "threshold", "kind").items()
    }
    return ("context", "units", "clusters", "number", *algorithms), tuple(
        (
            context,
            str(units),
            kind + ("*" if own[OURS]["components_cut"] else ""),
            f"{own[OURS]['clusters']:,}",
            *(_format_run(own.get(algorithm)) for algorithm in algorithms),
        )
        for (context, units, kind), own in groups.items()
    )


def _format_run(row: Row | None) -> str:
    if row is None:
        return ""
    return "over" if row["seconds"] is None else _seconds(row["seconds"])


def _tabulate_false_clusters(results: Results, name: str) -> Table:
    rows = results.measurements.rows("false_clusters", collection=name)
    return Table(
        f"{name}: false duplicate clusters of the transitive closure",
        f"Components of the gold with pages that the gold does not pair: {len(rows)} (the paper: "
        f"{paper.FALSE_CLUSTERS} among about {paper.EXAMINED_PAIRS:,} pairs, one of {paper.FALSE_CLUSTER_DOCUMENTS} "
        "documents). The units (of 100, shingles of 10 words) that all pages and that the ends of the chain share, "
        "and the number of maximal clusters of 85 units among the pages.",
        ("pages", "gold pairs", "apart", "units of all", "units of the ends", "clusters here", "chain"),
        tuple(
            (
                *(f"{row[value]:,}" for value in ("documents", "gold_pairs", "pairs_apart")),
                *(str(row[value]) for value in ("units_of_all", "units_of_ends", "clusters")),
                row["chain"],
            )
            for row in rows[:20]
        ),
    )


def _tabulate_boilerplate(results: Results, name: str) -> Table:
    count, *pairs = results.measurements.rows("boilerplate", collection=name)
    ours = ", ".join(f"{value} {key[5:]}" for key, value in count.items() if key.startswith("ours "))
    return Table(
        f"{name}: Table 1, pages that share only boilerplate",
        f"{count['frame_pairs']:,} of {count['gold_pairs']:,} gold pairs are not similar without navigation, headers "
        "and footers (edit similarity of the contents at most 0.85). Of these, the following share enough units: "
        f"{ours}.",
        ("page", "and", "content of the one", "content of the other"),
        tuple((row["a"], row["b"], row["text_a"], row["text_b"]) for row in pairs),
    )


def _share(value: float) -> str:
    return format_measure(value, DIGITS)


def _seconds(value: float | None) -> str:
    return MISSING if value is None else f"{value:.3f}" if value < 10 else f"{value:.1f}"
