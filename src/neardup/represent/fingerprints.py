"""Fingerprints: a text is its sequence of folded words."""

from __future__ import annotations

from dataclasses import dataclass

from neardup import _core
from neardup.represent.representer import DistinctTexts, Representer
from neardup.stages import Nodes


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """Texts that are represented by their fingerprints alone."""

    nodes: Nodes


@dataclass(frozen=True, slots=True)
class FingerprintRepresenter(Representer[Fingerprints]):
    """Fingerprints of the words in their order; with `joined`, of the words written together."""

    joined: bool = False

    @property
    def first_pass(self) -> _core.FirstPass:
        """The fingerprints themselves."""
        return _core.FirstPass.joined() if self.joined else _core.FirstPass.fingerprints()

    def represent(self, texts: DistinctTexts) -> Fingerprints:
        """Return the fingerprints that the first pass computed."""
        return Fingerprints(texts.nodes)
