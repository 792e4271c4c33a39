"""What is learned from a collection, the Lexicon, and signatures made with its terms."""

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

__all__ = [
    "KINDS",
    "ORDERS",
    "Lexicon",
    "LexiconComparison",
    "Migration",
    "OwnTerms",
    "Source",
    "Stability",
    "TermChoice",
    "TermSigner",
    "compare_lexicons",
    "measure_stability",
    "pair_orders",
    "spearman",
]
