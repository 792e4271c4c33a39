"""The lexicon of an index: whether its method needs one, and which it has."""

from __future__ import annotations

from neardup.detectors import Detector, LexiconDetector
from neardup.represent import Lexicon


def uses_lexicon(detector: Detector) -> bool:
    """Return whether a method uses a lexicon."""
    return isinstance(detector, LexiconDetector)


def lexicon_of(detector: Detector) -> Lexicon | None:
    """Return the lexicon of a detector; None if it has none."""
    return detector.lexicon if isinstance(detector, LexiconDetector) else None


def with_lexicon(detector: Detector, lexicon: Lexicon) -> Detector:
    """Return a detector with another lexicon; one that uses none is returned as it is."""
    return detector.with_lexicon(lexicon) if isinstance(detector, LexiconDetector) else detector
