"""The optimisation of Remark 2: how many comparisons it saves, and how often what it takes for granted is wrong.

Told twice: with identical copies kept in, each a text of its own as in the paper, and with copies collapsed first, as
every method here does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from neardup.reproduce.docket.chance import Chance
from neardup.reproduce.folder import Progress, Row
from neardup.reproduce.simfinder import published
from neardup.reproduce.simfinder.detection import FINGERPRINTS, WEIGHTINGS, degrees, open_collection, run
from neardup.reproduce.simfinder.fitting import wilson_interval
from neardup.reproduce.simfinder.recall import share
from neardup.reproduce.simfinder.transitivity import GATHERERS
from neardup.stages import Grouping


def measure_optimisation(name: str, texts: Sequence[str], seed: int, tell: Progress) -> Iterator[tuple[str, Row]]:
    """Yield rows of the tables optimisation and potential, each with its table's name."""
    for place, (copies, weighting) in enumerate(product((True, False), WEIGHTINGS)):
        tell(f"{name}: optimisation", place, 2 * len(WEIGHTINGS))
        marks = {"corpus": name, "copies": "kept" if copies else "collapsed", "weighting": weighting}
        collection = open_collection(texts, copies=copies)
        settings = {**WEIGHTINGS[weighting], **FINGERPRINTS}
        full, skipping = (run(collection, {**settings, "skip_connected": skip}) for skip in (False, True))
        yield "optimisation", {**marks, **_compare(len(collection), full, skipping)}
        for between, gather in GATHERERS.items():
            sets = gather(len(collection), full.links)
            a, b = sets.draw(published.POTENTIAL_PAIRS, Chance(seed, f"potential {between} {marks}"))
            below = int((degrees(collection, a, b, settings) < published.THRESHOLD).sum())
            counted = {"links_between": between, "potential_pairs": sets.pairs, "drawn": len(a), "below": below}
            low, high = wilson_interval(below, len(a))
            yield "potential", {**marks, **counted, "share": share(below, len(a)), "low": low, "high": high}


def _compare(texts: int, full: Grouping, skipping: Grouping) -> Row:
    return {
        "texts": texts,
        "comparisons": full.examined,
        "comparisons_skipping": skipping.examined,
        "saved": 1 - share(skipping.examined, full.examined),
        "pairs": len(full.links.a),
        "same_clusters": bool((full.leaders == skipping.leaders).all()),
        "counted": "at least" if full.guards else "exactly",
    }
