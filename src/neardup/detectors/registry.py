"""The methods by name, and which one fits a collection."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from neardup.detectors.concepts import ConceptDetector
from neardup.detectors.conrad import Conrad
from neardup.detectors.durian import Durian
from neardup.detectors.exact import Exact
from neardup.detectors.fingerprinted import Dsc, Full
from neardup.detectors.imatch import IMatch
from neardup.detectors.settings import Detector
from neardup.detectors.shingled import Jaccard, MinHash
from neardup.detectors.simfinder import SimFinder
from neardup.detectors.simhash import SimHash
from neardup.errors import SettingsError

METHODS: Mapping[str, type[Detector]] = {
    "exact": Exact,
    "full": Full,
    "dsc": Dsc,
    "imatch": IMatch,
    "jaccard": Jaccard,
    "minhash": MinHash,
    "simhash": SimHash,
    "durian": Durian,
    "simfinder": SimFinder,
    "conrad": Conrad,
    "concepts": ConceptDetector,
}

CHOICES = ("simfinder", "jaccard", "minhash")
"""What `auto` chooses from."""
SHORT_CHARACTERS = 200
LARGE_CHARACTERS = 4 << 30


def make_detector(method: str, settings: Mapping[str, Any]) -> Detector:
    """Build the named detector; an unknown method or setting is an error that names the close ones."""
    if method not in METHODS:
        raise SettingsError(f"unknown method {method!r}{_close(method, METHODS)}; known: auto, {', '.join(METHODS)}")
    detector = METHODS[method]
    known = [item.name for item in fields(detector)]
    for name in settings:
        if name not in known:
            raise SettingsError(
                f"method {method} has no setting {name!r}{_close(name, known)}; it has {', '.join(sorted(known))}"
            )
    return detector(**settings)


def check_settings(method: str, settings: Mapping[str, Any]) -> None:
    """Say before anything is read if the method, or whichever `auto` will choose, cannot take these settings."""
    if method != "auto":
        make_detector(method, settings)
        return
    known = {item.name for choice in CHOICES for item in fields(METHODS[choice])}
    for name in settings:
        if name not in known:
            raise SettingsError(
                f"no method that auto chooses from has a setting {name!r}{_close(name, known)}: name the method"
            )


def choose_method(
    median_characters: float, total_characters: int, wanted: Collection[str] = ()
) -> tuple[str, dict[str, Any], str]:
    """Choose a method for a collection: its name, settings that fit it, and why, in a sentence.

    `wanted` are the settings that the user names: a method that has them is chosen.
    """
    if median_characters < SHORT_CHARACTERS:
        short = f"the texts are short (median {median_characters:.0f} characters)"
        if set(wanted) <= {item.name for item in fields(SimFinder)}:
            return "simfinder", {}, f"{short}: their terms are compared, weighted by class and frequency"
        return "jaccard", {"shingle": 2}, f"{short}: exact join of two-word shingles"
    if total_characters < LARGE_CHARACTERS:
        return "jaccard", {}, f"texts of median {median_characters:.0f} characters, few enough for the exact join"
    reason = f"{total_characters / 1e9:.0f} GB of text: sketches, with an audit of their recall"
    return "minhash", {}, reason


def _close(name: str, known: Any) -> str:
    close = difflib.get_close_matches(str(name), list(known), n=2)
    return f" (did you mean {' or '.join(close)}?)" if close else ""
