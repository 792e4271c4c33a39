"""What is learned from a collection: its words with their frequencies, and how far two lexicons agree."""

from neardup.represent.lexicons.lexicon import (
    KINDS,
    ORDERS,
    TERMS,
    WORDS,
    Lexicon,
    Source,
    TermChoice,
    TermKind,
    TermOrder,
)
from neardup.represent.lexicons.stability import (
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
    "TERMS",
    "WORDS",
    "Lexicon",
    "LexiconComparison",
    "Source",
    "Stability",
    "TermChoice",
    "TermKind",
    "TermOrder",
    "compare_lexicons",
    "measure_stability",
    "pair_orders",
    "spearman",
]
