"""SimHashes that differ in few bits (Charikar 2002)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neardup.represent import SimHashes
from neardup.stages import Candidates, Counts, Links, Numbers, Scores
from neardup.verify.verifier import Verifier


@dataclass(frozen=True, slots=True)
class Hamming(Verifier[SimHashes]):
    """Hashes that differ in at most `bits` of 64 bits; the similarity is the share of equal bits."""

    bits: int = 3

    def scores(self, representation: SimHashes, a: Numbers, b: Numbers) -> Scores:
        """Return the share of equal bits."""
        return 1 - _differing(representation, a, b) / 64

    def link(self, representation: SimHashes, candidates: Candidates) -> Links:
        """Keep the pairs that differ in few enough bits."""
        differing = _differing(representation, candidates.a, candidates.b)
        near = differing <= self.bits
        return Links(candidates.a[near], candidates.b[near], 1 - differing[near] / 64, ("bits",))


def _differing(representation: SimHashes, a: Numbers, b: Numbers) -> Counts:
    differing = (representation.hashes[a] ^ representation.hashes[b]).view(np.uint8).reshape(-1, 8)
    counts: Counts = np.unpackbits(differing, axis=1).sum(axis=1, dtype=np.int64)
    return counts
