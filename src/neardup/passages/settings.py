"""What counts as a passage."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import get_args

from neardup import _core
from neardup.errors import SettingsError
from neardup.explain import Keep
from neardup.normalise import Form, Markup
from neardup.records.passages import METHOD

FEWEST_WORDS = 2
MOST_WORDS = 1_000_000


@dataclass(frozen=True, slots=True)
class PassageSettings:
    """What counts as a passage, checked on construction.

    `min_words` counts characters in scripts without spaces. A passage in fewer documents than `min_documents` is left
    out. One in more than `max_documents`, a number or a share of all documents, is boilerplate. `keep` is the order in
    which documents count as the first: by time, then id, unless given.
    """

    min_words: int = 25
    similarity: float = 0.8
    min_documents: int = 1
    max_documents: int | float | None = None
    keep: Keep | None = None
    form: Form = "nfc"
    markup: Markup = "auto"

    def __post_init__(self) -> None:
        """Check the values."""
        _check_whole("min_words", self.min_words, FEWEST_WORDS, MOST_WORDS)
        _check_whole("min_documents", self.min_documents, 1, 1 << 32)
        if not (_is_number(self.similarity) and 0.5 <= self.similarity <= 1):
            raise SettingsError(f"similarity is {self.similarity!r}, but must be a number from 0.5 to 1")
        if self.max_documents is not None and not (_is_number(self.max_documents) and self.max_documents > 0):
            raise SettingsError(
                f"max_documents is {self.max_documents!r}, but must be a number of documents or a share below 1"
            )
        for name, choices in (("keep", get_args(Keep)), ("form", get_args(Form)), ("markup", get_args(Markup))):
            value = asdict(self)[name]
            if value not in choices and not (name == "keep" and value is None):
                raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(choices)}")

    def most_documents(self, documents: int) -> int | None:
        """Return in how many of so many documents a passage may be without being boilerplate."""
        if self.max_documents is None:
            return None
        return int(self.max_documents * documents if self.max_documents < 1 else self.max_documents)

    def fingerprint(self) -> str:
        """Return what identifies these settings."""
        content = {"method": METHOD, "tokeniser": _core.TOKENISER_VERSION, **asdict(self)}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_whole(name: str, value: object, lowest: int, highest: int) -> None:
    if not (type(value) is int and lowest <= value <= highest):
        raise SettingsError(f"{name} is {value!r}, but must be a whole number from {lowest} to {highest:,}")
