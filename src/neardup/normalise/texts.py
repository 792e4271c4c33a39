"""Raw text becomes comparable text: which bytes are read, as what, in which normal form.

The work itself (tokens, case folding, markup, normal forms, offsets back to the original) is done in `_core`; this room
holds the settings and hands the collection's buffers over without copying them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from neardup import _core
from neardup.errors import InputError, SettingsError
from neardup.records import Documents
from neardup.stages import string_column

Form = Literal["nfc", "nfkc"]
Markup = Literal["auto", "html", "plain"]
Boilerplate = Literal["keep", "drop"]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """How texts are read: Unicode normal form, where markup is expected, whether boilerplate of pages is kept."""

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
