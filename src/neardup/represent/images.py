"""Document images: the description units that represent a document (Ignatov & Kuznetsov 2009, section 2.1).

Shingle images take the smallest shingle hashes, in one order (`bottom`) or the smallest in each of many orders
(`permutations`). Word images take the words whose frequency is in an interval, without stop words; the interval is
narrowed, evenly in the logarithm, until documents have on average the requested number of such words.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from neardup import _core
from neardup.represent.lexicons import Lexicon
from neardup.represent.representer import DistinctTexts, Representer
from neardup.represent.shingles import Shingles
from neardup.stages import Hashes, Nodes, Numbers

Choice = Literal["bottom", "permutations"]
Growth = Literal["fixed", "log", "linear"]
RAREST_WORD = 2
COMMONEST_WORD = 0.5
STEPS = 60

_STOPPED = (
    "a an and are as at be but by for from has he her his i in is it its my not of on or our she that the their them "
    "they this to was we were what when which who will with you your"
)
STOP_WORDS = frozenset(_STOPPED.split())


@dataclass(frozen=True, slots=True)
class Images:
    """The description units of documents: those of document i are `units[offsets[i]:offsets[i+1]]`, ascending."""

    units: Hashes
    offsets: Hashes

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def of(self, document: int) -> Hashes:
        """Return the units of one document."""
        return self.units[int(self.offsets[document]) : int(self.offsets[document + 1])]


@dataclass(frozen=True, slots=True)
class NodeImages:
    """The image of each node."""

    nodes: Nodes
    images: Images


@dataclass(frozen=True, slots=True)
class ShingleImages(Representer[NodeImages]):
    """Images of `size` shingles; shingles begin `offset` units apart.

    With `growth` a longer document has more units: `size` at a thousand shingles, in proportion to the logarithm of
    their number (`log`) or to the number (`linear`). `literal` takes the paper's orders by binary matrices and minima
    without tags.
    """

    shingles: Shingles
    size: int = 100
    choice: Choice = "bottom"
    offset: int = 1
    growth: Growth = "fixed"
    literal: bool = False

    def represent(self, texts: DistinctTexts) -> NodeImages:
        """Make the image of each distinct text."""
        return NodeImages(texts.nodes, self.images_of(texts.texts, texts.documents))

    def images_of(self, texts: _core.Texts, documents: Numbers) -> Images:
        """Return the images of these documents."""
        shingling = self.shingles.shingling
        units, offsets = _core.images(
            texts, documents, shingling, self.offset, self.choice, self.size, self.growth, self.literal
        )
        return Images(units, offsets)


@dataclass(frozen=True, slots=True)
class WordImages(Representer[NodeImages]):
    """Images of the words that are neither too rare nor too common, `size` for a document on average.

    The document frequencies are those of `lexicon`, if given, otherwise those of the collection itself.
    """

    size: int = 100
    stop_words: frozenset[str] = STOP_WORDS
    lexicon: Lexicon | None = None

    def represent(self, texts: DistinctTexts) -> NodeImages:
        """Make the image of each distinct text."""
        return NodeImages(texts.nodes, self.images_of(texts.texts, texts.documents))

    def images_of(self, texts: _core.Texts, documents: Numbers) -> Images:
        """Return the images of these documents."""
        lexicon = self.lexicon or Lexicon.count(texts, documents)
        return Images(*_core.word_images(texts, documents, np.sort(lexicon.hashes[self.choose(lexicon)])))

    def choose(self, lexicon: Lexicon) -> npt.NDArray[np.bool_]:
        """Return which words of a lexicon are description units."""
        counts = lexicon.document_counts.astype(np.int64)
        stopped = np.isin(np.asarray(lexicon.words, object), list(self.stop_words))
        chosen = ~stopped & self._between(counts, lexicon.documents, 0)
        for step in range(1, STEPS):
            if counts[chosen].sum() <= self.size * lexicon.documents:
                break
            chosen = ~stopped & self._between(counts, lexicon.documents, step)
        found: npt.NDArray[np.bool_] = chosen
        return found

    @staticmethod
    def _between(counts: npt.NDArray[np.int64], documents: int, step: int) -> npt.NDArray[np.bool_]:
        """Return which counts are in the interval after this number of steps towards its middle in the logarithm."""
        low, high = RAREST_WORD, max(RAREST_WORD, COMMONEST_WORD * documents)
        width = math.log(high / low) * step / STEPS / 2
        inside: npt.NDArray[np.bool_] = (counts >= low * math.exp(width)) & (counts <= high * math.exp(-width))
        return inside
