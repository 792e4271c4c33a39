"""Linked pairs, letters and references, or images, to groups."""

from neardup.cluster.campaigns import CampaignGrouper
from neardup.cluster.closure import Closure, Conflict
from neardup.cluster.concepts import ConceptGrouper, Concepts, Need, mine_concepts
from neardup.cluster.linkage import LINKAGES, find_leaders, leading_order
from neardup.cluster.pairs import PairGrouper

__all__ = [
    "LINKAGES",
    "CampaignGrouper",
    "Closure",
    "ConceptGrouper",
    "Concepts",
    "Conflict",
    "Need",
    "PairGrouper",
    "find_leaders",
    "leading_order",
    "mine_concepts",
]
