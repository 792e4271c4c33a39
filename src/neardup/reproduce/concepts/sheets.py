"""The tables of the reproduction of Ignatov & Kuznetsov 2009 as people read them: ours, and beside them the paper's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from neardup.report.layout import format_share
from neardup.reproduce.concepts import published as paper
from neardup.reproduce.concepts.experiments import METHODS, OURS, PEER_SECONDS, Reproduction, Row, choose_elsewhere
from neardup.reproduce.folder import Sheet

DIGITS = 3
PLACES = {(20, 100): "length 20, size 100, parts 1-12", (10, 150): "length 10, size 150, parts 1-6"}
VALUES = ("gold_pairs", "found_pairs", "only_gold_pairs", "only_found_pairs", "common_pairs")
VALUE_NAMES = ("gold", "ours", "only gold", "only ours", "common")


def list_sheets(found: Reproduction) -> list[Sheet]:
    """Lay out every table, collection by collection."""
    sheets = [_lay_chosen(found)] if len(found.collections) > 1 else []
    for pages in found.collections:
        name = pages.name
        sheets += [
            _lay_f1(found, name),
            _lay_five(found, name, "bottom", "Table 2", paper.TABLE2),
            _lay_scores(found, name, 20, 100, "Table 3", paper.TABLE3),
            _lay_scores(found, name, 10, 150, "Table 4", paper.TABLE4),
            _lay_bisection(found, name),
            _lay_five(found, name, "permutations", "Table 6", paper.TABLE6),
            _lay_lengths(found, name),
            _lay_times(found, name),
            _lay_algorithms(found, name),
            _lay_false_clusters(found, name),
            _lay_frames(found, name),
        ]
    return [*sheets, _lay_campaigns(found)]


def _lay_chosen(found: Reproduction) -> Sheet:
    rows = [row for length in (5, 10) for row in choose_elsewhere(found, length)]
    return Sheet(
        "F1 at a threshold chosen elsewhere",
        "For each collection the relative threshold that is best for all the others; images of 100 shingles.",
        ("collection", "shingle length", "threshold", "F1"),
        tuple((r["collection"], str(r["length"]), f"{r['threshold']} %", _share(r["f1"])) for r in rows),
    )


def _lay_f1(found: Reproduction, name: str) -> Sheet:
    columns = {
        length: {
            row["threshold"]: row
            for row in found.rows("thresholds", collection=name, method="bottom", length=length, size=100)
        }
        for length in (5, 10)
    }
    best = {length: max(row["f1"] for row in rows.values()) for length, rows in columns.items()}
    relative = {length: max(row["relative_f1"] for row in rows.values()) for length, rows in columns.items()}
    said = "; ".join(f"length {length}: {_share(best[length])} and {_share(relative[length])}" for length in columns)
    return Sheet(
        f"{name}: F1 by threshold",
        "Images of 100 shingles. Absolute: at least so many units in common; relative: this part of the larger image, "
        f"which does not rule short pages out. Best F1, absolute and relative: {said}. The paper's best: "
        f"{paper.BEST_F1} (length 10).",
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


def _lay_five(found: Reproduction, name: str, method: str, title: str, printed: Sequence[paper.FiveValues]) -> Sheet:
    """Lay out the five values for the inputs and thresholds that the paper has, the first part of each input."""
    rows = []
    for (length, size), place in (
        PLACES.items() if method == "bottom" else [((20, 100), "length 20, size 100, parts 1-3")]
    ):
        for beside in (row for row in printed if row.input == place):
            own = found.rows(
                "thresholds", collection=name, method=method, length=length, size=size, threshold=beside.threshold
            )
            ours = [f"{own[0][value]:,}" for value in VALUES]
            rows.append((f"length {length}, size {size}", str(beside.threshold), *ours, *_say_five(beside)))
    return Sheet(
        f"{name}: {title}, the five values of “{METHODS[method]}”",
        "Pairs in the gold, in our clusters, in one alone, in both; in the last columns the paper's, of another "
        "collection.",
        ("input", "threshold", *VALUE_NAMES, *(f"{value} (paper)" for value in VALUE_NAMES)),
        tuple(rows),
    )


def _say_five(row: paper.FiveValues) -> Iterator[str]:
    return (f"{value:,}" for value in (row.gold, row.found, row.only_gold, row.only_found, row.common))


def _lay_scores(
    found: Reproduction, name: str, length: int, size: int, title: str, printed: Sequence[paper.Scored]
) -> Sheet:
    own = {
        row["threshold"]: row
        for row in found.rows("thresholds", collection=name, method="bottom", length=length, size=size)
    }
    times = {
        row["threshold"]: row["seconds"]
        for row in found.rows("times", collection=name, method="bottom", length=length, size=size)
        if row["part"] == 1.0
    }
    return Sheet(
        f"{name}: {title}, shingles of {length} words, images of {size}",
        "Seconds for the maximal clusters from the images on; in the last columns the paper's.",
        ("threshold", "seconds", "P", "R", "F1", "seconds (paper)", "P (paper)", "R (paper)", "F1 (paper)"),
        tuple(
            (
                str(beside.setting),
                _seconds(times.get(beside.setting)),
                *(_share(own[beside.setting][measure]) for measure in ("precision", "recall", "f1")),
                f"{beside.seconds:g}",
                *(f"{value:.2f}" for value in (beside.precision, beside.recall, beside.f1)),
            )
            for beside in printed
        ),
    )


def _lay_bisection(found: Reproduction, name: str) -> Sheet:
    return Sheet(
        f"{name}: Table 5, repeated bisection",
        "As many clusters for each page as the paper's; spherical two-means with criterion I2 on shingles of 10 words, "
        "images of 100, best of 10 drawings for each split.",
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
            for row in found.rows("bisection", collection=name)
        ),
    )


def _lay_lengths(found: Reproduction, name: str) -> Sheet:
    """Lay out Figure 2 and the image sizes: the best F1 of each image, and that at 85 per cent."""
    rows: dict[tuple[str, int, int], list[Row]] = {}
    for row in found.rows("thresholds", collection=name):
        rows.setdefault((row["method"], row["length"], row["size"]), []).append(row)
    return Sheet(
        f"{name}: Figure 2, F1 by shingle length, image size and method",
        "The best over all thresholds, which one, and F1 at 85 % of the image; absolute thresholds as in the paper, "
        "which finds length 10 best and the methods much the same.",
        ("method", "length", "size", "best F1", "at", "F1 at 85 %", "best relative F1", "at"),
        tuple(
            (
                method,
                str(length),
                str(size),
                *_say_best(own, "f1"),
                _share(_at_85(own, size)),
                *_say_best(own, "relative_f1"),
            )
            for (method, length, size), own in rows.items()
        ),
    )


def _say_best(rows: Sequence[Row], measure: str) -> tuple[str, str]:
    best = max(rows, key=lambda row: row[measure])
    return _share(best[measure]), str(best["threshold"])


def _at_85(rows: Sequence[Row], size: int) -> float:
    """Return F1 at the threshold nearest to 85 per cent."""
    nearest = min(rows, key=lambda row: (abs(100 * row["threshold"] - 85 * size), -row["threshold"]))
    return float(nearest["f1"])


def _lay_times(found: Reproduction, name: str) -> Sheet:
    rows = found.rows("times", collection=name, size=100)
    thresholds = sorted({row["threshold"] for row in rows}, reverse=True)
    groups: dict[tuple[str, int, int], dict[int, Row]] = {}
    for row in rows:
        groups.setdefault((row["method"], row["length"], row["pages"]), {})[row["threshold"]] = row
    return Sheet(
        f"{name}: Figures 5 and 6, seconds for the maximal clusters",
        "From the images on, by threshold and number of pages. Where a component had too many clusters a cover was "
        "given for it, marked *.",
        ("method", "length", "pages", *map(str, thresholds)),
        tuple(
            (method, str(length), f"{pages:,}", *(_say_time(own[threshold]) for threshold in thresholds))
            for (method, length, pages), own in groups.items()
        ),
    )


def _say_time(row: Row) -> str:
    return _seconds(row["seconds"]) + ("*" if row["components_cut"] else "")


def _lay_algorithms(found: Reproduction, name: str) -> Sheet:
    missing = "" if found.peers else " The package pyfim is not installed, so there is nothing beside ours."
    return Sheet(
        f"{name}: Figure 7, seconds by algorithm",
        f"Shingles of 10 words, images of 100. All but ours are of pyfim, ended after {PEER_SECONDS:g} s or 4 GB "
        f"(over).{missing}",
        *_list_runs(found.rows("algorithms", collection=name)),
    )


def _lay_campaigns(found: Reproduction) -> Sheet:
    return Sheet(
        "Seconds by algorithm on campaigns",
        "So many near-copies of one text, five units or fewer of 100 replaced in each; 85 units in common. Where there "
        "are more clusters than 10,000, ours gives a cover, marked *. What does not end on the smaller campaign is not "
        "tried on the larger.",
        *_list_runs(found.tables["campaigns"]),
    )


def _list_runs(rows: Sequence[Row]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return headings and rows: a context in each row, an algorithm in each column."""
    algorithms = list(dict.fromkeys(row["algorithm"] for row in rows))
    groups: dict[tuple[str, int, str], dict[str, Row]] = {}
    for row in rows:
        groups.setdefault((row["context"], row["threshold"], row["kind"]), {})[row["algorithm"]] = row
    return ("context", "units", "clusters", "number", *algorithms), tuple(
        (
            context,
            str(units),
            kind + ("*" if own[OURS]["components_cut"] else ""),
            f"{own[OURS]['clusters']:,}",
            *(_say_run(own.get(algorithm)) for algorithm in algorithms),
        )
        for (context, units, kind), own in groups.items()
    )


def _say_run(row: Row | None) -> str:
    if row is None:
        return ""
    return "over" if row["seconds"] is None else _seconds(row["seconds"])


def _lay_false_clusters(found: Reproduction, name: str) -> Sheet:
    rows = found.rows("false_clusters", collection=name)
    return Sheet(
        f"{name}: false duplicate clusters of the transitive closure",
        f"Components of the gold with pages that it does not pair: {len(rows)} (the paper: {paper.FALSE_CLUSTERS} "
        f"among about {paper.LOOKED_AT:,} pairs, one of {paper.FALSE_CLUSTER_DOCUMENTS} documents). Units in common of "
        "100 (shingles of 10 words), of all its pages and of the ends of the chain, and how many maximal clusters of "
        "85 units its pages make here.",
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


def _lay_frames(found: Reproduction, name: str) -> Sheet:
    count, *pairs = found.rows("boilerplate", collection=name)
    ours = ", ".join(f"{value} {key[5:]}" for key, value in count.items() if key.startswith("ours "))
    return Sheet(
        f"{name}: Table 1, pages that only share their frame",
        f"{count['frame_pairs']:,} of {count['gold_pairs']:,} gold pairs are not alike without navigation, headers and "
        f"footers (edit similarity of the contents not above 0.85). Of these share enough units here: {ours}.",
        ("page", "and", "content of the one", "content of the other"),
        tuple((row["a"], row["b"], row["text_a"], row["text_b"]) for row in pairs),
    )


def _share(value: float) -> str:
    return format_share(value, DIGITS)


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}" if value < 10 else f"{value:.1f}"
