"""`imatch`: texts with the same signature of high-idf terms (Chowdhury et al. 2002).

Parametrised as in Yang & Callan 2006, section 6.3: the 30 words of highest idf, without the first 5, which might be
misspellings. The signature is hashed from the sorted terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Signatures
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_count, open_lexicon
from neardup.represent import Lexicon, OwnTerms
from neardup.verify import Same


@dataclass(frozen=True)
class IMatch(Detector):
    """Texts whose signature is the same; `lexicon` replaces the collection's own document frequencies."""

    name: ClassVar[str] = "imatch"
    source: ClassVar[str] = "Chowdhury et al. 2002; Yang & Callan 2006, section 6.3"

    terms: int = 30
    skip: int = 5
    lexicon: Lexicon | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("terms", self.terms, 1, 10_000)
        check_count("skip", self.skip, 0, 10_000)
        object.__setattr__(self, "lexicon", open_lexicon(self.lexicon))

    def recipe(self) -> Recipe:
        """Build the stages."""
        vocabulary = self.lexicon if isinstance(self.lexicon, Lexicon) else OwnTerms()
        return Recipe(PairGrouper(Signatures(vocabulary, self.terms, self.skip), Same(), self.linkage))
