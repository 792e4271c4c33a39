"""From linked pairs, letters or images to groups."""

from neardup.cluster.campaigns import CampaignClusterer, CampaignSettings, LinkLimit
from neardup.cluster.closure import Closure, Conflict
from neardup.cluster.clusterer import CollectionClusterer
from neardup.cluster.concepts import ClusterKind, ConceptClusterer, Concepts, Limits, Need, mine_concepts
from neardup.cluster.linkage import LINKAGES, Linkage, PairLinkage, find_leaders, leading_order

__all__ = [
    "LINKAGES",
    "CampaignClusterer",
    "CampaignSettings",
    "Closure",
    "ClusterKind",
    "CollectionClusterer",
    "ConceptClusterer",
    "Concepts",
    "Conflict",
    "Limits",
    "LinkLimit",
    "Linkage",
    "Need",
    "PairLinkage",
    "find_leaders",
    "leading_order",
    "mine_concepts",
]
