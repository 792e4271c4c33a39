"""The parts of the package that the experiments of Conrad et al. 2003 use beyond `neardup.find`.

Only this module knows how texts are opened, signed and compared inside the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from neardup import _core, api
from neardup.evaluate.contingency import Integers
from neardup.normalise import BodyReader, Normaliser
from neardup.records import Documents
from neardup.represent import (
    TermChoice,
    TermKind,
    TermRule,
    TermSignatureRepresenter,
    measure_stability,
    pair_orders,
)

if TYPE_CHECKING:
    from neardup.reproduce.tables import Row

KEY_BYTES = 20


@dataclass(frozen=True, slots=True)
class Signatures:
    """The signature terms of each document, those of document i from `offsets[i]` to `offsets[i + 1]`, and its key."""

    offsets: npt.NDArray[np.uint64]
    terms: npt.NDArray[np.uint32]
    keys: list[bytes]


def sign_documents(documents: Documents, lexicon: api.Lexicon, bins: int | None = None) -> Signatures:
    """Return the signatures of documents; `bins` is the size of the bins of offsets in their keys."""
    signer = TermSignatureRepresenter() if bins is None else TermSignatureRepresenter(bins=bins)
    offsets, terms, _, keys = _sign(signer, documents, lexicon).arrays()[:4]
    return Signatures(offsets, terms, [bytes(key) for key in keys.reshape(-1, KEY_BYTES)])


def count_effort(documents: Documents, days: list[int], lexicon: api.Lexicon, terms: int, window: int) -> Integers:
    """Return the eight counts of section 7.3 for all pairs of documents.

    They are: pairs, pairs within the window of days, pairs of similar length, compared pairs, terms compared until a
    pair was ruled out, until it was certain, and without stopping early, and duplicates.
    """
    signatures = _sign(TermSignatureRepresenter(terms), documents, lexicon)
    one_each = np.arange(len(documents) + 1, dtype=np.uint64)
    rule = TermRule(days=window, numerals=False)
    return np.array(signatures.effort((one_each, np.array(days, np.int32)), rule.arguments), np.int64)


def _sign(signer: TermSignatureRepresenter, documents: Documents, lexicon: api.Lexicon) -> _core.Signatures:
    return signer.sign(_open_bodies(documents), np.arange(len(documents), dtype=np.uint32), lexicon)


def _open_bodies(documents: Documents) -> _core.Texts:
    return BodyReader().open(Normaliser().open(documents))


def quantise(lexicon: api.Lexicon) -> api.Lexicon:
    """Return a lexicon that orders terms by two classes of rarity and their hashes."""
    return lexicon.choose(TermChoice(order="quantised"))


def correlate_ranks(earlier: api.Lexicon, later: api.Lexicon, kind: TermKind) -> tuple[int, float | None]:
    """Return how many terms of a kind both lexicons have, and Spearman's coefficient of their ranks."""
    choice = TermChoice(kind=kind)
    comparison = earlier.choose(choice).compare(later.choose(choice))
    return comparison.common, comparison.spearman


def measure_signature_changes(texts: list[str], earlier: api.Lexicon, later: api.Lexicon) -> Iterator[Row]:
    """Yield by order of terms and length of signature which share of the signatures differs between two lexicons."""
    for order, pair in pair_orders(earlier, later).items():
        for row in measure_stability(_open_bodies(Documents(texts)), *pair).rows():
            yield {"order": order, **row}


def list_bodies(texts: list[str]) -> list[str]:
    """Return texts without their titles and header lines."""
    opened = Normaliser(markup="plain").open(Documents(texts))
    starts = _core.find_bodies(opened)[1]
    return [opened.prepared(index).encode()[int(start) :].decode() for index, start in enumerate(starts)]
