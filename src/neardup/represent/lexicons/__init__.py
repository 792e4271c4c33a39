"""Lexicons: the words of a collection with their frequencies, and how much two lexicons differ."""

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
