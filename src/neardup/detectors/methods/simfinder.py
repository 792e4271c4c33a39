"""`simfinder`: near-duplicates among messages, titles and other short texts (Gong, Huang, Cheng & Bai 2008).

A text is the set of its terms. The weight of a term depends on its class, its frequency in a background and its length
(equations 1 and 2). The duplicate degree of two texts is the weight that they share over the weight of both (equation
4), at least 0.65. The paper compares texts that share a fingerprint of three contiguous terms among the heaviest
(`candidates` `fingerprints`, inequality 5), which misses some pairs; the default `prefix` finds every pair by the exact
join of weighted sets. `skip_connected` is the paper's Remark 2: texts that are connected already are not compared; it
needs `linkage` `components`. As printed, the most frequent term of a class weighs most, on a linear scale, times its
length in characters: `paper=True` does so, and takes fingerprints; the defaults separate duplicates best on labelled
pairs. The paper does not print its weight intervals: `classes` names a table that replaces ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from neardup.candidates import TermGrams, WeightedPrefix
from neardup.cluster import PairLinkage
from neardup.detectors.detector import LexiconDetector
from neardup.detectors.recipe import Recipe
from neardup.detectors.settings import LoadedFile, choice, flag, lexicon_file, share, special, whole
from neardup.errors import SettingsError
from neardup.represent import ClassTable, Direction, Length, Lexicon, Scale, WeightedTerms, Weighting
from neardup.verify import WeightedOverlap

Search = Literal["prefix", "fingerprints"]
MOST_TERMS = 12
DEFAULTS = {"direction": "inverse", "scale": "linear", "length": "off", "candidates": "prefix"}
PAPER = {"direction": "paper", "scale": "linear", "length": "characters", "candidates": "fingerprints"}
GONG = "Gong et al. 2008"


@dataclass(frozen=True)
class SimFinder(LexiconDetector):
    """Short texts whose weighted terms are mostly the same.

    Settings that are None are chosen by `paper`.
    """

    name: ClassVar[str] = "simfinder"
    source: ClassVar[str] = GONG

    threshold: float = share(0.65, "duplicate degree, at least", paper=f"θ = 0.65: {GONG}, 4")
    gram: int = whole(3, 1, MOST_TERMS, "terms in a fingerprint", paper=f"N = 3: {GONG}, 4")
    features: int | None = whole(
        None,
        0,
        10_000,
        "heavy terms taken for fingerprints beyond k, the least number with more than the threshold's share of the "
        "weight; if not given, `gram` and two more, with `paper` `gram`",
        paper=f"λ = k + N: {GONG}, inequality 5",
    )
    direction: Direction | None = choice(
        None,
        Direction,
        "the heaviest term of a class is its rarest (`inverse`) or its most frequent (`paper`); if not given, "
        "`inverse`, with `paper=true` `paper`",
        paper=f"most frequent: {GONG}, equation 1",
    )
    scale: Scale | None = choice(
        None,
        Scale,
        "weights by the frequency (`linear`) or its logarithm (`log`), or all `equal`; if not given, `linear`",
        paper=f"linear: {GONG}, equation 1; equal: equation 3",
    )
    length: Length | None = choice(
        None,
        Length,
        "weights times the length of the term: not (`off`), in `characters`, or in Chinese characters and in threes of "
        "letters, at most 4 (`capped`); if not given, `off`, with `paper` `characters`",
        paper=f"{GONG}, equation 2",
    )
    candidates: Search | None = choice(
        None,
        Search,
        "`prefix`: every pair at the threshold; `fingerprints`: pairs that share one; if not given, `prefix`, with "
        "`paper` `fingerprints`",
        paper=f"fingerprints: {GONG}, 3.2",
    )
    skip_connected: bool = flag(
        "do not compare texts that earlier pairs connect; needs `linkage=components`, and leaves those pairs out",
        paper=f"{GONG}, Remark 2",
    )
    classes: ClassTable | None = special(
        None,
        LoadedFile(ClassTable, ClassTable.load, "the path of a TOML file"),
        "a TOML file of weight intervals by class and of words by class",
        paper=f"intervals [a, b], not printed: {GONG}, 3.1",
    )
    lexicon: Lexicon | None = lexicon_file(
        "a saved [lexicon](lexicons.md) of the unit `terms`, or its path: the background database; if not given, the "
        "distinct texts themselves",
        paper=f"F(t): {GONG}, equation 1",
    )
    paper: bool = flag("`true`: weights and candidates as printed", paper=GONG)

    def complete(self) -> None:
        """Fill in the settings that `paper` chooses, and check that the settings fit together."""
        chosen = PAPER if self.paper else DEFAULTS
        given = {"direction": self.direction, "scale": self.scale, "length": self.length, "candidates": self.candidates}
        self._fill({name: chosen[name] for name, value in given.items() if value is None})
        if self.skip_connected and self.linkage != "components":
            raise SettingsError("skip_connected treats connected texts as duplicates: it needs linkage=components")
        _ = self.weighting

    @property
    def weighting(self) -> Weighting:
        """How terms are weighted."""
        return Weighting(
            self.classes or ClassTable.own(),
            self.direction or "inverse",
            self.scale or "linear",
            self.length or "off",
            "rare" if self.candidates == "prefix" else "heavy",
            self.lexicon,
        )

    def recipe(self) -> Recipe[WeightedTerms]:
        """Choose the components."""
        verify, cluster = WeightedOverlap(self.threshold), PairLinkage(self.linkage)
        if self.candidates == "prefix":
            prefix = WeightedPrefix(self.threshold, self.skip_connected)
            return Recipe(self.whole_texts, self.weighting, prefix, verify, cluster)
        grams = TermGrams(self.threshold, self.gram, self.features, not self.paper, self.skip_connected)
        return Recipe(self.whole_texts, self.weighting, grams, verify, cluster)
