"""Errors of the alternatives: false clusters of the transitive closure, and pages that share only boilerplate."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import numpy as np
import numpy.typing as npt

from neardup.evaluate.chains import find_chain_breaks
from neardup.evaluate.pairlists import contains, unpack
from neardup.reproduce.concepts.detection import Images, ImageSettings, mine_clusters
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.tables import Row

SHOWN = 5
EXCERPT = 160
UNITS = 85


def find_false_clusters(pages: Pages) -> Iterator[Row]:
    """Find the components of the gold with pages that it does not pair, and what those pages have in common."""
    images = pages.images(ImageSettings(10, 100))
    none = np.zeros(0, np.uint64)
    ids = pages.documents.id_column()
    for number, found in enumerate(find_chain_breaks(len(pages), pages.gold, none), 1):
        ends = found.chain[0], found.chain[-1]
        own = [images.of(member) for member in found.members.tolist()]
        yield {
            "component": number,
            "documents": len(own),
            "gold_pairs": found.pairs,
            "pairs_apart": found.apart,
            "units_of_all": _count_common(own),
            "units_of_ends": _count_common([images.of(end) for end in ends]),
            "clusters": _count_clusters(own),
            "chain": " – ".join(ids[index].as_py() for index in found.chain),
            "first": _excerpt(pages, ends[0]),
            "last": _excerpt(pages, ends[1]),
        }


def _count_common(images: list[npt.NDArray[np.uint64]]) -> int:
    return len(reduce(np.intersect1d, images))


def _count_clusters(images: list[npt.NDArray[np.uint64]]) -> int:
    """Return the number of maximal clusters of 85 units among some documents."""
    offsets = np.concatenate([[0], np.cumsum([len(image) for image in images])]).astype(np.uint64)
    return mine_clusters(Images(np.concatenate(images), offsets), UNITS, "maximal").clusters


def find_shared_boilerplate(pages: Pages) -> Iterator[Row]:
    """Find gold pairs of pages that share only boilerplate: without it, their contents differ (Table 1)."""
    misleading = pages.gold[~contains(pages.gold_of_contents, pages.gold)]
    counts: Row = {}
    for length in (5, 10):
        overlaps = pages.overlaps(ImageSettings(length, 100))
        found = {"85 units": overlaps.at_least(85), "85 %": overlaps.share_at_least(85, 100)}
        found["60 %"] = overlaps.share_at_least(60, 100)
        counts |= {f"ours at {name}, length {length}": int(contains(p, misleading).sum()) for name, p in found.items()}
    nothing = dict.fromkeys(("a", "b", "text_a", "text_b"), "")
    yield {"kind": "count", "gold_pairs": len(pages.gold), "frame_pairs": len(misleading), **counts, **nothing}
    a, b = unpack(misleading)
    ids = pages.documents.id_column()
    for one, other in list(zip(a.tolist(), b.tolist(), strict=True))[:: max(len(misleading) // SHOWN, 1)][:SHOWN]:
        shown: Row = dict.fromkeys(("gold_pairs", "frame_pairs", *counts))
        named = {"a": ids[one].as_py(), "b": ids[other].as_py()}
        yield {"kind": "pair", **shown, **named, "text_a": _excerpt(pages, one), "text_b": _excerpt(pages, other)}


def _excerpt(pages: Pages, document: int) -> str:
    """Return the beginning of a page's content, without its boilerplate."""
    words = " ".join(pages.contents.prepared(document).split())
    return words if len(words) <= EXCERPT else f"{words[: EXCERPT - 1]}…"
