"""Letters: the main texts, the word model of the collection, and the attributes of each letter.

Yang & Callan 2006, sections 4.1 and 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core
from neardup.normalise import DocketSets
from neardup.represent.lexicons import Lexicon
from neardup.represent.representer import DistinctTexts, Representer
from neardup.represent.shingles import Shingles, ShingleSets
from neardup.stages import Counts, Nodes, Numbers, Scores


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters of a collection, by node.

    `dockets` is the index of each letter's set of docket numbers in `docket_sets`, 0 for none. `families` numbers the
    letters with the same relayer, docket numbers and footer, 0 where these are unknown. `sizes` are bytes.
    """

    nodes: Nodes
    texts: _core.Texts
    documents: Numbers
    dockets: Numbers
    docket_sets: DocketSets
    families: Numbers
    sizes: Counts
    background: _core.Background

    def distances(self, a: Numbers, b: Numbers, mu: float) -> Scores:
        """Return the smoothed KL divergence of pairs."""
        return self.background.distances(self.texts, self.documents[a], self.documents[b], mu)

    def shingle_sets(self, shingles: Shingles, nodes: Numbers) -> ShingleSets:
        """Return some of the letters as shingle sets."""
        chosen = self.nodes.take(nodes)
        return ShingleSets(chosen, self.texts, self.documents[nodes], shingles)


@dataclass(frozen=True, slots=True)
class LetterRepresenter(Representer[Letters]):
    """Represents letters by their words; the word model is that of the collection, or of a `lexicon`."""

    lexicon: Lexicon | None = None

    def represent(self, texts: DistinctTexts) -> Letters:
        """Build the word model and collect the attributes of the letters."""
        read = texts.letters
        if read is None:
            raise ValueError("these texts were not read as letters")
        documents = texts.documents
        return Letters(
            texts.nodes,
            texts.texts,
            documents,
            read.dockets[documents],
            read.docket_sets,
            read.families[documents],
            read.sizes[documents],
            self._background(texts),
        )

    def _background(self, texts: DistinctTexts) -> _core.Background:
        if self.lexicon is None:
            return _core.Background.count(texts.texts, texts.documents, texts.nodes.copies)
        return _core.Background.from_counts(self.lexicon.hashes, self.lexicon.occurrences)
