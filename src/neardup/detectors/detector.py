"""What every detector has: settings that check themselves, a fingerprint, and a recipe of components."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

from neardup import _core
from neardup.cluster import Linkage
from neardup.detectors.recipe import AnyRecipe
from neardup.detectors.settings import check_field, choice, lexicon_file, record_field
from neardup.errors import SettingsError
from neardup.explain import Keep
from neardup.normalise import Boilerplate, Form, Markup, Normaliser, WholeTexts
from neardup.represent import Lexicon


@dataclass(frozen=True)
class Detector(ABC):
    """The settings that all methods have."""

    name: ClassVar[str]
    source: ClassVar[str]
    takes_constraints: ClassVar[bool] = False
    compares_collections: ClassVar[bool] = True

    markup: Markup = choice(
        "auto",
        Markup,
        "where tags are stripped: `auto` (texts that begin with a doctype or `<html`, HTML files and mail, columns "
        "called html; in letters as `fragments`), `fragments` (the same, and in other texts pieces of markup such as "
        "`<br/>`, `&#39;` and escaped line ends), `html` (everywhere), `plain` (nowhere)",
    )
    boilerplate: Boilerplate = choice(
        "keep",
        Boilerplate,
        "navigation, menus, sidebars, banners and footers of web pages, and `noframes`: `keep`, or `drop`, so that "
        "pages that share only these are not similar",
        paper="similar framing: Ignatov & Kuznetsov 2009, Table 1",
    )
    form: Form = choice(
        "nfc", Form, "Unicode normal form: `nfc`, or `nfkc`, which makes full-width letters and ligatures plain"
    )
    linkage: Linkage = choice(
        "star",
        Linkage,
        "how pairs become clusters: `star`, so that each member passes against its reference copy, or `components`, "
        "the connected components of the pairs",
        paper="the papers leave it open",
    )
    keep: Keep | None = choice(
        None,
        Keep,
        "which copy is the reference: `earliest`, `latest`, `longest` (in words), `first` (in the input); if not "
        "given, the earliest where there are times, otherwise the text with most copies, then most partners, then the "
        "smaller id",
        paper="the earliest: Yang & Callan 2006, 4.3",
    )

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, check_field(item, getattr(self, item.name)))
        self.complete()

    def complete(self) -> None:  # noqa: B027 - most methods have nothing to complete
        """Check settings against each other, and fill in those that depend on others."""

    @abstractmethod
    def recipe(self) -> AnyRecipe[Any]:
        """Choose the components."""

    def check_comparison(self) -> None:
        """Raise an error if the method cannot compare two collections."""
        if not self.compares_collections:
            raise SettingsError(f"method {self.name} does not compare two collections: use jaccard or minhash")

    def check_constraints(self) -> None:
        """Raise an error if the method takes no constraints."""
        if not self.takes_constraints:
            raise SettingsError(f"method {self.name} takes no constraints: they guide method durian")

    @property
    def normaliser(self) -> Normaliser:
        """How texts are read."""
        return Normaliser(self.form, self.markup, self.boilerplate)

    @property
    def whole_texts(self) -> WholeTexts:
        """The component that compares documents as a whole."""
        return WholeTexts(self.normaliser)

    def settings(self) -> dict[str, object]:
        """Return every setting with its value; one that is a file is named by its fingerprint."""
        return {item.name: record_field(item, getattr(self, item.name)) for item in fields(self)}

    def fingerprint(self) -> str:
        """Return what identifies these settings."""
        content = {"method": self.name, "tokeniser": _core.TOKENISER_VERSION, **self.settings()}
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]

    def _fill(self, values: Mapping[str, object]) -> None:
        """Set settings that follow from others."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class LexiconDetector(Detector):
    """A method that needs statistics of words: those of the collection, or of a lexicon."""

    lexicon: Lexicon | None = lexicon_file("the lexicon whose statistics replace the collection's own")

    def with_lexicon(self, lexicon: Lexicon) -> Self:
        """Return the same method with the statistics of a lexicon."""
        return replace(self, lexicon=lexicon)
