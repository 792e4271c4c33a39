"""Campaign clustering as a component of a recipe."""

from __future__ import annotations

from dataclasses import dataclass

from neardup.cluster.campaigns.consensus import lead_by_nearest
from neardup.cluster.campaigns.constraints import apply_must_links, separate_excluded
from neardup.cluster.campaigns.passages import (
    REWRITTEN_WHOLE,
    assign_by_passages,
    assign_rewritten,
    separate_campaigns,
)
from neardup.cluster.campaigns.references import assign_letters, find_references
from neardup.cluster.campaigns.remainder import gather_remainder
from neardup.cluster.campaigns.settings import CampaignSettings, NearPairs
from neardup.cluster.campaigns.state import Campaigns
from neardup.cluster.clusterer import CollectionClusterer
from neardup.represent import Letters, Shingles
from neardup.stages import Grouping, Numbers, Scores, Stage


@dataclass(frozen=True, slots=True)
class CampaignClusterer(CollectionClusterer[Letters]):
    """Constrained clustering; `near` finds near-copies, by their `shingles`, among letters without a reference."""

    settings: CampaignSettings
    near: NearPairs
    shingles: Shingles

    def scores(self, representation: Letters, a: Numbers, b: Numbers) -> Scores:
        """Return 1 / (1 + distance) of any pairs of nodes."""
        return 1 / (1 + representation.distances(a, b, self.settings.mu))

    def cluster(self, representation: Letters, stage: Stage) -> Grouping:
        """Assign letters to references, then cluster the rest."""
        state = Campaigns.start(representation, self.settings)
        with stage("references", len(representation.nodes)):
            assign_letters(state, find_references(state))
        if not self.settings.paper:
            with stage("passages", int(state.unassigned().sum())):
                assign_rewritten(state, REWRITTEN_WHOLE)
                separate_campaigns(state)
                assign_by_passages(state)
                assign_rewritten(state)
        with stage("rest", int(state.unassigned().sum())):
            gather_remainder(state, self.near, self.shingles)
        with stage("cluster", len(representation.nodes)):
            apply_must_links(state)
            separate_excluded(state)
            lead_by_nearest(state)
        return state.grouping()
