"""`durian`: form-letter campaigns by constrained clustering (Yang & Callan 2006).

Main texts are compared. Texts with at least `min_copies` identical copies are reference copies; other letters are
linked to them by must-links (the reference contained, more than 95 % of the words in common, and beyond the paper one
whole paragraph of 20 words), never across cannot-links (different docket numbers), otherwise by smoothed KL divergence,
reduced by `alpha` within a family (same relayer, docket, footer, similar size). The paper names no threshold: it is
ln 2, or what best separates a reference's must-links from cannot-links. Letters that share passages form campaigns
even if nobody sent the original unchanged; their reference is the consensus. `paper=True` takes must-links and
thresholds literally and finds references by identical copies only. Each kind of link can be `off`, `all`, or a number
of links drawn by `seed`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from neardup.candidates import Join
from neardup.cluster import CampaignClusterer, LinkLimit
from neardup.detectors.detector import LexiconDetector
from neardup.detectors.recipe import CollectionRecipe
from neardup.detectors.settings import Kind, LoadedFile, flag, lexicon_file, positive, special, whole
from neardup.errors import SettingsError
from neardup.normalise import LetterReader, MainTexts
from neardup.represent import LetterRepresenter, Letters, Lexicon, Shingles

NEAR_SHINGLES = Shingles(3)
NEAR_THRESHOLD = 0.5
NEAR_LOOKS = 5_000_000
"""How many pairs are examined among the letters that no reference takes, before over-common shingles are guarded."""
YANG = "Yang & Callan 2006"


@dataclass(frozen=True, slots=True)
class Links(Kind):
    """Which links of a kind are used."""

    def accept(self, name: str, value: object) -> object:
        """Refuse what is neither a word nor a number of links."""
        if isinstance(value, bool) or not (value in ("off", "all") or (isinstance(value, int) and value >= 0)):
            raise SettingsError(f"{name} is {value!r}, but must be off, all or a number of links")
        return value

    def describe(self) -> str:
        """List the values."""
        return "off, all, or a number of links"

    def hint(self) -> str:
        """Return the type of the values."""
        return 'int | Literal["off", "all"]'


@dataclass(frozen=True)
class Durian(LexiconDetector):
    """Campaigns of letters around their reference copies."""

    name: ClassVar[str] = "durian"
    source: ClassVar[str] = YANG
    takes_constraints: ClassVar[bool] = True
    compares_collections: ClassVar[bool] = False

    threshold: float | None = positive(
        None,
        "smoothed KL divergence in nats, below; if not given, it is chosen for each reference, starting from ln 2",
        paper=f"θ in {YANG}, Figure 3; no value given",
    )
    mu: float = positive(1.0, "weight of the collection in the smoothed word model", paper=f"{YANG}, 4.2")
    alpha: float = positive(
        0.05, "nats taken off the distance within a family", paper=f"{YANG}, Figure 3, A", zero=True
    )
    min_copies: int = whole(
        6, 2, 1_000_000, "identical copies that make a reference copy", paper=f"m = 5, more than: {YANG}, 4.3"
    )
    must: LinkLimit = special("all", Links(), "must-links that are used", paper=f"{YANG}, 4.4.1")
    cannot: LinkLimit = special("all", Links(), "cannot-links that are used", paper=f"{YANG}, 4.4.2")
    family: LinkLimit = special("all", Links(), "family-links that are used", paper=f"{YANG}, 4.4.3")
    seed: int = whole(0, 0, 2**63, "the seed for drawing links, if a number of links is set")
    paper: bool = flag("`true`: must-links and thresholds as the paper has them", paper=f"{YANG}, 4.4, Figure 3")
    lexicon: Lexicon | None = lexicon_file(
        "a [lexicon](lexicons.md) whose word counts are the background model", paper=f"{YANG}, equation 7"
    )
    dockets: LetterReader | None = special(
        None,
        LoadedFile(LetterReader, LetterReader.load, "the path of a TOML file"),
        "a TOML file with patterns and aliases of docket numbers",
        paper=f"{YANG}, 4.1",
    )

    def recipe(self) -> CollectionRecipe[Letters]:
        """Choose the components; letters that no reference takes are searched by a join of 3-word shingles."""
        near = Join(NEAR_THRESHOLD, looks=NEAR_LOOKS)
        return CollectionRecipe(
            MainTexts(self.normaliser, self.dockets or LetterReader(), every_number=self.paper),
            LetterRepresenter(self.lexicon),
            CampaignClusterer(self, near, NEAR_SHINGLES),
        )
