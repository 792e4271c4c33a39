"""Signatures of rare words: I-Match's hash, and the term vectors of Conrad, Guo & Schriber 2003.

The work is done in `_core`; this module holds the settings and the types.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal

import numpy as np

from neardup import _core
from neardup.represent.lexicons import WORDS, Lexicon
from neardup.represent.representer import DistinctTexts, Features, LexiconUnit, Packer, Representer
from neardup.represent.shingles import Shingles, ShingleSets
from neardup.stages import Counts, Days, Hashes, Nodes, Numbers, Scores, threshold_fraction, undated

Filling = Literal["own", "pad_constant"]


@dataclass(frozen=True)
class WordSignatures:
    """The sets of the words of each node, and a hash of some of its words, which is computed when it is needed."""

    sets: ShingleSets
    lexicon: Lexicon
    terms: int
    skip: int

    @property
    def nodes(self) -> Nodes:
        """The nodes that are represented."""
        return self.sets.nodes

    @cached_property
    def signatures(self) -> Hashes:
        """The hash of each node."""
        return self.sets.texts.signatures(self.sets.documents, *self.lexicon.ranks, self.terms, self.skip)


@dataclass(frozen=True, slots=True)
class WordSignatureRepresenter(Representer[WordSignatures]):
    """I-Match: a hash of the words of highest idf, without the very first (Chowdhury et al. 2002).

    Distinct words are sorted by descending idf, ties by the word. The first `skip` are left out as likely misspellings,
    the next `terms` make the signature, whatever their order in the text. A text of at most `skip` distinct words is
    represented by all of them. Without a `lexicon`, the document frequencies are those of the collection.
    """

    terms: int = 30
    skip: int = 5
    lexicon: Lexicon | None = None

    @property
    def lexicon_unit(self) -> LexiconUnit:
        """Document frequencies of words."""
        return WORDS

    @property
    def lacks_lexicon(self) -> bool:
        """Whether the frequencies are those of the collection itself."""
        return self.lexicon is None

    def represent(self, texts: DistinctTexts) -> WordSignatures:
        """Return the words of each distinct text, with the statistics for its signature."""
        lexicon = self.lexicon or Lexicon.count(texts.texts, texts.documents)
        sets = ShingleSets(texts.nodes, texts.texts, texts.documents, Shingles(1))
        return WordSignatures(sets, lexicon, self.terms, self.skip)


@dataclass(frozen=True, slots=True)
class TermRule:
    """The conditions under which two signatures make documents duplicates.

    They were published at most `days` apart, the shorter is at most `length_tolerance` shorter than the longer, and
    `threshold` of the terms of the longer vector are in common; or key and vector are the same, and lengths agree
    within `key_tolerance`. Documents of fewer than `reliable` terms are not compared. With `numerals`, documents that
    are mostly numbers must share their numbers too.
    """

    threshold: float = 0.8
    days: int = 42
    length_tolerance: float = 0.2
    key_tolerance: float = 0.0
    reliable: int = 20
    numerals: bool = True

    @property
    def arguments(self) -> tuple[tuple[int, int], int, tuple[int, int], tuple[int, int], int, bool]:
        """The rule as `_core` takes it."""
        return (
            threshold_fraction(self.threshold),
            self.days,
            _as_ratio(self.length_tolerance),
            _as_ratio(self.key_tolerance),
            self.reliable,
            self.numerals,
        )

    def partner_lengths(self, lengths: Counts, *, same_key: bool) -> tuple[Counts, Counts]:
        """Return the shortest and the longest partner that texts of these lengths can have."""
        numerator, denominator = _as_ratio(self.key_tolerance if same_key else self.length_tolerance)
        kept = denominator - numerator
        longest = lengths * denominator // kept if kept else np.full_like(lengths, np.iinfo(np.uint32).max)
        return -(-lengths * kept // denominator), longest


@cache
def _as_ratio(share: float) -> tuple[int, int]:
    return Fraction(str(share)).limit_denominator(1_000_000).as_integer_ratio()


@dataclass(frozen=True, slots=True)
class TermSignatures:
    """The term vector, length and key of each node, with its publication days.

    `lexicon` is the one that the terms come from; it is not needed to compare stored signatures.
    """

    nodes: Nodes
    vectors: _core.Signatures
    days: Days | None = None
    lexicon: Lexicon | None = None

    @property
    def known_days(self) -> Days:
        """The publication days; none where no text has a date."""
        return undated(len(self.nodes)) if self.days is None else self.days

    def sizes(self) -> Counts:
        """Return the number of entries of each vector."""
        offsets = self.vectors.arrays()[0].astype(np.int64)
        sizes: Counts = offsets[1:] - offsets[:-1]
        return sizes

    def share(self, a: Numbers, b: Numbers) -> Scores:
        """Return the share of the entries of the longer vector that each pair has in common."""
        sizes = self.sizes()
        longer = np.maximum(sizes[a], sizes[b])
        return np.divide(self.vectors.overlaps(a, b), longer, out=np.zeros(len(a)), where=longer > 0)


@dataclass(frozen=True, slots=True)
class TermSignatureRepresenter(Representer[TermSignatures]):
    """How signatures are made: `terms` in a vector, what pads a `short` one, `bins` of offsets in a key.

    Keys are made of terms with an idf of at most `max_idf`; rarer ones tend to be misspellings. Without a `lexicon` the
    terms are those of the collection itself.
    """

    terms: int = 60
    short: Filling = "own"
    bins: int = 0
    max_idf: float = 0.8
    lexicon: Lexicon | None = None

    @property
    def dated(self) -> bool:
        """Publication days are part of a signature."""
        return True

    @property
    def lexicon_unit(self) -> LexiconUnit:
        """Document frequencies of words."""
        return WORDS

    @property
    def lacks_lexicon(self) -> bool:
        """Whether the frequencies are those of the collection itself."""
        return self.lexicon is None

    def sign(self, texts: _core.Texts, documents: Numbers, lexicon: Lexicon) -> _core.Signatures:
        """Make the signatures of these documents with the terms of a lexicon."""
        table = lexicon.table(self.max_idf)
        return _core.Signatures.make(texts, documents, table, self.terms, self.short, self.bins)

    def represent(self, texts: DistinctTexts) -> TermSignatures:
        """Make the signature of each distinct text."""
        lexicon = self.lexicon or Lexicon.count(texts.texts, texts.documents)
        vectors = self.sign(texts.texts, texts.documents, lexicon)
        return TermSignatures(texts.nodes, vectors, texts.days, lexicon)

    @property
    def packer(self) -> Packer[TermSignatures]:
        """The bytes of each signature."""
        return SignaturePacker(self.short)


@dataclass(frozen=True, slots=True)
class SignaturePacker(Packer[TermSignatures]):
    """Stores signatures as bytes; the days are stored by the index itself."""

    short: Filling

    def pack(self, representation: TermSignatures) -> Features:
        """Return the signatures as bytes."""
        return Features(*representation.vectors.pack())

    def unpack(self, features: Features, nodes: Nodes, days: Days | None) -> TermSignatures:
        """Return the signatures that the bytes encode."""
        vectors = _core.Signatures.unpack(features.content, features.offsets, self.short, nodes.threads)
        return TermSignatures(nodes, vectors, days)
