"""`conrad`: duplicates in news and search results (Conrad, Guo & Schriber 2003).

A document is its rare terms: the 60 of highest idf in a frozen table, its length and its date of publication. Two are
duplicates if they were published within six weeks of each other, their lengths differ by at most 20 %, and 80 % of
their terms are the same; or, whatever their dates, if six terms have the same distances from each other in texts of the
same length (the key of section 6), and all terms are the same. Titles and header lines do not count.

Departures: a text of fewer than 60 known terms is filled up with its other words, not with constants, which would make
short texts similar (`short="pad_constant"` is the paper's way); texts of fewer than 20 terms are linked only to
identical ones; texts of which more than 30 % are numbers must also have 80 % of these in common; pairs with the same
key are verified, since a report that recurs after months has the same key but other news. `paper=True` takes constants
and treats numbers like other words.

Every such pair is found through the 13 rarest terms of each vector. Time and memory are linear in the documents, some
400 bytes each in addition to the text, as long as rare terms are rare.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from neardup.candidates import RareTerms
from neardup.cluster import PairLinkage
from neardup.detectors.detector import LexiconDetector
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import choice, flag, lexicon_file, share, whole
from neardup.normalise import Bodies
from neardup.represent import Filling, Lexicon, TermRule, TermSignatureRepresenter, TermSignatures
from neardup.verify import SharedTerms

Header = Literal["skip", "keep"]
BINNED_TOLERANCE = 0.02
"""How much the lengths of documents with the same binned key may differ: footnote 4, a designated small percentage."""
CONRAD = "Conrad et al. 2003"


@dataclass(frozen=True)
class Conrad(LexiconDetector):
    """Documents that share most of their rare terms, of similar length, published at about the same time."""

    name: ClassVar[str] = "conrad"
    source: ClassVar[str] = "Conrad, Guo & Schriber 2003"

    threshold: float = share(0.8, "share of the terms of the longer vector in common, at least", paper=f"{CONRAD}, 7.2")
    terms: int = whole(60, 1, 10_000, "terms in a vector", paper=f"60, between 30 and 60: {CONRAD}, 7.1")
    days: int = whole(
        42, 0, 1_000_000, "days between the dates of publication, at most", paper=f"six weeks: {CONRAD}, 7.2"
    )
    length_tolerance: float = share(
        0.2, "how much shorter the shorter text may be than the longer", paper=f"{CONRAD}, 7.3", zero=True
    )
    bins: int = whole(
        0,
        0,
        1_000_000,
        "offsets in a key are rounded up to multiples of this number; 0 leaves them as they are",
        paper=f"10, 25, n: {CONRAD}, 6.1",
    )
    max_idf: float = share(0.8, "terms of higher idf are not used for keys", paper=f"{CONRAD}, 6.1")
    short: Filling = choice(
        "own",
        Filling,
        "a vector of too few terms is filled up with the text's `own` other words, or, `pad_constant`, with entries "
        "that all such texts share",
        paper=f"`pad_constant`: {CONRAD}, 7.2",
    )
    reliable: int = whole(
        20, 0, 10_000, "texts of fewer terms are linked only to identical ones", paper=f"20: {CONRAD}, 7.2"
    )
    numeric_guard: bool = flag(
        "texts of more than 30 % numbers must have the `threshold` of these in common too",
        default=True,
        paper=f"the need of it: {CONRAD}, 7.2",
    )
    header: Header = choice("skip", Header, "titles and header lines: `skip` or `keep`", paper=f"`skip`: {CONRAD}, 6.1")
    paper: bool = flag("`true`: `short=pad_constant`, no `numeric_guard`", paper=f"{CONRAD}, 7")
    lexicon: Lexicon | None = lexicon_file(
        "a [lexicon](lexicons.md), or the path of a saved one, in place of the collection's own statistics",
        paper=f"{CONRAD}, 5",
    )

    def complete(self) -> None:
        """Fill in the settings that `paper` chooses."""
        if self.paper:
            self._fill({"short": "pad_constant", "numeric_guard": False})

    @property
    def signer(self) -> TermSignatureRepresenter:
        """How the signature of a document is made."""
        return TermSignatureRepresenter(self.terms, self.short, self.bins, self.max_idf, self.lexicon)

    @property
    def rule(self) -> TermRule:
        """What makes two documents duplicates."""
        key_tolerance = BINNED_TOLERANCE if self.bins > 1 else 0.0
        return TermRule(
            self.threshold, self.days, self.length_tolerance, key_tolerance, self.reliable, self.numeric_guard
        )

    def recipe(self) -> Recipe[TermSignatures]:
        """Choose the components."""
        normalise = Bodies(self.normaliser) if self.header == "skip" else self.whole_texts
        linkage = PairLinkage(self.linkage)
        return Recipe(normalise, self.signer, RareTerms(self.rule), SharedTerms(self.rule), linkage)
