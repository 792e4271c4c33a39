"""The optimisation of Remark 2: how many comparisons it saves, and how often its assumption is wrong.

Measured twice: with identical copies kept, as in the paper, and with copies collapsed first, as every method of the
package does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from neardup.reproduce.random_stream import RandomStream
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import (
    FINGERPRINTS,
    WEIGHTINGS,
    Found,
    find_pairs,
    measure_degrees,
    open_collection,
)
from neardup.reproduce.simfinder.experiments.fitting import wilson_interval
from neardup.reproduce.simfinder.experiments.recall import share
from neardup.reproduce.simfinder.experiments.transitivity import GATHERERS
from neardup.reproduce.study import Progress
from neardup.reproduce.tables import Row


def measure_optimisation(name: str, texts: Sequence[str], seed: int, progress: Progress) -> Iterator[tuple[str, Row]]:
    """Yield the rows of the tables optimisation and potential, each with the name of its table."""
    for done, (copies, weighting) in enumerate(product((True, False), WEIGHTINGS)):
        progress(f"{name}: optimisation", done, 2 * len(WEIGHTINGS))
        shared = {"corpus": name, "copies": "kept" if copies else "collapsed", "weighting": weighting}
        collection = open_collection(texts, copies=copies)
        settings = {**WEIGHTINGS[weighting], **FINGERPRINTS}
        full, skipping = (find_pairs(collection, {**settings, "skip_connected": skip}) for skip in (False, True))
        yield "optimisation", {**shared, **_compare(len(collection), full, skipping)}
        for between, gather in GATHERERS.items():
            sets = gather(len(collection), full.a, full.b)
            a, b = sets.draw(published.POTENTIAL_PAIRS, RandomStream(seed, f"potential {between} {shared}"))
            below = int((measure_degrees(collection, a, b, settings) < published.THRESHOLD).sum())
            counted = {"links_between": between, "potential_pairs": sets.pairs, "drawn": len(a), "below": below}
            low, high = wilson_interval(below, len(a))
            yield "potential", {**shared, **counted, "share": share(below, len(a)), "low": low, "high": high}


def _compare(texts: int, full: Found, skipping: Found) -> Row:
    return {
        "texts": texts,
        "comparisons": full.comparisons,
        "comparisons_skipping": skipping.comparisons,
        "saved": 1 - share(skipping.comparisons, full.comparisons),
        "pairs": len(full.a),
        "same_clusters": bool((full.leaders == skipping.leaders).all()),
        "counted": "at least" if full.guarded else "exactly",
    }
