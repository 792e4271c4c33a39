"""`imatch`: texts with the same signature of high-idf terms (Chowdhury et al. 2002).

Parametrised as in Yang & Callan 2006, section 6.3: the 30 words of highest idf, without the first 5, which might be
misspellings. The signature is hashed from the sorted terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import EqualSignatures
from neardup.cluster import PairLinkage
from neardup.detectors.detector import LexiconDetector
from neardup.detectors.methods.fingerprinted import BASELINES
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import lexicon_file, whole
from neardup.represent import Lexicon, WordSignatureRepresenter, WordSignatures
from neardup.verify import SameSignature


@dataclass(frozen=True)
class IMatch(LexiconDetector):
    """Texts whose rarest words, without the very rarest, are the same."""

    name: ClassVar[str] = "imatch"
    source: ClassVar[str] = "Chowdhury et al. 2002; Yang & Callan 2006, section 6.3"

    terms: int = whole(30, 1, 10_000, "words in the signature", paper=f"N = 30: {BASELINES}")
    skip: int = whole(
        5, 0, 10_000, "words of highest idf that are left out as likely misspellings", paper=f"5: {BASELINES}"
    )
    lexicon: Lexicon | None = lexicon_file(
        "a [lexicon](lexicons.md) whose document frequencies replace the collection's own",
        paper="collection statistics: Chowdhury et al. 2002",
    )

    def recipe(self) -> Recipe[WordSignatures]:
        """Choose the components."""
        represent = WordSignatureRepresenter(self.terms, self.skip, self.lexicon)
        return Recipe(self.whole_texts, represent, EqualSignatures(), SameSignature(), PairLinkage(self.linkage))
