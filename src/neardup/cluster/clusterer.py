"""The slot `cluster` of a recipe whose clusters need the whole collection at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from neardup.represent import Representation
from neardup.stages import Grouping, Numbers, Scores, Stage

R_contra = TypeVar("R_contra", bound=Representation, contravariant=True)


class CollectionClusterer(ABC, Generic[R_contra]):
    """Settings that cluster a representation itself, not a list of pairs."""

    @abstractmethod
    def cluster(self, representation: R_contra, stage: Stage) -> Grouping:
        """Group the nodes."""

    @abstractmethod
    def scores(self, representation: R_contra, a: Numbers, b: Numbers) -> Scores:
        """Return the exact similarity of any pairs of nodes."""
