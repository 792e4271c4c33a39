"""The Lexicon: the words of a collection with the number of documents and of occurrences.

It is immutable, and the only thing that is learned from a collection. A saved lexicon carries its format version, the
version of the tokeniser and a fingerprint of its content; a mismatch is refused.

Some of its words are terms, from which signatures are made (Conrad, Guo & Schriber 2003, section 5): those that occur
in at least `min_documents` documents, consist of letters only and have at least three. A term's weight is its
normalised idf (equation 1), ln((N + 0.5) / n) / ln(N + 1). Which of a document's terms are chosen first is the
lexicon's `order`: by `idf`, as in the paper, or `quantised`. The latter has two classes, rare terms and those in more
than an eighth of the documents, and sorts by hash within each. A term that becomes slightly rarer, or is new in the
lexicon, then changes few signatures. A lexicon that follows another (`after`) leaves each known term in its class and
puts new ones last, so that the signatures of longer documents do not change at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from neardup import _core
from neardup.errors import FormatError, SettingsError
from neardup.outputs import replacing
from neardup.stages import Flags, Hashes, Numbers, Scores

LEXICON_FORMAT = "1"
WORDS: Final = "words"
TERMS: Final = "terms"
Unit = Literal["words", "terms"]
UNITS: tuple[Unit, ...] = get_args(Unit)

TermKind = Literal["alphabetic", "alphanumeric", "all"]
KINDS: dict[TermKind, str] = {"alphabetic": r"^[\p{L}\p{M}]+$", "alphanumeric": r"^[\p{L}\p{M}\p{N}]+$", "all": ""}
"""The characters that terms consist of, as regular expressions."""

TermOrder = Literal["idf", "quantised"]
ORDERS: tuple[TermOrder, ...] = get_args(TermOrder)

COMMON_SHARE = 8
"""A quantised lexicon takes terms that occur in more than this part of the documents, an eighth, last."""


@dataclass(frozen=True, slots=True)
class TermChoice:
    """Which words are terms, and how they are ordered."""

    min_documents: int = 5
    kind: TermKind = "alphabetic"
    min_letters: int = 3
    order: TermOrder = "idf"

    def __post_init__(self) -> None:
        for name, value, known in (("kind", self.kind, tuple(KINDS)), ("order", self.order, ORDERS)):
            if value not in known:
                raise SettingsError(f"{name} is {value!r}, but must be one of {', '.join(known)}")
        for name in ("min_documents", "min_letters"):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise SettingsError(f"{name} is {value!r}, but must be a whole number of 1 or more")

    def among(self, words: pa.LargeStringArray, document_counts: Numbers) -> Flags:
        """Return which words are terms."""
        chosen: Flags = document_counts >= self.min_documents
        chosen &= pc.greater_equal(pc.utf8_length(words), self.min_letters).to_numpy(zero_copy_only=False)
        if KINDS[self.kind]:
            chosen &= pc.match_substring_regex(words, KINDS[self.kind]).to_numpy(zero_copy_only=False)
        return chosen


@dataclass(frozen=True, slots=True)
class Source:
    """A collection that was counted: its name and how many documents it has."""

    name: str
    documents: int


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words in the order of their UTF-8 bytes, with the numbers of documents and of occurrences.

    With the `unit` `terms` it counts the terms of messages (numbers, links and Chinese words are one term each); a term
    counts once in each document. `standings` is given if the lexicon follows another. It encodes what a word keeps:
    0 if it is not a term, otherwise 1, plus four times the number of lexicons before the one in which it became a term,
    plus 2 if it was common then.
    """

    documents: int
    words: pa.LargeStringArray = field(repr=False)
    hashes: Hashes = field(repr=False)
    document_counts: Numbers = field(repr=False)
    occurrences: Hashes = field(repr=False)
    unit: Unit = WORDS
    choice: TermChoice = TermChoice()
    sources: tuple[Source, ...] = ()
    standings: Numbers | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError(f"unit is {self.unit!r}, but must be one of {', '.join(UNITS)}")

    @classmethod
    def count(cls, texts: _core.Texts, chosen: Numbers, unit: Unit = WORDS) -> Self:
        """Count the words or the terms of the chosen documents."""
        if unit == TERMS:
            return cls._count_terms(texts, chosen)
        (offsets, content), hashes, documents, occurrences = texts.vocabulary(chosen)
        words = pa.LargeStringArray.from_buffers(len(hashes), pa.py_buffer(offsets), pa.py_buffer(content))
        return cls(len(chosen), words, hashes, documents, occurrences)

    @classmethod
    def _count_terms(cls, texts: _core.Texts, chosen: Numbers) -> Self:
        terms = texts.survey(np.arange(len(texts), dtype=np.uint32), None, _core.FirstPass.terms()).terms
        assert terms is not None
        counts = terms.counts(chosen)
        order = np.argsort(terms.spelling_ranks())
        order = order[counts[order] > 0]
        offsets, content = terms.spellings()
        words = pa.LargeStringArray.from_buffers(len(terms), pa.py_buffer(offsets), pa.py_buffer(content))
        hashes, counts = terms.traits()[0][order], counts[order]
        return cls(len(chosen), words.take(pa.array(order)), hashes, counts, counts.astype(np.uint64), TERMS)

    @classmethod
    def merge(cls, lexicons: Sequence[Lexicon]) -> Self:
        """Merge the lexicons of several collections: the counts of each word are added up."""
        parts = [
            pa.table({"word": each.words, "hash": each.hashes, "d": each.document_counts, "o": each.occurrences})
            for each in lexicons
        ]
        sums = pa.concat_tables(parts).group_by(["word", "hash"]).aggregate([("d", "sum"), ("o", "sum")])
        sums = sums.take(pc.sort_indices(sums["word"].cast(pa.large_binary())))
        return cls(
            sum(each.documents for each in lexicons),
            sums["word"].combine_chunks().cast(pa.large_string()),
            sums["hash"].to_numpy(),
            sums["d_sum"].to_numpy().astype(np.uint32),
            sums["o_sum"].to_numpy().astype(np.uint64),
            lexicons[0].unit,
            lexicons[0].choice,
            tuple(source for each in lexicons for source in each.sources),
        )

    def choose(self, choice: TermChoice) -> Self:
        """Return this lexicon with another choice of terms or another order."""
        if self.standings is not None and choice != self.choice:
            raise SettingsError("the terms of a lexicon that follows another are fixed: choose them before it follows")
        return replace(self, choice=choice)

    def alone(self) -> Self:
        """Return the same counts as a lexicon that follows no other."""
        return self if self.standings is None else replace(self, standings=None)

    def __len__(self) -> int:
        return len(self.hashes)

    def __getstate__(self) -> dict[str, Any]:
        # Cached tables are derived from the counts again after unpickling: the native one cannot be pickled.
        return {name: self.__dict__[name] for name in self.__dataclass_fields__}

    @cached_property
    def fingerprint(self) -> str:
        """What identifies this lexicon."""
        choice = json.dumps([getattr(self.choice, name) for name in TermChoice.__slots__])
        digest = hashlib.sha256(f"{LEXICON_FORMAT} {_core.TOKENISER_VERSION} {self.documents} {choice}".encode())
        if self.unit != WORDS:
            digest.update(self.unit.encode())
        for column in (self.hashes, self.document_counts, self.occurrences, self.standings):
            if column is not None:
                digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()[:16]

    @property
    def salt(self) -> int:
        """A number that keeps keys made with different lexicons apart."""
        return int(self.fingerprint, 16)

    @cached_property
    def terms(self) -> npt.NDArray[np.int64]:
        """The indexes of the terms among the words, in the order in which they are chosen."""
        standings = self._standings()
        indexes = np.flatnonzero(standings)
        if self.choice.order == "idf":
            return indexes[np.argsort(self.document_counts[indexes], kind="stable")]
        standings = standings[indexes]
        return indexes[np.lexsort((scramble(self.hashes[indexes]), standings >> 2, standings & 2))]

    def _standings(self) -> Numbers:
        """Return the standing of each word as described above, also for a lexicon that follows no other."""
        if self.standings is not None:
            return self.standings
        common = self.document_counts.astype(np.uint64) * np.uint64(COMMON_SHARE) > self.documents
        return np.where(self.choice.among(self.words, self.document_counts), 1 + 2 * common, 0).astype(np.uint32)

    def after(self, other: Lexicon) -> Self:
        """Return this lexicon as the successor of another: the other's terms stay terms and keep their order.

        Words that only the other has are kept with a count of 0.
        """
        if self.choice.order != "quantised" or self.choice != other.choice:
            raise SettingsError(
                f"a lexicon follows another of the same choice, and both are quantised: {self.choice}, {other.choice}"
            )
        nothing = replace(other, document_counts=other.document_counts * 0, occurrences=other.occurrences * 0)
        both = type(self).merge([self, replace(nothing, documents=0, sources=())])
        own, old = both._standings(), other._standings()
        generation = 1 + int(old.max(initial=0) >> 2)
        by_hash = np.argsort(both.hashes)
        known = np.zeros(len(both), np.uint32)
        known[by_hash[np.searchsorted(both.hashes[by_hash], other.hashes)]] = old
        standings = np.where(known > 0, known, np.where(own > 0, own + 4 * generation, 0))
        return replace(both, standings=standings.astype(np.uint32))

    def list_terms(self, most: int | None = None) -> list[str]:
        """Return the terms in the order in which they are chosen, all or the first `most`."""
        chosen: list[str] = self.words.take(pa.array(self.terms[:most])).to_pylist()
        return chosen

    @cached_property
    def idf(self) -> Scores:
        """The normalised idf of each word."""
        counts = np.maximum(self.document_counts, 1)
        weights: Scores = np.log((self.documents + 0.5) / counts) / np.log(self.documents + 1.0)
        return weights

    def table(self, max_idf: float) -> _core.RankTable:
        """Return the terms with their ranks as `_core` takes them; keys are made of terms up to `max_idf`."""
        tables = self.__dict__.setdefault("_tables", {})
        if max_idf not in tables:
            ranks = np.empty(len(self.terms), np.uint32)
            rarest_first = np.lexsort((self.terms, self.document_counts[self.terms]))
            ranks[rarest_first] = np.arange(len(ranks), dtype=np.uint32)
            keyed = self.idf[self.terms] <= max_idf
            others = np.delete(np.arange(len(self)), self.terms)
            tables[max_idf] = _core.RankTable.from_arrays(
                self.hashes[self.terms], ranks, keyed, self.hashes[others], self._classes(others)
            )
        found: _core.RankTable = tables[max_idf]
        return found

    def _classes(self, indexes: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return how common words are, by factors of four, from 0 to 7 (a quarter of the documents or more)."""
        counts = np.maximum(self.document_counts[indexes], 1).astype(np.uint64)
        found = np.zeros(len(indexes), np.uint8)
        for step in range(1, 8):
            found += counts << np.uint64(2 * step) >= np.uint64(self.documents)
        return found

    def ranks(self) -> tuple[Hashes, Numbers]:
        """Return the word hashes, ascending, and the rank of each word by document count, then bytes."""
        ranks = np.empty(len(self), np.uint32)
        ranks[np.argsort(self.document_counts, kind="stable")] = np.arange(len(self), dtype=np.uint32)
        by_hash = np.argsort(self.hashes)
        return self.hashes[by_hash], ranks[by_hash]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the lexicon to a Parquet file, atomically."""
        target = Path(path)
        columns = {
            "word": self.words,
            "hash": self.hashes,
            "documents": self.document_counts,
            "occurrences": self.occurrences,
        }
        if self.standings is not None:
            columns["standing"] = self.standings
        facts = {
            "neardup_lexicon": LEXICON_FORMAT,
            "tokeniser": _core.TOKENISER_VERSION,
            "documents": str(self.documents),
            "choice": json.dumps({name: getattr(self.choice, name) for name in TermChoice.__slots__}),
            "sources": json.dumps([[source.name, source.documents] for source in self.sources]),
            "fingerprint": self.fingerprint,
            "unit": self.unit,
        }
        with replacing(target, "the lexicon to") as made:
            pq.write_table(pa.table(columns).replace_schema_metadata(facts), made, compression="zstd")
        return target

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Open a saved lexicon; one of another format, tokeniser or with changed content is refused."""
        table = load_table(path)
        facts = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
        _check_facts(path, facts)
        made = cls(
            int(facts["documents"]),
            table["word"].cast(pa.large_string()).combine_chunks(),
            table["hash"].to_numpy(),
            table["documents"].to_numpy(),
            table["occurrences"].to_numpy(),
            facts.get("unit", WORDS),
            choice=TermChoice(**json.loads(facts.get("choice", "{}"))),
            sources=tuple(Source(*source) for source in json.loads(facts.get("sources", "[]"))),
            standings=table["standing"].to_numpy() if "standing" in table.column_names else None,
        )
        if made.fingerprint != facts.get("fingerprint"):
            raise FormatError(
                f"{path} has fingerprint {facts.get('fingerprint')}, but its content has {made.fingerprint}"
            )
        return made


def load_table(path: str | os.PathLike[str]) -> pa.Table:
    """Read the file of a lexicon."""
    try:
        return pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as problem:
        raise FormatError(f"{path} cannot be read as a lexicon: {problem}") from None


def scramble(hashes: Hashes) -> Hashes:
    """Mix hashes, so that the order of the terms of a class differs from any order that is used elsewhere."""
    mixed = hashes ^ (hashes >> np.uint64(33))
    with np.errstate(over="ignore"):
        mixed = mixed * np.uint64(0xFF51AFD7ED558CCD)
    found: Hashes = mixed ^ (mixed >> np.uint64(33))
    return found


def _check_facts(path: Any, facts: dict[str, str]) -> None:
    wanted = {"neardup_lexicon": LEXICON_FORMAT, "tokeniser": _core.TOKENISER_VERSION}
    for name, value in wanted.items():
        if facts.get(name) != value:
            raise FormatError(
                f"{path} has {name} {facts.get(name)}, this version reads {value}: build the lexicon again"
            )
