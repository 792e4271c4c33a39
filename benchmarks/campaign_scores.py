"""Scores of a run on a docket with gold: clusters, relations, added words and placement.

Letters with a marked quotation of a campaign are counted apart: both answers, a member and a letter of its own, can be
defended. Words are runs of letters and digits in lower case, compared as multisets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

Row = Mapping[str, str]

WORD = re.compile(r"\w+")
NOISE = {
    "reference": {"exact", "minor_change"},
    "exact": {"minor_change"},
    "block_added": {"minor_change_block_edit"},
    "block_deleted": {"minor_change_block_edit"},
}
"""Relations that are right as well if character recognition changed the words of the letter or of the original."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Shares between 0 and 1; NaN where nothing counts.

    `placed` letters of campaigns are in the found cluster that has most of their campaign, `quoted_members` are letters
    with a marked quotation that are in a cluster, `empty_members` those without content.
    """

    precision: float
    recall: float
    f1: float
    placed: float
    relation: float
    added_precision: float
    added_recall: float
    quoted_members: float
    empty_members: float

    @classmethod
    def names(cls) -> list[str]:
        return [field.name for field in fields(cls)]


def score(gold: list[Row], found: Mapping[str, Row]) -> Scores:
    """Compare gold rows with the rows of `documents.parquet` by id."""
    counted = [row for row in gold if "marked" not in row["edits"].split()]
    quoted = [row for row in gold if "marked" in row["edits"].split()]
    sizes = Counter(row["cluster"] for row in counted)
    found_sizes = Counter(row["cluster"] for row in found.values())
    members = [row for row in counted if sizes[row["cluster"]] > 1]
    empty = [row for row in gold if "no_content" in row["edits"].split()]
    precision, recall = _score_pairs([(row["cluster"], found[row["id"]]["cluster"]) for row in counted])
    matched = _match(counted, found)
    placed = [row for row in members if matched.get(found[row["id"]]["cluster"]) == row["cluster"]]

    def in_clusters(rows: list[Row]) -> float:
        return share(sum(found_sizes[found[row["id"]]["cluster"]] > 1 for row in rows), len(rows))

    return Scores(
        precision,
        recall,
        share(2 * precision * recall, precision + recall),
        share(len(placed), len(members)),
        _score_relations(members, {row["id"] for row in placed}, found),
        *_score_added([row for row in placed if "rewritten" not in row["edits"].split()], found),
        in_clusters(quoted),
        in_clusters(empty),
    )


def share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def split_words(text: str | None) -> Counter[str]:
    return Counter(WORD.findall((text or "").lower()))


def _score_pairs(labels: list[tuple[str, str]]) -> tuple[float, float]:
    def pairs(groups: Iterable[int]) -> int:
        return sum(size * (size - 1) // 2 for size in groups)

    both = pairs(Counter(labels).values())
    gold, found = (pairs(Counter(column).values()) for column in zip(*labels, strict=True))
    return share(both, found), share(both, gold)


def _match(gold: list[Row], found: Mapping[str, Row]) -> dict[str, str]:
    """Return for each found cluster the campaign that it has most of, if no other cluster has more of that."""
    overlaps = Counter((row["cluster"], found[row["id"]]["cluster"]) for row in gold)
    clusters: dict[str, tuple[int, str]] = {}
    campaigns: dict[str, tuple[int, str]] = {}
    for (campaign, cluster), count in overlaps.items():
        clusters[campaign] = max(clusters.get(campaign, (0, "")), (count, cluster))
        campaigns[cluster] = max(campaigns.get(cluster, (0, "")), (count, campaign))
    return {cluster: campaign for cluster, (_, campaign) in campaigns.items() if clusters[campaign][1] == cluster}


def _score_relations(members: list[Row], placed: set[str], found: Mapping[str, Row]) -> float:
    right = total = 0
    for row in members:
        answer, expected = found[row["id"]]["relation"], row["relation"]
        if not expected or (answer == "reference" and expected not in ("reference", "exact")):
            continue
        accepted = {expected} | ({"reference", "exact"} if expected in ("reference", "exact") else set())
        if "noisy" in row["frame"].split():
            accepted |= NOISE.get(expected, set())
        total += 1
        right += row["id"] in placed and answer in accepted
    return share(right, total)


def _score_added(rows: list[Row], found: Mapping[str, Row]) -> tuple[float, float]:
    """Return precision and recall of added words; words of another campaign in the letter do not count."""
    hits = answered = expected = 0
    for row in rows:
        answer = found[row["id"]]
        if answer["relation"] == "reference":
            continue
        gold, words = split_words(row["added_text"]), split_words(answer["added"])
        words -= split_words(row["also_text"]) & (words - gold)
        hits += (gold & words).total()
        answered += words.total()
        expected += gold.total()
    return share(hits, answered if expected else 0), share(hits, expected)
