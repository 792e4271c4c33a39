"""SimHash: pairs whose hashes differ in few bits share blocks of bits (Manku, Jain & Das Sarma 2007)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from neardup import _core
from neardup.candidates.rule import CandidateRule, find_sharing
from neardup.represent import SimHashes
from neardup.stages import Candidates, Hashes, Keys

KEYED_HASHES = 1 << 20
"""The collection size that the keys of single hashes are made for: it must not depend on the collection."""


@dataclass(frozen=True, slots=True)
class Blocks(CandidateRule[SimHashes]):
    """Pairs whose 64-bit hashes can differ in at most `bits` bits, by the pigeonhole principle over blocks of bits."""

    bits: int = 3

    def pairs(self, representation: SimHashes) -> Candidates:
        """Find the pairs that agree in enough blocks."""
        nodes = representation.nodes
        return find_sharing(nodes, self._block_keys(representation, self.count_blocks(len(nodes))))

    def keys(self, representation: SimHashes, common: Hashes | None = None) -> Keys:
        """Return the keys of the blocks, as many as a large collection needs."""
        return self._block_keys(representation, self.count_blocks(KEYED_HASHES))

    def _block_keys(self, representation: SimHashes, blocks: int) -> Keys:
        values = _core.block_keys(representation.hashes, self.bits, blocks)
        return Keys.uniform(values, math.comb(blocks, self.bits))

    def count_blocks(self, nodes: int) -> int:
        """Return the number of blocks: larger collections need longer keys, so that few pairs meet by chance."""
        wanted = math.log2(max(nodes, 2)) + 4
        for blocks in range(self.bits + 1, 13):
            if 64 * (blocks - self.bits) / blocks >= wanted and math.comb(blocks, self.bits) <= 64:
                return blocks
        return self.bits + 1
