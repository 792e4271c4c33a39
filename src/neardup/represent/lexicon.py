"""The Lexicon: which words a collection has, in how many documents, how often; frozen, saved and fingerprinted.

It is the only thing that is learned from a collection. A stored one carries its format version, the version of the
tokeniser and a fingerprint of its content; a mismatch is refused.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from neardup import _core
from neardup.errors import FormatError, OutputError, SettingsError
from neardup.stages import Corpus, Numbers

LEXICON_FORMAT = "1"
WORDS, TERMS = "words", "terms"
UNITS = (WORDS, TERMS)


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Words in the order of their UTF-8 bytes, with the numbers of documents and of occurrences.

    With the `unit` `terms` it counts what a message is made of (numbers, links and Chinese words being one term each);
    a term counts once in each document.
    """

    documents: int
    words: pa.LargeStringArray = field(repr=False)
    hashes: npt.NDArray[np.uint64] = field(repr=False)
    document_counts: Numbers = field(repr=False)
    occurrences: npt.NDArray[np.uint64] = field(repr=False)
    unit: str = WORDS

    def __post_init__(self) -> None:
        if self.unit not in UNITS:
            raise SettingsError(f"unit is {self.unit!r}, but must be one of {', '.join(UNITS)}")

    @classmethod
    def count(cls, texts: _core.Texts, chosen: Numbers, unit: str = WORDS) -> Self:
        """Count the words or the terms of the chosen documents."""
        if unit == TERMS:
            return cls._count_terms(texts, chosen)
        (offsets, content), hashes, documents, occurrences = texts.vocabulary(chosen)
        words = pa.LargeStringArray.from_buffers(len(hashes), pa.py_buffer(offsets), pa.py_buffer(content))
        return cls(len(chosen), words, hashes, documents, occurrences)

    @classmethod
    def _count_terms(cls, texts: _core.Texts, chosen: Numbers) -> Self:
        terms = texts.survey(np.arange(len(texts), dtype=np.uint32), None, ("terms",)).terms
        assert terms is not None
        counts = terms.counts(chosen)
        order = np.argsort(terms.spelling_ranks())
        order = order[counts[order] > 0]
        offsets, content = terms.spellings()
        words = pa.LargeStringArray.from_buffers(len(terms), pa.py_buffer(offsets), pa.py_buffer(content))
        hashes, counts = terms.traits()[0][order], counts[order]
        return cls(len(chosen), words.take(pa.array(order)), hashes, counts, counts.astype(np.uint64), TERMS)

    def __len__(self) -> int:
        return len(self.hashes)

    @cached_property
    def fingerprint(self) -> str:
        """What tells this lexicon from any other."""
        digest = hashlib.sha256(f"{LEXICON_FORMAT} {_core.TOKENISER_VERSION} {self.documents}".encode())
        if self.unit != WORDS:
            digest.update(self.unit.encode())
        for column in (self.hashes, self.document_counts, self.occurrences):
            digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()[:16]

    def ranks(self, corpus: Corpus) -> tuple[npt.NDArray[np.uint64], Numbers]:
        """Return the word hashes, ascending, and the rank of each word by document count, then bytes."""
        ranks = np.empty(len(self), np.uint32)
        ranks[np.argsort(self.document_counts, kind="stable")] = np.arange(len(self), dtype=np.uint32)
        by_hash = np.argsort(self.hashes)
        return self.hashes[by_hash], ranks[by_hash]

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the lexicon to a Parquet file, all or nothing."""
        target = Path(path)
        columns = {
            "word": self.words,
            "hash": self.hashes,
            "documents": self.document_counts,
            "occurrences": self.occurrences,
        }
        facts = {
            "neardup_lexicon": LEXICON_FORMAT,
            "tokeniser": _core.TOKENISER_VERSION,
            "documents": str(self.documents),
            "fingerprint": self.fingerprint,
            "unit": self.unit,
        }
        unfinished = target.with_name(target.name + ".part")
        try:
            pq.write_table(pa.table(columns).replace_schema_metadata(facts), unfinished, compression="zstd")
            unfinished.replace(target)
        except OSError as problem:
            unfinished.unlink(missing_ok=True)
            raise OutputError(f"cannot write the lexicon to {target}: {problem.strerror or problem}") from None
        return target

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Open a saved lexicon; one of another format, tokeniser or with changed content is refused."""
        try:
            table = pq.read_table(path)
        except (OSError, pa.ArrowInvalid) as problem:
            raise FormatError(f"{path} cannot be read as a lexicon: {problem}") from None
        facts = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
        _check_facts(path, facts)
        hashes, documents, occurrences = (table[name].to_numpy() for name in ("hash", "documents", "occurrences"))
        words = table["word"].cast(pa.large_string()).combine_chunks()
        unit = facts.get("unit", WORDS)
        made = cls(int(facts["documents"]), words, hashes, documents, occurrences, unit)
        if made.fingerprint != facts.get("fingerprint"):
            raise FormatError(f"{path} says fingerprint {facts.get('fingerprint')}, its content has {made.fingerprint}")
        return made


def _check_facts(path: Any, facts: dict[str, str]) -> None:
    wanted = {"neardup_lexicon": LEXICON_FORMAT, "tokeniser": _core.TOKENISER_VERSION}
    for name, value in wanted.items():
        if facts.get(name) != value:
            raise FormatError(
                f"{path} has {name} {facts.get(name)}, this version reads {value}: build the lexicon again"
            )


@dataclass(frozen=True, slots=True)
class OwnTerms:
    """The vocabulary of the corpus itself."""

    def ranks(self, corpus: Corpus) -> tuple[npt.NDArray[np.uint64], Numbers]:
        """Count the words of the corpus and rank them."""
        return Lexicon.count(corpus.texts, corpus.nodes).ranks(corpus)
