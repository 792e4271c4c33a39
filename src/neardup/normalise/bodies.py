"""Documents without titles, authors and other header lines, which vary between editions of the same text."""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core


@dataclass(frozen=True, slots=True)
class BodyReader:
    """Leaves out what stands above the body: `Name: value` lines, short paragraphs that are no sentence, capitals."""

    def open(self, texts: _core.Texts) -> _core.Texts:
        """Return the same texts, of which only the bodies are compared."""
        return texts.restricted(*_core.find_bodies(texts))
