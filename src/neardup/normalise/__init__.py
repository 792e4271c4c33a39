"""Turn raw text into comparable text whose offsets map back to the original, and split letters into parts."""

from neardup.normalise.attributes import LETTER_SCHEMA, extract_attributes
from neardup.normalise.bodies import BodyReader
from neardup.normalise.components import Bodies, MainTexts, Normalise, NormalisedTexts, WholeTexts
from neardup.normalise.letters import DocketSets, LetterFeatures, LetterReader
from neardup.normalise.texts import Boilerplate, Form, Markup, Normaliser

__all__ = [
    "LETTER_SCHEMA",
    "Bodies",
    "BodyReader",
    "Boilerplate",
    "DocketSets",
    "Form",
    "LetterFeatures",
    "LetterReader",
    "MainTexts",
    "Markup",
    "Normalise",
    "NormalisedTexts",
    "Normaliser",
    "WholeTexts",
    "extract_attributes",
]
