"""The experiments of Ignatov & Kuznetsov 2009, section 4, on any collection of web pages.

The paper's collection (ROMIP, 530,000 pages) cannot be had; its gold, pairs of edit similarity above 0.85, can be made
for any pages, and is made exactly. Every table and figure is computed for each collection; times are of this machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from neardup import _core
from neardup.cluster.concepts import Limits, Need, mine_concepts
from neardup.errors import InputError
from neardup.evaluate.chains import NumberedBreak, find_chain_breaks
from neardup.evaluate.pairlists import PairEvaluation, contains, unpack
from neardup.reproduce.concepts import itemsets, published
from neardup.reproduce.concepts.pages import Pages, Stopwatch, make_images, pair_up
from neardup.reproduce.docket.chance import Chance
from neardup.stages import Images

LENGTHS = (5, 10, 15, 20)
SIZES = (50, 100, 150, 200)
STEP = 5
"""Thresholds go down from the size of the image in steps of so many units; the paper stops at two thirds of it."""
METHODS = {"bottom": "n minimal elements in a permutation", "permutations": "minimal elements in n permutations"}
PARTS = (0.25, 0.5, 1.0)
TIMED = (100, 95, 90, 85, 80)
TIMES = 3
"""How often mining is timed; the best counts."""
SEED, TRIALS = 1, 10
PEER_SECONDS = 5.0
OURS = "neardup"
KINDS = {"maximal": "m", "closed": "c", "cover": ""}
"""What is mined, and how the other program calls it."""
CAMPAIGNS = (60, 100)
BOUNDS = Limits(clusters=10_000, steps=2_000_000_000)
SHOWN = 5
EXCERPT = 160

Progress = Callable[[str, int, int | None], None]
Row = dict[str, Any]


@dataclass
class Reproduction:
    """What came out, one row per figure of each table."""

    collections: Sequence[Pages]
    peers: bool
    tables: dict[str, list[Row]] = field(default_factory=dict)

    def rows(self, table: str, **wanted: Any) -> list[Row]:
        """Return the rows of a table that have these values."""
        return [row for row in self.tables[table] if all(row[name] == value for name, value in wanted.items())]


def reproduce_concepts(collections: Sequence[Pages], *, progress: Progress | None = None) -> Reproduction:
    """Run every experiment on every collection."""
    tell = progress or (lambda stage, done, total: None)
    for pages in collections:
        if len(pages) < 2:
            raise InputError(f"{pages.name} has {len(pages)} pages: there is nothing to compare")
    found = Reproduction(collections, itemsets.is_installed())
    for name, measure in EXPERIMENTS.items():
        found.tables[name] = []
        for done, pages in enumerate(collections):
            tell(name, done, len(collections))
            found.tables[name] += [{"collection": pages.name, **row} for row in measure(pages)]
    tell("campaigns", 0, None)
    found.tables["campaigns"] = list(compare_on_campaigns())
    return found


def compare_thresholds(pages: Pages) -> Iterator[Row]:
    """Compute Tables 2, 3, 4 and 6 and Figures 1 to 3 in one: the five values for every image and threshold."""
    for choice, length, size in product(METHODS, LENGTHS, SIZES):
        if size != 100 and (choice == "permutations" or length > 10):
            continue  # the paper varies the size with the first method alone
        overlaps = pages.overlaps(make_images(length, size, choice))
        for units in range(size, STEP, -STEP):
            yield {
                "method": choice,
                "length": length,
                "size": size,
                "threshold": units,
                **_five(pages.compare(overlaps.at_least(units)), ""),
                **_shares(pages.compare(overlaps.share_at_least(units, size)), "relative_"),
            }


def _five(scores: PairEvaluation, prefix: str) -> Row:
    names = ("gold_pairs", "found_pairs", "only_gold_pairs", "only_found_pairs", "common_pairs")
    return {f"{prefix}{name}": getattr(scores, name) for name in names} | _shares(scores, prefix)


def _shares(scores: PairEvaluation, prefix: str) -> Row:
    found = scores.found_pairs
    # Where nothing was found, nothing was found wrongly; the measures of a table must be numbers.
    precision, recall = (scores.pair_precision if found else 1.0), scores.pair_recall
    return {f"{prefix}precision": precision, f"{prefix}recall": recall, f"{prefix}f1": scores.pair_f1}


def time_mining(pages: Pages) -> Iterator[Row]:
    """Compute the times of Tables 3 and 4 and Figures 5 and 6: maximal clusters by threshold and number of pages."""
    kinds: list[tuple[str, int, int, tuple[int, ...]]]
    kinds = [(choice, length, 100, TIMED) for choice in METHODS for length in (10, 20)]
    kinds.append(("bottom", 10, 150, tuple(row.setting for row in published.TABLE4)))
    for (choice, length, size, thresholds), part in product(kinds, PARTS):
        count = max(int(len(pages) * part), 2)
        images = pages.part_of_images(make_images(length, size, choice), count)
        for units in thresholds:
            yield {
                "method": choice,
                "length": length,
                "size": size,
                "part": part,
                "pages": count,
                "threshold": units,
                **_mine(images, units, "maximal"),
            }


def _mine(images: Images, units: int, kind: str) -> Row:
    seconds = float("inf")
    for _ in range(TIMES):
        watch = Stopwatch()
        found = mine_concepts(images, Need(units=units), kind, limits=BOUNDS)
        seconds = min(seconds, watch.seconds)
    cut = found.guards.get("components_mined_as_cover", 0) + found.guards.get("components_mined_as_maximal", 0)
    return {"seconds": seconds, "clusters": len(found), "pairs": len(found.a), "components_cut": cut}


def compare_algorithms(pages: Pages) -> Iterator[Row]:
    """Compute Figure 7: the time of each algorithm for maximal and for closed clusters, at falling thresholds."""
    images = pages.images(make_images(10, 100))
    for units in (*TIMED, 50):
        yield from _run_algorithms(f"{len(pages):,} pages", images, units, itemsets.ALGORITHMS)


def compare_on_campaigns() -> Iterator[Row]:
    """Time each algorithm on campaigns of near-copies; what does not end on the smaller is not tried on the larger."""
    ending: Sequence[str] = itemsets.ALGORITHMS
    for copies in CAMPAIGNS:
        rows = list(_run_algorithms(f"campaign of {copies}", make_campaign(copies), 85, ending))
        over = {row["algorithm"] for row in rows if row["seconds"] is None}
        ending = tuple(name for name in ending if name not in over)
        yield from rows


def _run_algorithms(context: str, images: Images, units: int, names: Sequence[str]) -> Iterator[Row]:
    for kind, target in KINDS.items():
        place = {"context": context, "threshold": units, "kind": kind}
        yield {"algorithm": OURS, **place, **_mine(images, units, kind)}
        if itemsets.is_installed() and target:
            for mined in itemsets.mine_with_peers(images, units, target, seconds=PEER_SECONDS, names=names):
                figures: Row = {"seconds": mined.seconds, "clusters": mined.clusters}
                yield {"algorithm": mined.algorithm, **place, **figures, "pairs": None, "components_cut": None}


def make_campaign(copies: int, size: int = 100) -> Images:
    """Return the images of near-copies: each has the units of one text, up to five of them replaced by its own."""
    chance = Chance(SEED, f"campaign {copies}")
    images = []
    for copy in range(copies):
        gone = {chance.below(size) for _ in range(chance.below(6))}
        own = [size + copy * size + place for place in range(len(gone))]
        images.append([unit for unit in range(size) if unit not in gone] + own)
    offsets = np.cumsum([0, *map(len, images)]).astype(np.uint64)
    return Images(np.array([unit for image in images for unit in image], np.uint64), offsets)


def compare_bisection(pages: Pages) -> Iterator[Row]:
    """Compute Table 5 and Figure 4: repeated bisection into as many clusters, in proportion, as the paper's."""
    images = pages.images(make_images(10, 100))
    for paper in published.TABLE5:
        wanted = max(round(len(pages) * paper.setting / published.CLUSTERED_DOCUMENTS), 1)
        watch = Stopwatch()
        labels = _core.bisect(images.offsets, images.units, [wanted], TRIALS, SEED, 0)[0]
        seconds = watch.seconds
        yield {
            "clusters": wanted,
            "seconds": seconds,
            **_five(pages.compare(pair_up(labels)), ""),
            "paper_clusters": paper.setting,
            "paper_seconds": paper.seconds,
            "paper_precision": paper.precision,
            "paper_recall": paper.recall,
            "paper_f1": paper.f1,
        }


def find_false_clusters(pages: Pages) -> Iterator[Row]:
    """Find what the transitive closure of the gold chains together, and what those documents have in common."""
    images = pages.images(make_images(10, 100))
    none = np.zeros(0, np.uint64)
    ids = pages.documents.id_column()
    for number, found in enumerate(find_chain_breaks(len(pages), pages.gold, none), 1):
        ends = found.chain[0], found.chain[-1]
        members = [ids[int(member)].as_py() for member in found.members]
        yield {
            "component": number,
            "documents": len(members),
            "gold_pairs": found.pairs,
            "pairs_apart": found.apart,
            "units_of_all": len(_common(images, found)),
            "units_of_ends": len(np.intersect1d(images.of(ends[0]), images.of(ends[1]))),
            "clusters": _count_clusters(pages, found),
            "chain": " – ".join(ids[place].as_py() for place in found.chain),
            "first": _excerpt(pages, ends[0]),
            "last": _excerpt(pages, ends[1]),
        }


def _common(images: Images, found: NumberedBreak) -> Any:
    shared = images.of(int(found.members[0]))
    for member in found.members[1:].tolist():
        shared = np.intersect1d(shared, images.of(member))
    return shared


def _count_clusters(pages: Pages, found: NumberedBreak) -> int:
    """Return how many maximal clusters the documents of a component make by themselves, at 85 units."""
    images = pages.images(make_images(10, 100))
    own = [images.of(member) for member in found.members.tolist()]
    offsets = np.concatenate([[0], np.cumsum([len(image) for image in own])]).astype(np.uint64)
    return len(mine_concepts(Images(np.concatenate(own), offsets), Need(units=85), "maximal", limits=BOUNDS))


def find_shared_boilerplate(pages: Pages) -> Iterator[Row]:
    """Find gold pairs of pages that only share their frame: without it, their contents are not alike (Table 1)."""
    framed = pages.gold[~contains(pages.gold_of_contents, pages.gold)]
    held: Row = {}
    for length in (5, 10):
        overlaps = pages.overlaps(make_images(length, 100))
        found = {"85 units": overlaps.at_least(85), "85 %": overlaps.share_at_least(85, 100)}
        found["60 %"] = overlaps.share_at_least(60, 100)
        held |= {f"ours at {name}, length {length}": int(contains(p, framed).sum()) for name, p in found.items()}
    nothing = dict.fromkeys(("a", "b", "text_a", "text_b"), "")
    yield {"kind": "count", "gold_pairs": len(pages.gold), "frame_pairs": len(framed), **held, **nothing}
    a, b = unpack(framed)
    ids = pages.documents.id_column()
    for one, other in list(zip(a.tolist(), b.tolist(), strict=True))[:: max(len(framed) // SHOWN, 1)][:SHOWN]:
        shown: Row = dict.fromkeys(("gold_pairs", "frame_pairs", *held))
        named = {"a": ids[one].as_py(), "b": ids[other].as_py()}
        yield {"kind": "pair", **shown, **named, "text_a": _excerpt(pages, one), "text_b": _excerpt(pages, other)}


def _excerpt(pages: Pages, document: int) -> str:
    """Return the beginning of a page's content, without its frame."""
    words = " ".join(pages.contents.prepared(document).split())
    return words if len(words) <= EXCERPT else f"{words[: EXCERPT - 1]}…"


def choose_elsewhere(found: Reproduction, length: int) -> list[Row]:
    """Return for each collection the F1 at the relative threshold that is best on average for all the others."""
    rows = {
        (row["collection"], row["threshold"]): row["relative_f1"]
        for row in found.rows("thresholds", method="bottom", length=length, size=100)
    }
    chosen = []
    for pages in found.collections:
        others = [other.name for other in found.collections if other.name != pages.name]
        if others:
            known = sorted({threshold for _, threshold in rows}, reverse=True)
            best = max(known, key=lambda threshold: sum(rows[name, threshold] for name in others))
            chosen.append({"collection": pages.name, "length": length, "threshold": best, "f1": rows[pages.name, best]})
    return chosen


EXPERIMENTS: dict[str, Callable[[Pages], Iterator[Row]]] = {
    "thresholds": compare_thresholds,
    "times": time_mining,
    "algorithms": compare_algorithms,
    "bisection": compare_bisection,
    "false_clusters": find_false_clusters,
    "boilerplate": find_shared_boilerplate,
}
