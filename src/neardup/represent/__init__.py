"""What is learned from a collection: the Lexicon."""

from neardup.represent.lexicon import Lexicon, OwnTerms

__all__ = ["Lexicon", "OwnTerms"]
