"""Turn raw text into comparable text whose offsets map back to the original, and split letters into parts."""

from neardup.normalise.attributes import LETTER_SCHEMA, extract_attributes
from neardup.normalise.bodies import BodyReader
from neardup.normalise.letters import LetterFeatures, LetterReader
from neardup.normalise.texts import Normaliser

__all__ = [
    "LETTER_SCHEMA",
    "BodyReader",
    "LetterFeatures",
    "LetterReader",
    "Normaliser",
    "extract_attributes",
]
