"""Raw text becomes comparable text, with the way back to the original's offsets; letters are taken apart."""

from neardup.normalise.attributes import LETTER_SCHEMA, extract_attributes
from neardup.normalise.bodies import BodyReader
from neardup.normalise.letters import LetterMarks, LetterReader
from neardup.normalise.texts import Normaliser

__all__ = [
    "LETTER_SCHEMA",
    "BodyReader",
    "LetterMarks",
    "LetterReader",
    "Normaliser",
    "extract_attributes",
]
