"""Linked pairs, or letters and references, to groups."""

from neardup.cluster.campaigns import CampaignGrouper
from neardup.cluster.closure import Closure, Conflict
from neardup.cluster.linkage import LINKAGES, find_leaders, leading_order
from neardup.cluster.pairs import PairGrouper

__all__ = ["LINKAGES", "CampaignGrouper", "Closure", "Conflict", "PairGrouper", "find_leaders", "leading_order"]
