"""`conrad`: duplicates in news and search results (Conrad, Guo & Schriber 2003).

A document is its rare terms: the 60 of highest idf in a frozen table, its length and its date of publication. Two are
duplicates if they were published within six weeks of each other, their lengths differ by at most 20 %, and 80 % of
their terms are the same; or, whatever their dates, if six terms stand at the same distances from each other in texts of
the same length (the key of section 6), and all terms are the same. Titles and header lines do not count.

Departures: a text of fewer than 60 known terms is filled up with its other words, not with constants, which would make
short texts alike (`short="pad_constant"` is the paper's way); texts of fewer than 20 terms are linked only to identical
ones; texts of which more than 30 % are numbers must also have 80 % of these in common; what the key finds is verified,
since a report that returns after months has the same key with other news in it.
`paper=True` takes constants and leaves numbers alone.

Every such pair is found through the 13 rarest terms of each vector. Time and memory are linear in the documents, some
400 bytes each beside the text, as long as rare terms are rare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import RareTerms
from neardup.cluster import PairGrouper
from neardup.detectors.settings import Detector, Recipe, check_choice, check_count, check_share, open_lexicon
from neardup.errors import SettingsError
from neardup.normalise import BodyReader
from neardup.represent import Lexicon, OwnTerms, TermSigner
from neardup.stages import TermRule
from neardup.verify import SharedTerms

SHORTS = ("own", "pad_constant")
HEADERS = ("skip", "keep")
BINNED_TOLERANCE = 0.02
"""How much the lengths of documents with the same binned key may differ: footnote 4, a designated small percentage."""


@dataclass(frozen=True)
class Conrad(Detector):
    """Documents that share most of their rare terms, of like length, published at about the same time."""

    name: ClassVar[str] = "conrad"
    source: ClassVar[str] = "Conrad, Guo & Schriber 2003"

    threshold: float = 0.8
    terms: int = 60
    days: int = 42
    length_tolerance: float = 0.2
    bins: int = 0
    max_idf: float = 0.8
    short: str = "own"
    reliable: int = 20
    numeric_guard: bool = True
    header: str = "skip"
    paper: bool = False
    lexicon: Lexicon | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_share("threshold", self.threshold)
        check_count("terms", self.terms, 1, 10_000)
        check_count("days", self.days, 0, 1_000_000)
        check_count("bins", self.bins, 0, 1_000_000)
        check_count("reliable", self.reliable, 0, 10_000)
        check_share("max_idf", self.max_idf)
        if self.length_tolerance != 0:
            check_share("length_tolerance", self.length_tolerance)
        check_choice("short", self.short, SHORTS)
        check_choice("header", self.header, HEADERS)
        for name in ("numeric_guard", "paper"):
            if not isinstance(getattr(self, name), bool):
                raise SettingsError(f"{name} is {getattr(self, name)!r}, but must be true or false")
        object.__setattr__(self, "lexicon", open_lexicon(self.lexicon))
        if self.paper:
            object.__setattr__(self, "short", "pad_constant")
            object.__setattr__(self, "numeric_guard", False)

    @property
    def signer(self) -> TermSigner:
        """How the signature of a document is made."""
        return TermSigner(self.terms, self.short, self.bins, self.max_idf)

    @property
    def rule(self) -> TermRule:
        """What makes two documents duplicates."""
        key_tolerance = BINNED_TOLERANCE if self.bins > 1 else 0.0
        return TermRule(
            self.threshold, self.days, self.length_tolerance, key_tolerance, self.reliable, self.numeric_guard
        )

    def recipe(self) -> Recipe:
        """Build the stages."""
        grouper = PairGrouper(RareTerms(self.signer, self.rule), SharedTerms(self.signer, self.rule), self.linkage)
        vocabulary = self.lexicon if isinstance(self.lexicon, Lexicon) else OwnTerms()
        bodies = BodyReader() if self.header == "skip" else None
        return Recipe(grouper, bodies=bodies, vocabulary=vocabulary, dated=True)
