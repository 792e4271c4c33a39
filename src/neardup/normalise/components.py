"""The slot `normalise` of a recipe: which part of each document is compared, and in which form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from neardup import _core
from neardup.normalise.bodies import BodyReader
from neardup.normalise.letters import LetterFeatures, LetterReader
from neardup.normalise.texts import Normaliser
from neardup.records import Documents
from neardup.stages import Numbers


@dataclass(frozen=True, slots=True)
class NormalisedTexts:
    """The texts that are compared.

    Identical texts of different `groups` are not collapsed. `letters` is what was read off the documents where they
    are letters.
    """

    texts: _core.Texts
    groups: Numbers | None = None
    letters: LetterFeatures | None = None


class Normalise(ABC):
    """Settings that turn documents into comparable texts."""

    @abstractmethod
    def open(self, documents: Documents, threads: int = 0) -> NormalisedTexts:
        """Open the texts of a collection."""


@dataclass(frozen=True, slots=True)
class WholeTexts(Normalise):
    """Compares documents as a whole."""

    normaliser: Normaliser

    def open(self, documents: Documents, threads: int = 0) -> NormalisedTexts:
        """Open the texts."""
        return NormalisedTexts(self.normaliser.open(documents, threads))


@dataclass(frozen=True, slots=True)
class Bodies(Normalise):
    """Compares documents without titles and header lines."""

    normaliser: Normaliser

    def open(self, documents: Documents, threads: int = 0) -> NormalisedTexts:
        """Open the texts and find their bodies."""
        return NormalisedTexts(BodyReader().open(self.normaliser.open(documents, threads)))


@dataclass(frozen=True, slots=True)
class MainTexts(Normalise):
    """Compares the main texts of letters; letters about different dockets are different texts.

    With `every_number` each docket number that a letter cites counts, otherwise those that say what it is about.
    """

    normaliser: Normaliser
    reader: LetterReader
    every_number: bool = False

    def open(self, documents: Documents, threads: int = 0) -> NormalisedTexts:
        """Open the texts and take the letters apart."""
        texts = self.normaliser.for_letters().open(documents, threads)
        letters = self.reader.read(texts, documents, every_number=self.every_number)
        return NormalisedTexts(letters.texts, letters.dockets, letters)
