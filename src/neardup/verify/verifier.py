"""The slot `verify` of a recipe: the exact similarity of a pair and the decision to link it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from neardup.represent import Representation
from neardup.stages import Candidates, Links, Numbers, Scores

R_contra = TypeVar("R_contra", bound=Representation, contravariant=True)


class Verifier(ABC, Generic[R_contra]):
    """Settings that score pairs and decide which are linked."""

    @abstractmethod
    def scores(self, representation: R_contra, a: Numbers, b: Numbers) -> Scores:
        """Return the exact similarity of any pairs of nodes."""

    @abstractmethod
    def link(self, representation: R_contra, candidates: Candidates) -> Links:
        """Keep the candidates that pass, with their similarities."""

    @property
    def directed(self) -> bool:
        """Whether it matters which node of a pair is the reference: the one that leads by copies or by number."""
        return False

    def partners(self, representation: R_contra, chosen: Numbers) -> tuple[Numbers, Numbers] | None:
        """Find every pair of a chosen node that would be linked, without any candidate rule.

        None where there is no faster way than to score all pairs. The recall audit uses it.
        """
        return None
