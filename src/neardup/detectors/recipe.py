"""A recipe names one component for each stage; its type parameter is the representation that they share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from neardup.candidates import CandidateRule
from neardup.cluster import CollectionClusterer, PairLinkage
from neardup.normalise import Normalise
from neardup.represent import Representation, Representer
from neardup.verify import Verifier

R = TypeVar("R", bound=Representation)


@dataclass(frozen=True, slots=True)
class Recipe(Generic[R]):
    """A method that decides pair by pair: its candidates can meet in memory, on disk or in an index."""

    normalise: Normalise
    represent: Representer[R]
    candidates: CandidateRule[R]
    verify: Verifier[R]
    cluster: PairLinkage


@dataclass(frozen=True, slots=True)
class CollectionRecipe(Generic[R]):
    """A method that clusters the representation of the whole collection at once."""

    normalise: Normalise
    represent: Representer[R]
    cluster: CollectionClusterer[R]


AnyRecipe = Recipe[R] | CollectionRecipe[R]
