"""What is learned from a collection: the Lexicon, and the weights of terms."""

from neardup.represent.lexicon import Lexicon, OwnTerms
from neardup.represent.weights import DIRECTIONS, LENGTHS, SCALES, ClassTable, Weighting

__all__ = ["DIRECTIONS", "LENGTHS", "SCALES", "ClassTable", "Lexicon", "OwnTerms", "Weighting"]
