"""Identical texts: within one collection they are collapsed, so that only two collections have candidates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.candidates.rule import CandidateRule, find_identical
from neardup.represent import Fingerprints
from neardup.stages import Candidates, Hashes, Keys


@dataclass(frozen=True, slots=True)
class SameFingerprint(CandidateRule[Fingerprints]):
    """The same text on both sides of a comparison."""

    def keys(self, representation: Fingerprints, common: Hashes | None = None) -> Keys:
        """Return no keys: within one collection identical texts are collapsed."""
        return Keys(np.zeros(0, np.uint64), np.zeros(len(representation.nodes) + 1, np.uint64))

    def pairs(self, representation: Fingerprints) -> Candidates:
        """Find the nodes of both sides with the same fingerprint."""
        return find_identical(representation.nodes)
