"""The settings that turn raw texts into comparable ones: normal form, markup and boilerplate.

The work itself (tokens, case folding, markup, normal forms, offsets into the original) is done in `_core`, which gets
the texts without a copy.
"""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core
from neardup.errors import SettingsError
from neardup.records import Documents

FORMS = ("nfc", "nfkc")
MARKUPS = ("auto", "html", "plain")
BOILERPLATE = ("keep", "drop")


@dataclass(frozen=True, slots=True)
class Normaliser:
    """How texts are read: the Unicode normal form, which texts are markup, whether the boilerplate of pages is kept."""

    form: str = "nfc"
    markup: str = "auto"
    boilerplate: str = "keep"

    def __post_init__(self) -> None:
        for name, known in (("form", FORMS), ("markup", MARKUPS), ("boilerplate", BOILERPLATE)):
            if getattr(self, name) not in known:
                raise SettingsError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(known)}")

    def open(self, documents: Documents, threads: int = 0) -> _core.Texts:
        """Open the texts of a collection on the native side."""
        return documents.texts.open(self, documents.html, threads)
