"""Weights of terms by class, frequency and length (Gong et al. 2008, equations 1 and 2).

A class of terms has an interval [a, b]. Within it a term's weight is interpolated by its frequency F(t), between the
least and the most frequent term of the class, and multiplied by its length. As printed, the most frequent term is the
heaviest (`direction` `paper`); `inverse` makes the rarest the heaviest. Frequencies are taken as they are (`scale`
`linear`) or by their logarithm (`log`), or all terms weigh the same (`equal`: equation 3). Weights are whole numbers of
ten thousandths, computed in integers, so that they are the same on every machine and degrees are exact. If all terms of
a class are equally frequent, they get the middle of its interval. A term that the background does not contain counts as
the least frequent of its class. Frequency is the number of distinct texts with the term, or of documents of a Lexicon.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup import _core
from neardup.errors import FormatError, InputError, SettingsError
from neardup.represent.lexicons import TERMS, Lexicon
from neardup.represent.representer import DistinctTexts, LexiconUnit, Representer
from neardup.stages import Hashes, Nodes, Numbers, Scores

Direction = Literal["inverse", "paper"]
Scale = Literal["linear", "log", "equal"]
Length = Literal["off", "capped", "characters"]
Order = Literal["rare", "heavy"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
SCALES: tuple[Scale, ...] = get_args(Scale)
LENGTHS: tuple[Length, ...] = get_args(Length)
ORDERS: tuple[Order, ...] = get_args(Order)

UNIT = 10_000
"""One in the weights."""
PARTS = 1_000
"""One in the intervals."""
LOG_BITS = 16
LONGEST = 4
LETTERS = 3
"""Three letters count as much as one Chinese character: they carry about as much information."""


@dataclass(frozen=True)
class ClassTable:
    """The weight interval of each class in thousandths, and words that are assigned to a class by hand."""

    intervals: tuple[tuple[str, int, int], ...]
    words: tuple[tuple[str, str], ...] = ()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> ClassTable:
        """Read a table like the package's own `classes.toml`; classes that are not in it keep their interval."""
        try:
            content = tomllib.loads(Path(path).read_text("utf-8"))
        except OSError as problem:
            raise InputError(f"cannot read the class table {path}: {problem.strerror or problem}") from None
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
            raise FormatError(f"{path} is not a TOML file: {problem}") from None
        return _build_table(content, str(path), dict(_own_weights()))

    @classmethod
    def own(cls) -> ClassTable:
        """Return the table of the package."""
        return _build_table({}, "classes.toml", dict(_own_weights()))

    @cached_property
    def fingerprint(self) -> str:
        """What identifies this table."""
        return hashlib.sha256(repr((self.intervals, self.words)).encode()).hexdigest()[:16]

    @cached_property
    def bounds(self) -> npt.NDArray[np.int64]:
        """The interval of each class, by its number."""
        known = {name: (low, high) for name, low, high in self.intervals}
        return np.array([known[name] for name in _core.TERM_CLASSES], np.int64)


@cache
def _own_weights() -> tuple[tuple[str, Any], ...]:
    content = tomllib.loads((files("neardup.represent") / "classes.toml").read_text("utf-8"))
    return tuple(content["weights"].items())


def _build_table(content: Mapping[str, Any], path: str, weights: dict[str, Any]) -> ClassTable:
    for section in content:
        if section not in ("weights", "words"):
            raise FormatError(f"{path} has a section {section!r}: it may have weights and words")
    weights |= content.get("weights", {})
    intervals = tuple((name, *_interval(path, name, bounds)) for name, bounds in sorted(weights.items()))
    words = tuple(
        (str(word), name) for name, listed in sorted(content.get("words", {}).items()) for word in sorted(listed)
    )
    for name in (*weights, *(name for _, name in words)):
        if name not in _core.TERM_CLASSES:
            raise FormatError(f"{path} names a class {name!r}; there are {', '.join(sorted(_core.TERM_CLASSES))}")
    return ClassTable(intervals, words)


def _interval(path: str, name: str, bounds: Any) -> tuple[int, int]:
    try:
        low, high = (Fraction(str(bound)) * PARTS for bound in bounds)
    except (TypeError, ValueError):
        raise FormatError(f"{path}: the weights of {name} are {bounds!r}, but must be two numbers") from None
    if not 0 < low <= high <= 100 * PARTS or low.denominator != 1 or high.denominator != 1:
        raise FormatError(
            f"{path}: the weights of {name} are {bounds!r}, but must be two numbers above 0, the smaller first, "
            "of at most three decimals"
        )
    return int(low), int(high)


@dataclass(frozen=True, slots=True)
class WeightedTerms:
    """The terms of each node with their weights."""

    nodes: Nodes
    sets: _core.WeightedSets

    def degrees(self, a: Numbers, b: Numbers, shared: Hashes | None = None) -> Scores:
        """Return the duplicate degree of pairs: the weight that they share over the weight of both."""
        totals = self.sets.totals()
        common = self.sets.shared(a, b) if shared is None else shared
        degrees: Scores = common / (totals[a] + totals[b] - common)
        return degrees


@dataclass(frozen=True)
class Weighting(Representer[WeightedTerms]):
    """How the terms of a collection are weighted, and in which order the terms of a text are sorted.

    `order` is `rare` (rare terms first, for the prefix filter) or `heavy` (heavy terms first, for fingerprints). Ties
    are sorted by hash and by spelling. Without a `lexicon`, frequencies are those of the distinct texts themselves.
    """

    classes: ClassTable = field(default_factory=ClassTable.own)
    direction: Direction = "inverse"
    scale: Scale = "linear"
    length: Length = "off"
    order: Order = "rare"
    lexicon: Lexicon | None = None

    def __post_init__(self) -> None:
        known = {"direction": DIRECTIONS, "scale": SCALES, "length": LENGTHS, "order": ORDERS}
        for name, choices in known.items():
            if getattr(self, name) not in choices:
                raise SettingsError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(choices)}")
        if self.lexicon is not None and self.lexicon.unit != TERMS:
            raise SettingsError(
                f"the lexicon counts {self.lexicon.unit}, but terms are weighted: build it with unit={TERMS!r}"
            )

    @property
    def first_pass(self) -> _core.FirstPass:
        """The terms of each text."""
        return _core.FirstPass.terms()

    @property
    def lexicon_unit(self) -> LexiconUnit:
        """Document frequencies of terms."""
        return TERMS

    @property
    def lacks_lexicon(self) -> bool:
        """Whether the frequencies are those of the collection itself."""
        return self.lexicon is None

    def represent(self, texts: DistinctTexts) -> WeightedTerms:
        """Weigh the terms that the first pass read."""
        terms = _terms(texts)
        frequencies = self.frequencies(terms, texts.documents)
        weights = self.weights(terms, frequencies)
        ranks = self._ranks(terms, frequencies, weights)
        return WeightedTerms(texts.nodes, terms.weigh(texts.documents, ranks, weights))

    def table(self, texts: DistinctTexts) -> pa.Table:
        """Return every term with its class, frequency and weight, sorted by spelling."""
        terms = _terms(texts)
        frequencies = self.frequencies(terms, texts.documents)
        offsets, content = terms.spellings()
        _, classes, _, _ = self.traits(terms)
        columns = {
            "term": pa.LargeStringArray.from_buffers(len(terms), pa.py_buffer(offsets), pa.py_buffer(content)),
            "class": pa.DictionaryArray.from_arrays(pa.array(classes), pa.array(_core.TERM_CLASSES)).cast(pa.string()),
            "frequency": frequencies,
            "weight": self.weights(terms, frequencies),
        }
        return pa.table(columns).take(pa.array(np.argsort(terms.spelling_ranks())))

    def traits(self, terms: _core.TermTable) -> tuple[Any, npt.NDArray[np.uint8], Any, Any]:
        """Return hash, class, length and script of each term; the class table overrides the class of its words."""
        hashes, classes, lengths, han = terms.traits()
        if self.classes.words:
            own, _ = _core.classify_terms([word for word, _ in self.classes.words])
            numbers = np.array([_core.TERM_CLASSES.index(name) for _, name in self.classes.words], np.uint8)
            indexes = np.minimum(np.searchsorted(hashes, own), max(len(hashes) - 1, 0))
            met = hashes[indexes] == own if len(hashes) else np.zeros(len(own), bool)
            classes[indexes[met]] = numbers[met]
        return hashes, classes, lengths, han

    def frequencies(self, terms: _core.TermTable, nodes: Numbers) -> Numbers:
        """Return the frequency of each term in the background, 0 for a term that the lexicon does not contain."""
        if self.lexicon is None:
            return terms.counts(nodes)
        hashes, *_ = terms.traits()
        by_hash = np.argsort(self.lexicon.hashes)
        known, counts = self.lexicon.hashes[by_hash], self.lexicon.document_counts[by_hash]
        if not len(known):
            return np.zeros(len(hashes), np.uint32)
        indexes = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        found: Numbers = np.where(known[indexes] == hashes, counts[indexes], 0).astype(np.uint32)
        return found

    def weights(self, terms: _core.TermTable, frequencies: Numbers) -> Numbers:
        """Return the weight of each term."""
        _, classes, lengths, han = self.traits(terms)
        if self.scale == "equal":
            return np.full(len(classes), UNIT, np.uint32)
        low, high = self.classes.bounds[classes].T
        position, width = self._positions(classes, frequencies)
        # a + (b - a) * position / width, rounded half up; the middle of the interval if the width is 0.
        position, width = np.where(width > 0, position, 1), np.where(width > 0, width, 2)
        scaled = (low * width + (high - low) * position) * (UNIT // PARTS)
        weights = np.maximum((2 * scaled + width) // (2 * width), 1)
        weighed: Numbers = (weights * self._lengths(lengths, han)).astype(np.uint32)
        return weighed

    def _positions(
        self, classes: npt.NDArray[np.uint8], frequencies: Numbers
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the position of each term between the ends of its class, and the distance between the ends."""
        least, most = self._ends(classes, frequencies)
        known = np.where(frequencies > 0, frequencies, least[classes]).astype(np.int64)
        if self.scale == "log":
            known, least, most = log2_fixed(known), log2_fixed(least), log2_fixed(most)
        width = (most - least)[classes]
        position = known - least[classes]
        return (position if self.direction == "paper" else width - position), width

    def _ends(
        self, classes: npt.NDArray[np.uint8], frequencies: Numbers
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the least and the greatest frequency in each class of the background; 1 where it has none."""
        counts = frequencies
        if self.lexicon is not None:
            classes, counts = self._lexicon_classes, self.lexicon.document_counts
        least = np.ones(len(_core.TERM_CLASSES), np.int64)
        most = least.copy()
        for number in range(len(least)):
            own = counts[classes == number]
            if len(own):
                least[number], most[number] = max(int(own.min()), 1), max(int(own.max()), 1)
        return least, most

    @cached_property
    def _lexicon_classes(self) -> npt.NDArray[np.uint8]:
        assert self.lexicon is not None
        hashes, classes = _core.classify_terms(self.lexicon.words.to_pylist())
        for word, name in self.classes.words:
            classes[hashes == _core.classify_terms([word])[0][0]] = _core.TERM_CLASSES.index(name)
        return classes

    def _lengths(self, lengths: npt.NDArray[np.uint8], han: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        characters = np.maximum(lengths.astype(np.int64), 1)
        if self.length == "off":
            return np.ones_like(characters)
        if self.length == "characters":
            return characters
        counted = np.where(han, characters, -(-characters // LETTERS))
        capped: npt.NDArray[np.int64] = np.minimum(counted, LONGEST)
        return capped

    def _ranks(self, terms: _core.TermTable, frequencies: Numbers, weights: Numbers) -> Numbers:
        """Return the rank of each term: by frequency and hash, or by weight and spelling."""
        if self.order == "rare":
            order = np.argsort(frequencies, kind="stable")
        else:
            order = np.lexsort((terms.spelling_ranks(), -weights.astype(np.int64)))
        ranks = np.empty(len(order), np.uint32)
        ranks[order] = np.arange(len(order), dtype=np.uint32)
        return ranks


def _terms(texts: DistinctTexts) -> _core.TermTable:
    terms = texts.survey.terms
    if terms is None:
        raise ValueError("the first pass over these texts did not read terms")
    return terms


def log2_fixed(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the logarithm to the base 2 of positive numbers below 2^32 in units of 2^-16, to one unit.

    In integers, so that it is the same on every machine.
    """
    values = numbers.astype(np.uint64)
    whole = np.zeros(len(values), np.uint64)
    for step in (16, 8, 4, 2, 1):
        high = (values >> whole) >= np.uint64(1) << np.uint64(step)
        whole = np.where(high, whole + np.uint64(step), whole)
    # The mantissa from 1 to below 2, with 31 fractional bits, is squared: each time it reaches 2, the bit is 1.
    mantissa = np.where(whole <= 31, values << (np.uint64(31) - whole), values >> (whole - np.uint64(31)))
    bits = np.zeros(len(values), np.uint64)
    for _ in range(LOG_BITS):
        mantissa = (mantissa * mantissa) >> np.uint64(31)
        passed = mantissa >= np.uint64(1) << np.uint64(32)
        mantissa = np.where(passed, mantissa >> np.uint64(1), mantissa)
        bits = (bits << np.uint64(1)) | passed.astype(np.uint64)
    return ((whole << np.uint64(LOG_BITS)) | bits).astype(np.int64)
