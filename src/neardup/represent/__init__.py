"""What is learned from a collection, and what stands for a document: weights, signatures and images."""

from neardup.represent.images import CHOICES, GROWTHS, STOP_WORDS, ShingleImages, WordImages
from neardup.represent.lexicon import KINDS, ORDERS, TERMS, Lexicon, OwnTerms, Source, TermChoice
from neardup.represent.signatures import TermSigner
from neardup.represent.stability import (
    LexiconComparison,
    Stability,
    compare_lexicons,
    measure_stability,
    pair_orders,
    spearman,
)
from neardup.represent.weights import DIRECTIONS, LENGTHS, SCALES, ClassTable, Weighting

__all__ = [
    "CHOICES",
    "DIRECTIONS",
    "GROWTHS",
    "KINDS",
    "LENGTHS",
    "ORDERS",
    "SCALES",
    "STOP_WORDS",
    "TERMS",
    "ClassTable",
    "Lexicon",
    "LexiconComparison",
    "OwnTerms",
    "ShingleImages",
    "Source",
    "Stability",
    "TermChoice",
    "TermSigner",
    "Weighting",
    "WordImages",
    "compare_lexicons",
    "measure_stability",
    "pair_orders",
    "spearman",
]
