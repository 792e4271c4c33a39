"""What every detector has: settings that check themselves, a fingerprint, and a recipe of stages."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from neardup import _core
from neardup.cluster import LINKAGES
from neardup.errors import SettingsError
from neardup.explain import KEEP_POLICIES
from neardup.normalise import BodyReader, LetterReader, Normaliser
from neardup.represent import Lexicon, OwnTerms
from neardup.stages import Grouper, Representation

LEAST_SHARE = 0.001


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which stages a detector is made of; `dated` says that it asks for the days of publication."""

    grouper: Grouper
    letters: LetterReader | None = None
    terms: Representation | None = None
    bodies: BodyReader | None = None
    vocabulary: Lexicon | OwnTerms | None = None
    dated: bool = False


@dataclass(frozen=True)
class Detector:
    """The settings common to the pair-based methods.

    `markup`, `boilerplate` and `form` determine how texts are read, `linkage` how pairs become clusters, and `keep`
    which copy is the reference.
    """

    name: ClassVar[str] = ""
    source: ClassVar[str] = ""
    takes_constraints: ClassVar[bool] = False
    compares_collections: ClassVar[bool] = True

    markup: str = "auto"
    boilerplate: str = "keep"
    form: str = "nfc"
    linkage: str = "star"
    keep: str | None = None

    def __post_init__(self) -> None:
        check_choice("linkage", self.linkage, LINKAGES)
        if self.keep is not None:
            check_choice("keep", self.keep, KEEP_POLICIES)
        _ = self.normaliser
        for item in fields(self):
            value = getattr(self, item.name)
            if (
                item.type in ("float", "float | None")
                and isinstance(value, int | np.floating)
                and type(value) is not bool
            ):
                object.__setattr__(self, item.name, float(value))

    @property
    def normaliser(self) -> Normaliser:
        """How texts are read."""
        return Normaliser(self.form, self.markup, self.boilerplate)

    def recipe(self) -> Recipe:
        """Build the stages."""
        raise NotImplementedError

    def settings(self) -> dict[str, Any]:
        """Return every setting with its value; a lexicon is named by its fingerprint."""
        found = {item.name: getattr(self, item.name) for item in fields(self)}
        return {name: getattr(value, "fingerprint", value) for name, value in found.items()}

    def fingerprint(self) -> str:
        """Return what tells these settings from any others."""
        content = {"method": self.name, "tokeniser": _core.TOKENISER_VERSION, **self.settings()}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    """Refuse a value that is not among the known ones."""
    if value not in known:
        raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(known)}")


def check_share(name: str, value: object, *, open_top: bool = False) -> None:
    """Refuse a share that is not a number from a thousandth up to 1 (below 1 with `open_top`)."""
    fits = isinstance(value, int | float | np.floating) and not isinstance(value, bool) and LEAST_SHARE <= value <= 1
    if not fits or (open_top and value == 1):
        bound = "to below 1" if open_top else "to 1"
        raise SettingsError(f"{name} is {value!r}, but must be a number from {LEAST_SHARE} {bound}")


def check_count(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number within the bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SettingsError(f"{name} is {value!r}, but must be a whole number from {least} to {most}")


def open_lexicon(value: object) -> Lexicon | None:
    """Return a lexicon that is given as such or by its path."""
    if isinstance(value, str | os.PathLike):
        return Lexicon.load(value)
    if value is not None and not isinstance(value, Lexicon):
        raise SettingsError(f"lexicon is {type(value).__name__}, but must be a Lexicon or the path of a saved one")
    return value
