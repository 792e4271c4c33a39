"""What campaign clustering needs from its settings, and the constants of the method."""

from __future__ import annotations

from typing import Literal, Protocol

from neardup.represent import ShingleSets
from neardup.stages import Candidates

LinkLimit = Literal["off", "all"] | int
"""Which links of a kind are used: none, all, or a number of them."""

LinkKind = Literal["must", "cannot", "family"]

GROUNDS = (
    "contained",
    "overlap",
    "paragraph",
    "distance",
    "family",
    "constraint",
    "near copies",
    "passages",
    "rewritten",
)
CONTAINED, OVERLAP, PARAGRAPH, DISTANCE, FAMILY, CONSTRAINT, NEAR, PASSAGES, REWRITTEN = range(len(GROUNDS))
"""Why a letter follows its leader; the ones before DISTANCE are must-links."""

OVERLAP_LEAST = 0.95
VERSION_OVERLAP = 0.5
PARAGRAPH_WORDS = 20
REFERENCE_WORDS = 5
FARTHEST = 0.8
SIMILAR_SIZE = 1.10


class CampaignSettings(Protocol):
    """The settings of constrained clustering; the detector declares them with meaning, default and bounds."""

    @property
    def threshold(self) -> float | None:
        """The largest distance of a letter from its reference; None to learn it for each reference."""

    @property
    def mu(self) -> float:
        """The weight of the collection in the smoothed word model."""

    @property
    def alpha(self) -> float:
        """What is taken off the distance within a family."""

    @property
    def min_copies(self) -> int:
        """How many identical copies make a reference."""

    @property
    def must(self) -> LinkLimit:
        """Which must-links are used."""

    @property
    def cannot(self) -> LinkLimit:
        """Which cannot-links are used."""

    @property
    def family(self) -> LinkLimit:
        """Which family-links are used."""

    @property
    def seed(self) -> int:
        """The seed for drawing links, if a number of links is set."""

    @property
    def paper(self) -> bool:
        """Whether must-links and thresholds are taken as printed."""


class NearPairs(Protocol):
    """Finds the pairs of near-copies among letters without a reference."""

    def pairs(self, representation: ShingleSets) -> Candidates:
        """Find every pair at the rule's threshold, with similarities."""
