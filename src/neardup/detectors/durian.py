"""`durian`: form-letter campaigns by constrained clustering (Yang & Callan 2006).

Main texts are compared. Texts with at least `min_copies` identical copies are reference copies; other letters are
linked to them by must-links (the reference contained, more than 95 % of the words in common, and beyond the paper one
whole paragraph of 20 words), never across cannot-links (different docket numbers), else by smoothed KL divergence, made
smaller by `alpha` within a family (same relayer, docket, footer, similar size). The paper names no threshold: it is
ln 2, or what best tells a reference's must-links from cannot-links. `paper=True` takes must-links and thresholds
literally and knows references by identical copies only. Each kind of link can be `off`, `all`, or a number of links
drawn by `seed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Join
from neardup.cluster import CampaignGrouper
from neardup.detectors.settings import Detector, Recipe, check_count, open_lexicon
from neardup.errors import SettingsError
from neardup.normalise import LetterReader
from neardup.represent import Lexicon
from neardup.stages import Shingles

NEAR_LOOKS = 5_000_000
"""How many pairs are looked at among the letters that no reference takes, before over-common shingles are guarded."""


@dataclass(frozen=True)
class Durian(Detector):
    """Campaigns of letters around their reference copies."""

    name: ClassVar[str] = "durian"
    source: ClassVar[str] = "Yang & Callan 2006"
    takes_constraints: ClassVar[bool] = True
    compares_collections: ClassVar[bool] = False

    threshold: float | None = None
    mu: float = 1.0
    alpha: float = 0.05
    min_copies: int = 6
    must: str | int = "all"
    cannot: str | int = "all"
    family: str | int = "all"
    seed: int = 0
    paper: bool = False
    lexicon: Lexicon | str | None = None
    dockets: LetterReader | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.dockets, str):
            object.__setattr__(self, "dockets", LetterReader.load(self.dockets))
        object.__setattr__(self, "lexicon", open_lexicon(self.lexicon))
        if self.dockets is not None and not isinstance(self.dockets, LetterReader):
            raise SettingsError(f"dockets is {self.dockets!r}, but must be the path of a TOML file")
        check_count("min_copies", self.min_copies, 2, 1_000_000)
        check_count("seed", self.seed, 0, 2**63)
        for name in ("mu", "alpha", "threshold"):
            _check_positive(name, getattr(self, name))
        for name in ("must", "cannot", "family"):
            _check_links(name, getattr(self, name))

    def recipe(self) -> Recipe:
        """Build the stages; the rest that no reference takes is searched by a join of 3-word shingles."""
        grouper = CampaignGrouper(
            Join(Shingles(3), 0.5, looks=NEAR_LOOKS),
            self.threshold,
            self.mu,
            self.alpha,
            self.min_copies,
            self.must,
            self.cannot,
            self.family,
            self.seed,
            self.paper,
            self.lexicon,
        )
        letters = self.dockets if isinstance(self.dockets, LetterReader) else LetterReader()
        return Recipe(grouper, letters)


def _check_positive(name: str, value: object) -> None:
    fits = isinstance(value, int | float) and not isinstance(value, bool) and value > 0
    if not fits and not (name == "threshold" and value is None) and not (name == "alpha" and value == 0):
        raise SettingsError(f"{name} is {value!r}, but must be a number above 0")


def _check_links(name: str, value: object) -> None:
    if isinstance(value, bool) or not (value in ("off", "all") or (isinstance(value, int) and value >= 0)):
        raise SettingsError(f"{name} is {value!r}, but must be off, all or a number of links")
