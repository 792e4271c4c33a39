"""Campaigns: letters around reference copies, guided by constraints.

Yang & Callan 2006, section 4 and Figure 3, reconstructed (DESIGN.md says how and why). References are the texts with at
least `min_copies` identical copies; the earliest copy represents them. Each other letter goes to the reference that it
must be linked to, of several the one of which it contains most words; otherwise to the nearest by smoothed KL
divergence, if that is below the threshold of the reference. Letters that no reference takes form campaigns by the
passages that they share, whose reference is the consensus; then the remaining letters form clusters with near letters.

Cannot-links (different docket numbers) are never listed: they are looked up where a link is about to be made. In the
end every cluster is checked, and a member that cannot be with an earlier one is moved out. Time is linear in the number
of letters, except for the groups without reference, which a set-similarity join finds.
"""

from neardup.cluster.campaigns.clusterer import CampaignClusterer
from neardup.cluster.campaigns.settings import CampaignSettings, LinkLimit

__all__ = ["CampaignClusterer", "CampaignSettings", "LinkLimit"]
