"""What is learned from a collection, the Lexicon, and signatures made with its terms."""

from neardup.represent.lexicon import Lexicon, OwnTerms
from neardup.represent.signatures import TermSigner

__all__ = ["Lexicon", "OwnTerms", "TermSigner"]
