"""The methods by name, and which one fits a collection."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from typing import Any

from neardup.detectors.detector import Detector
from neardup.detectors.methods.concepts import ConceptDetector
from neardup.detectors.methods.conrad import Conrad
from neardup.detectors.methods.durian import Durian
from neardup.detectors.methods.exact import Exact
from neardup.detectors.methods.fingerprinted import Dsc, Full
from neardup.detectors.methods.imatch import IMatch
from neardup.detectors.methods.shingled import Jaccard, MinHash
from neardup.detectors.methods.simfinder import SimFinder
from neardup.detectors.methods.simhash import SimHash
from neardup.detectors.settings import list_settings
from neardup.errors import SettingsError

METHODS: dict[str, type[Detector]] = {
    detector.name: detector
    for detector in (
        Exact,
        Full,
        Dsc,
        IMatch,
        Jaccard,
        MinHash,
        SimHash,
        Durian,
        SimFinder,
        Conrad,
        ConceptDetector,
    )
}
"""Every method by its name."""

CHOICES = ("simfinder", "jaccard", "minhash")
"""What `auto` chooses from."""
SHORT_CHARACTERS = 200
LARGE_CHARACTERS = 4 << 30


def find_method(method: str) -> type[Detector]:
    """Return the detector of this name; an unknown one is an error that names similar ones."""
    if method not in METHODS:
        raise SettingsError(f"unknown method {method!r}{_similar(method, METHODS)}; known: auto, {', '.join(METHODS)}")
    return METHODS[method]


def make_detector(method: str, settings: Mapping[str, Any]) -> Detector:
    """Build the named detector; an unknown method or setting is an error that names similar ones."""
    detector = find_method(method)
    known = _setting_names(detector)
    for name in settings:
        if name not in known:
            raise SettingsError(
                f"method {method} has no setting {name!r}{_similar(name, known)}; it has {', '.join(sorted(known))}"
            )
    return detector(**settings)


def prepare_detector(method: str | Detector, settings: Mapping[str, Any]) -> Detector | None:
    """Build the detector before anything is read; None if `auto` decides after reading."""
    if isinstance(method, Detector):
        if settings:
            raise SettingsError("a detector object has its settings already: pass the method's name to set others")
        return method
    if method != "auto":
        return make_detector(method, settings)
    known = {name for choice in CHOICES for name in _setting_names(METHODS[choice])}
    for name in settings:
        if name not in known:
            raise SettingsError(
                f"no method that auto chooses from has a setting {name!r}{_similar(name, known)}: name the method"
            )
    return None


def _setting_names(detector: type[Detector]) -> list[str]:
    return [setting.name for setting in list_settings(detector)]


def choose_detector(
    settings: Mapping[str, Any], median_characters: float, total_characters: int
) -> tuple[Detector, str]:
    """Build the detector that fits a collection; the second value is the reason in a sentence."""
    name, fitting, reason = choose_method(median_characters, total_characters, settings)
    return make_detector(name, {**fitting, **settings}), reason


def choose_method(
    median_characters: float, total_characters: int, wanted: Collection[str] = ()
) -> tuple[str, dict[str, Any], str]:
    """Choose a method for a collection: its name, settings that fit it, and the reason in a sentence.

    `wanted` are the settings that the user gives: a method that has them is chosen.
    """
    if median_characters < SHORT_CHARACTERS:
        short = f"the texts are short (median {median_characters:.0f} characters)"
        if set(wanted) <= set(_setting_names(SimFinder)):
            return "simfinder", {}, f"{short}: their terms are compared, weighted by class and frequency"
        return "jaccard", {"shingle": 2}, f"{short}: exact join of two-word shingles"
    if total_characters < LARGE_CHARACTERS:
        return "jaccard", {}, f"texts of median {median_characters:.0f} characters, few enough for the exact join"
    reason = f"{total_characters / 1e9:.0f} GB of text: sketches, with an audit of their recall"
    return "minhash", {}, reason


def _similar(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(str(name), list(known), n=2)
    return f" (did you mean {' or '.join(close)}?)" if close else ""
