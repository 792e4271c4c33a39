"""How long mining takes: Tables 3 and 4, Figures 5 to 7, and campaigns of near-copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import product
from time import perf_counter

import numpy as np

from neardup.cluster import ClusterKind
from neardup.represent import Choice
from neardup.reproduce.concepts import published
from neardup.reproduce.concepts.detection import Images, ImageSettings, mine_clusters
from neardup.reproduce.concepts.experiments import itemsets
from neardup.reproduce.concepts.experiments.quality import METHODS
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.tables import Row

PARTS = (0.25, 0.5, 1.0)
TIMED = (100, 95, 90, 85, 80)
TIMES = 3
"""Mining is timed this many times; the best time counts."""

PEER_SECONDS = 5.0
OURS = "neardup"
KINDS: dict[ClusterKind, str] = {"maximal": "m", "closed": "c", "cover": ""}
"""What is mined, and its name in pyfim."""

CAMPAIGNS = (60, 100)
SEED = 1


def time_mining(pages: Pages) -> Iterator[Row]:
    """Compute the times of Tables 3 and 4 and Figures 5 and 6: maximal clusters by threshold and number of pages."""
    kinds: list[tuple[Choice, int, int, tuple[int, ...]]]
    kinds = [(choice, length, 100, TIMED) for choice in METHODS for length in (10, 20)]
    kinds.append(("bottom", 10, 150, tuple(row.setting for row in published.TABLE4)))
    for (choice, length, size, thresholds), part in product(kinds, PARTS):
        count = max(int(len(pages) * part), 2)
        images = pages.first_images(ImageSettings(length, size, choice), count)
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


def _mine(images: Images, units: int, kind: ClusterKind) -> Row:
    seconds = float("inf")
    for _ in range(TIMES):
        start = perf_counter()
        found = mine_clusters(images, units, kind)
        seconds = min(seconds, perf_counter() - start)
    return {"seconds": seconds, **asdict(found)}


def compare_algorithms(pages: Pages) -> Iterator[Row]:
    """Compute Figure 7: the time of each algorithm for maximal and for closed clusters, at falling thresholds."""
    images = pages.images(ImageSettings(10, 100))
    for units in (*TIMED, 50):
        yield from _run_algorithms(f"{len(pages):,} pages", images, units, itemsets.ALGORITHMS)


def compare_on_campaigns() -> Iterator[Row]:
    """Time each algorithm on campaigns of near-copies; one that does not finish on the smaller skips the larger."""
    finishing: Sequence[str] = itemsets.ALGORITHMS
    for copies in CAMPAIGNS:
        rows = list(_run_algorithms(f"campaign of {copies}", make_campaign(copies), 85, finishing))
        over = {row["algorithm"] for row in rows if row["seconds"] is None}
        finishing = tuple(name for name in finishing if name not in over)
        yield from rows


def _run_algorithms(context: str, images: Images, units: int, names: Sequence[str]) -> Iterator[Row]:
    for kind, target in KINDS.items():
        shared = {"context": context, "threshold": units, "kind": kind}
        yield {"algorithm": OURS, **shared, **_mine(images, units, kind)}
        if itemsets.is_installed() and target:
            for mined in itemsets.mine_with_peers(images, units, target, seconds=PEER_SECONDS, names=names):
                measured: Row = {"seconds": mined.seconds, "clusters": mined.clusters}
                yield {"algorithm": mined.algorithm, **shared, **measured, "pairs": None, "components_cut": None}


def make_campaign(copies: int, size: int = 100) -> Images:
    """Return the images of near-copies: each has the units of one text, up to five of which are replaced."""
    rng = RandomStream(SEED, f"campaign {copies}")
    images = []
    for copy in range(copies):
        removed = {rng.below(size) for _ in range(rng.below(6))}
        own = [size + copy * size + index for index in range(len(removed))]
        images.append([unit for unit in range(size) if unit not in removed] + own)
    offsets = np.cumsum([0, *map(len, images)]).astype(np.uint64)
    return Images(np.array([unit for image in images for unit in image], np.uint64), offsets)
