"""What stands for a document where documents come and go: its rare terms, its length, a key of the six rarest.

Conrad, Guo & Schriber 2003, sections 6 and 7. The work is done in `_core`; this room holds the settings.
"""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core
from neardup.represent.lexicon import Lexicon
from neardup.stages import Numbers

PAD = 0xFF000000
"""Values of a vector from here on stand for no term, where short ones are filled up with constants."""


@dataclass(frozen=True, slots=True)
class TermSigner:
    """How signatures are made: `terms` in a vector, what fills up a `short` one, offsets in `bins`, keys of which terms.

    Of terms with an idf above `max_idf`, which tend to be misspellings, no key is made.
    """

    terms: int = 60
    short: str = "own"
    bins: int = 0
    max_idf: float = 0.8

    def sign(self, texts: _core.Texts, documents: Numbers, lexicon: Lexicon) -> _core.Signatures:
        """Make the signatures of these documents with the terms of a frozen lexicon."""
        table = lexicon.table(self.max_idf)
        return _core.Signatures.make(texts, documents, table, self.terms, self.short, self.bins)
