"""What stands for a document where documents come and go: its rare terms, its length, a key of the six rarest.

Conrad, Guo & Schriber 2003, sections 6 and 7. The work is done in `_core`; this room holds the settings.
"""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core
from neardup.represent.lexicon import Lexicon
from neardup.stages import Corpus, Numbers

PAD = 0xFF000000
"""Values of a vector from here on stand for no term, where short ones are filled up with constants."""


@dataclass(frozen=True, slots=True)
class TermSigner:
    """How signatures are made: `terms` in a vector, what fills up a `short` one, `bins` of offsets, terms of keys.

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

    def of(self, corpus: Corpus, nodes: Numbers | None = None) -> _core.Signatures:
        """Return the signatures of all nodes or of these: as they were kept, or made of the texts."""
        if corpus.features is not None:
            kept = corpus.features if nodes is None else corpus.features.take(nodes)
            return _core.Signatures.unpack(kept.content, kept.offsets, self.short, corpus.threads)
        documents = corpus.nodes if nodes is None else corpus.nodes[nodes]
        return self.sign(corpus.texts, documents, corpus.lexicon)
