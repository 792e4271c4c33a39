"""The slot `candidates` of a recipe: from a representation to keys and to candidate pairs.

Documents that share keys are candidates. Each rule can compute the keys of a node from that node alone, so that keys
can meet anywhere: in memory, in files, in the table of an index. For a whole collection in memory a rule may find its
pairs in a faster way; a rule that verifies as it goes (the exact join) returns the similarities with the pairs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Generic, TypeVar

import numpy as np

from neardup import _core
from neardup.represent import Representation
from neardup.stages import Candidates, Fact, Flags, Hashes, Keys, Nodes, Numbers

R_contra = TypeVar("R_contra", bound=Representation, contravariant=True)

SKETCH_LOOKS = 100_000_000
LOOKS_FOR_EACH = 500
"""A true pair shares about a dozen keys of a sketch and dozens of a join, so this allows about ten million pairs."""


class CandidateRule(ABC, Generic[R_contra]):
    """Settings that propose pairs of nodes."""

    @abstractmethod
    def keys(self, representation: R_contra, common: Hashes | None = None) -> Keys:
        """Return the keys of each node, independent of all other nodes.

        A rule that `defers_common_keys` uses the keys in `common` (ascending) only where it has no others left.
        """

    def pairs(self, representation: R_contra) -> Candidates:
        """Find the candidate pairs of a whole collection: unless overridden, the nodes that share a key."""
        return find_sharing(representation.nodes, self.keys(representation))

    def admit(self, representation: R_contra, a: Numbers, b: Numbers) -> Flags:
        """Return which pairs of nodes that share enough keys are candidates."""
        return np.ones(len(a), bool)

    def facts(self, representation: R_contra) -> Mapping[str, Fact]:
        """Return the parameters that the rule chose, for `run.json`."""
        return {}

    @property
    def may_miss(self) -> bool:
        """Whether the rule may miss pairs that the verifier would accept."""
        return False

    @property
    def defers_common_keys(self) -> bool:
        """Whether the rule can put common keys last in the order that it takes keys from."""
        return False

    @property
    def order_dependent(self) -> bool:
        """Whether the pairs found depend on pairs found before."""
        return False


def find_sharing(nodes: Nodes, keys: Keys) -> Candidates:
    """Find the pairs of nodes that share a key."""
    a, b, guarded_keys, guarded_pairs = _core.candidates(
        keys.values,
        keys.offsets,
        nodes.lengths,
        nodes.sides,
        comparison_budget(nodes, SKETCH_LOOKS),
        nodes.threads,
        nodes.copies,
    )
    return Candidates(a, b, examined=len(a), guards=count_guarded(nodes, guarded_keys, guarded_pairs))


def find_identical(nodes: Nodes) -> Candidates:
    """Find the pairs of nodes with the same fingerprint on the two sides of a comparison."""
    return find_sharing(nodes, Keys.uniform(nodes.fingerprints))


def comparison_budget(nodes: Nodes, looks: int) -> int:
    """Return how many pairs may be examined, repeats included, before over-common keys are guarded."""
    return looks + LOOKS_FOR_EACH * len(nodes)


def count_guarded(nodes: Nodes, keys: int, pairs: int) -> dict[str, int]:
    """Count what a guard cut off; the number of pairs is an upper bound, as a pair may share several guarded keys."""
    return {"keys": keys, "pairs_not_compared": min(pairs, len(nodes) * (len(nodes) - 1) // 2)} if keys else {}


def pack_pairs(a: Numbers, b: Numbers) -> Hashes:
    """Return pairs as 64-bit numbers of the same order."""
    packed: Hashes = a.astype(np.uint64) << np.uint64(32) | b
    return packed


def unpack_pairs(packed: Hashes) -> tuple[Numbers, Numbers]:
    """Return the pairs that 64-bit numbers encode."""
    return (packed >> np.uint64(32)).astype(np.uint32), packed.astype(np.uint32)
