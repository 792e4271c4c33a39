"""Raw text becomes comparable text: which bytes are read, as what, in which normal form.

The work itself (tokens, case folding, markup, normal forms, offsets back to the original) is done in `_core`; this room
holds the settings and hands the collection's buffers over without copying them.
"""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core
from neardup.errors import InputError, SettingsError
from neardup.records import Documents
from neardup.stages import string_column

FORMS = ("nfc", "nfkc")
MARKUPS = ("auto", "html", "plain")
BOILERPLATE = ("keep", "drop")


@dataclass(frozen=True, slots=True)
class Normaliser:
    """How texts are read: Unicode normal form, where markup is expected, whether boilerplate of pages is kept."""

    form: str = "nfc"
    markup: str = "auto"
    boilerplate: str = "keep"

    def __post_init__(self) -> None:
        for name, known in (("form", FORMS), ("markup", MARKUPS), ("boilerplate", BOILERPLATE)):
            if getattr(self, name) not in known:
                raise SettingsError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(known)}")

    def open(self, documents: Documents, threads: int = 0) -> _core.Texts:
        """Hand the texts of a collection to the native side."""
        if isinstance(documents.texts, list):
            return _core.Texts.from_strings(
                documents.texts, documents.html, self.form, self.markup, threads, self.boilerplate
            )
        columns = [string_column(chunk) for chunk in documents.texts.chunks]
        try:
            return _core.Texts.from_columns(columns, documents.html, self.form, self.markup, threads, self.boilerplate)
        except ValueError as problem:
            raise InputError(f"the text column cannot be read: {problem}") from None
