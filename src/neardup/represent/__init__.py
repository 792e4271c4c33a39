"""What is learned from a collection, and what stands for a document."""

from neardup.represent.images import CHOICES, GROWTHS, STOP_WORDS, ShingleImages, WordImages
from neardup.represent.lexicon import Lexicon, OwnTerms

__all__ = ["CHOICES", "GROWTHS", "STOP_WORDS", "Lexicon", "OwnTerms", "ShingleImages", "WordImages"]
