"""What is learned from a collection, the Lexicon; weights of terms, and signatures made with them."""

from neardup.represent.lexicon import KINDS, ORDERS, Lexicon, OwnTerms, Source, TermChoice
from neardup.represent.signatures import Migration, TermSigner
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
    "DIRECTIONS",
    "KINDS",
    "LENGTHS",
    "ORDERS",
    "SCALES",
    "ClassTable",
    "Lexicon",
    "LexiconComparison",
    "Migration",
    "OwnTerms",
    "Source",
    "Stability",
    "TermChoice",
    "TermSigner",
    "Weighting",
    "compare_lexicons",
    "measure_stability",
    "pair_orders",
    "spearman",
]
