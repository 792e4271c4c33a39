"""The data that travels between the stages of the pipeline: named flat arrays.

Documents are numbered in input order. Nodes are the distinct texts, numbered in an order that does not depend on the
order of the input.
"""

from neardup.stages.arrays import (
    Counts,
    Days,
    Flags,
    Hashes,
    Numbers,
    Scores,
    Sides,
    threshold_fraction,
    undated,
)
from neardup.stages.grouping import CampaignTexts, Fact, Grouping, OverlappingClusters, Stage, no_stage
from neardup.stages.nodes import NO_CONSTRAINTS, Constraints, Nodes
from neardup.stages.pairs import NO_LINKS, UNPLACED, Candidates, KeyRange, Keys, Links, renumber

__all__ = [
    "NO_CONSTRAINTS",
    "NO_LINKS",
    "UNPLACED",
    "CampaignTexts",
    "Candidates",
    "Constraints",
    "Counts",
    "Days",
    "Fact",
    "Flags",
    "Grouping",
    "Hashes",
    "KeyRange",
    "Keys",
    "Links",
    "Nodes",
    "Numbers",
    "OverlappingClusters",
    "Scores",
    "Sides",
    "Stage",
    "no_stage",
    "renumber",
    "threshold_fraction",
    "undated",
]
