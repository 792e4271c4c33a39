"""From representations to keys, from shared keys to candidate pairs, with the guard on over-common keys."""

from neardup.candidates.bands import Bands, choose_bands, collision, least_agreement
from neardup.candidates.blocks import Blocks
from neardup.candidates.fingerprints import SameFingerprint
from neardup.candidates.join import Join
from neardup.candidates.rule import CandidateRule, find_identical, find_sharing
from neardup.candidates.signatures import EqualSignatures, RareTerms
from neardup.candidates.weighted import TermGrams, WeightedPrefix

__all__ = [
    "Bands",
    "Blocks",
    "CandidateRule",
    "EqualSignatures",
    "Join",
    "RareTerms",
    "SameFingerprint",
    "TermGrams",
    "WeightedPrefix",
    "choose_bands",
    "collision",
    "find_identical",
    "find_sharing",
    "least_agreement",
]
