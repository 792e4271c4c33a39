"""What every detector has: settings that check themselves, a fingerprint, and a recipe of stages."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from neardup import _core
from neardup.cluster import LINKAGES
from neardup.errors import SettingsError
from neardup.explain import KEEP_POLICIES
from neardup.normalise import LetterReader, Normaliser
from neardup.stages import Grouper


@dataclass(frozen=True, slots=True)
class Recipe:
    """Which stages a detector is made of."""

    grouper: Grouper
    letters: LetterReader | None = None


@dataclass(frozen=True)
class Detector:
    """The settings common to the pair-based methods.

    `markup` and `form` say how texts are read, `linkage` how pairs become clusters, `keep` which copy is the reference.
    """

    name: ClassVar[str] = ""
    source: ClassVar[str] = ""
    takes_constraints: ClassVar[bool] = False

    markup: str = "auto"
    form: str = "nfc"
    linkage: str = "star"
    keep: str | None = None

    def __post_init__(self) -> None:
        check_choice("linkage", self.linkage, LINKAGES)
        if self.keep is not None:
            check_choice("keep", self.keep, KEEP_POLICIES)
        _ = self.normaliser

    @property
    def normaliser(self) -> Normaliser:
        """How texts are read."""
        return Normaliser(self.form, self.markup)

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
    """Refuse a share that is not a number above 0 and up to 1 (below 1 with `open_top`)."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1
    if not fits or (open_top and value == 1):
        raise SettingsError(
            f"{name} is {value!r}, but must be a number above 0 and {'below' if open_top else 'up to'} 1"
        )


def check_count(name: str, value: object, least: int, most: int) -> None:
    """Refuse what is not a whole number within the bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise SettingsError(f"{name} is {value!r}, but must be a whole number from {least} to {most}")
