"""The settings that turn raw texts into comparable ones: normal form, markup and boilerplate.

The work itself (tokens, case folding, markup, normal forms, offsets into the original) is done in `_core`, which gets
the texts without a copy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

from neardup import _core
from neardup.errors import SettingsError
from neardup.records import Documents

Form = Literal["nfc", "nfkc"]
Markup = Literal["auto", "fragments", "html", "plain"]
Boilerplate = Literal["keep", "drop"]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """How texts are read: the Unicode normal form, which texts are markup, whether the boilerplate of pages is kept."""

    form: Form = "nfc"
    markup: Markup = "auto"
    boilerplate: Boilerplate = "keep"

    def __post_init__(self) -> None:
        for name, value, kind in (
            ("form", self.form, Form),
            ("markup", self.markup, Markup),
            ("boilerplate", self.boilerplate, Boilerplate),
        ):
            if value not in get_args(kind):
                raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(get_args(kind))}")

    def for_letters(self) -> Self:
        """Return the settings for letters, which portals store with pieces of markup."""
        return replace(self, markup="fragments") if self.markup == "auto" else self

    def open(self, documents: Documents, threads: int = 0) -> _core.Texts:
        """Open the texts of a collection on the native side."""
        return documents.texts.open(self, documents.html, threads)
