"""Leave titles, authors and other header lines out of the comparison; they vary between editions of a text."""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core


@dataclass(frozen=True, slots=True)
class BodyReader:
    """Skips the lines above the body: `Name: value` lines, short paragraphs that are not sentences, and capitals."""

    def open(self, texts: _core.Texts) -> _core.Texts:
        """Return the texts with the comparison restricted to their bodies."""
        return texts.restricted(*_core.find_bodies(texts))
