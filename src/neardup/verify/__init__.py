"""The exact similarity of candidate pairs, and which of them are linked."""

from neardup.verify.hamming import Hamming
from neardup.verify.identity import Identical, SameSignature
from neardup.verify.overlap import Denominator, Overlap
from neardup.verify.terms import SharedTerms, WeightedOverlap
from neardup.verify.verifier import Verifier

__all__ = [
    "Denominator",
    "Hamming",
    "Identical",
    "Overlap",
    "SameSignature",
    "SharedTerms",
    "Verifier",
    "WeightedOverlap",
]
