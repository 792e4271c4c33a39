"""Split letters into parts, and find the docket numbers that they cite and the organisation that relayed them.

Yang & Callan 2006, section 4.1. Only the main text is compared. Salutation, signature, address, footer and quoted mail
remain in the original and are left out of the comparison.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.errors import InputError, SettingsError
from neardup.records import Documents
from neardup.stages import Counts, Flags, Numbers

SEPARATOR = "\x1f"
"""Separates the docket numbers of a letter."""
MAIN = 0
"""The number of the kind of part that is compared."""


@dataclass(frozen=True, slots=True)
class DocketSets:
    """The sets of docket numbers that occur in a collection; the first is empty."""

    sets: tuple[frozenset[str], ...]

    def exclude(self, a: int, b: int) -> bool:
        """Whether two sets are known and have no number in common, compared within their kinds."""
        first, second = self.sets[a], self.sets[b]
        same_kind = {_kind(number) for number in first} & {_kind(number) for number in second}
        return bool(same_kind) and first.isdisjoint(second)

    def exclude_each(self, a: Numbers, b: Numbers) -> Flags:
        """Whether the two sets of each pair exclude each other."""
        if not len(a):
            return np.zeros(0, bool)
        keys, inverse = np.unique(a.astype(np.int64) * len(self.sets) + b, return_inverse=True)
        apart = [self.exclude(*divmod(int(key), len(self.sets))) for key in keys]
        return np.array(apart, bool)[inverse]

    def name(self, docket: int) -> str:
        """Return a set of docket numbers as text."""
        return ", ".join(sorted(self.sets[docket])) or "none"


@dataclass(frozen=True, eq=False)
class LetterFeatures:
    """What was read off the letters of a collection, by document.

    `texts` are the main texts. `dockets` is the index of each letter's set of docket numbers in `docket_sets`, 0 for
    none. `families` numbers the letters that came the same way (relayer, docket numbers, footer), 0 where that is not
    known. `sizes` are bytes. `worded` are the letters with words outside their main text.
    """

    texts: _core.Texts
    dockets: Numbers
    docket_sets: DocketSets
    families: Numbers
    sizes: Counts
    worded: Flags


@dataclass(frozen=True, slots=True)
class LetterReader:
    """Splits letters into parts; patterns and aliases of docket numbers add to the built-in ones."""

    patterns: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()

    @property
    def fingerprint(self) -> str:
        """Return a digest that identifies these rules."""
        return hashlib.sha256(repr((self.patterns, self.aliases)).encode()).hexdigest()[:16]

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read patterns (a list of regular expressions) and aliases (a table) from a TOML file."""
        try:
            content = tomllib.loads(Path(path).read_text("utf-8"))
        except (OSError, ValueError) as problem:
            raise InputError(f"cannot read rules for docket numbers from {path}: {problem}") from None
        patterns, aliases = content.get("patterns", []), content.get("aliases", {})
        if set(content) - {"patterns", "aliases"} or not isinstance(patterns, list) or not isinstance(aliases, dict):
            raise InputError(f"{path} may contain only patterns = [...] and a table [aliases]")
        return cls(tuple(map(str, patterns)), tuple((str(name), str(target)) for name, target in aliases.items()))

    def rules(self, texts: _core.Texts) -> _core.LetterRules:
        """Learn the footers of a collection, and combine them with the rules for docket numbers."""
        try:
            return _core.LetterRules.learn(texts, list(self.patterns), list(self.aliases))
        except ValueError as problem:
            raise SettingsError(str(problem)) from None

    def read(self, texts: _core.Texts, documents: Documents, *, every_number: bool = False) -> LetterFeatures:
        """Split the letters of a collection and return their features.

        With `every_number` a letter is about each docket whose number it cites, otherwise about those that
        `topic_dockets` chooses.
        """
        rules = self.rules(texts)
        (offsets, kinds, starts, ends), numbers, relayers, footers, worded = rules.open(texts)
        main = kinds == MAIN
        before = np.concatenate([[0], np.cumsum(main)]).astype(np.uint64)
        restricted = texts.restricted(before[offsets], starts[main], ends[main])
        known = (
            known_dockets(numbers[0], documents, rules) if every_number else topic_dockets(numbers, documents, rules)
        )
        dockets, docket_sets = _number_dockets(known)
        families = _number_families(_known_relayers(relayers, documents), dockets, footers)
        last = np.append(ends, 0)[offsets[1:].astype(np.int64) - 1]
        sizes = np.where(offsets[1:] > offsets[:-1], last, 0).astype(np.int64)
        return LetterFeatures(restricted, dockets, DocketSets(docket_sets), families, sizes, worded)


def _kind(number: str) -> str:
    """Return the kind of a number: docket, regulation identifier (RIN) or Federal Register number (FRL)."""
    return number[:3] if number.startswith(("RIN ", "FRL-")) else "docket"


def known_dockets(cited: list[str], documents: Documents, rules: _core.LetterRules) -> pa.Array:
    """Return the docket numbers that each text cites; if it cites none, the number in its column."""
    given = _given_dockets(documents, rules)
    if given is None:
        return pa.array(cited, pa.string())
    respelled = _respell_each(cited, given)
    return pc.if_else(pc.equal(respelled, ""), given, respelled)


def topic_dockets(
    numbers: tuple[list[str], list[str], list[str]], documents: Documents, rules: _core.LetterRules
) -> pa.Array:
    """Return the numbers of the dockets that each letter is about.

    `numbers` are those that a letter cites, those of the dockets that it says it is about, and those in shared text. A
    letter that names the docket of its column is about that docket; one that says it is about others is not.
    """
    given = _given_dockets(documents, rules)
    if given is None:
        return _join_each(numbers[1], numbers[2])
    cited, about, shared = (_respell_each(each, given) for each in numbers)
    joined = pc.binary_join_element_wise(given, cited, about, shared, "\x1e").dictionary_encode()
    chosen = [_choose_topic(*combination.rsplit("\x1e", 3)) for combination in joined.dictionary.to_pylist()]
    return pa.array(chosen, pa.string()).take(joined.indices)


def _choose_topic(given: str, cited: str, about: str, shared: str) -> str:
    named, topics = set(cited.split(SEPARATOR)), set(filter(None, about.split(SEPARATOR)))
    if given and (given in named or not topics):
        topics |= {given, *filter(None, shared.split(SEPARATOR))}
    return SEPARATOR.join(sorted(topics or set(filter(None, shared.split(SEPARATOR)))))


def _given_dockets(documents: Documents, rules: _core.LetterRules) -> pa.Array | None:
    """Return the docket numbers of the column in their canonical spelling, empty where there is none."""
    if documents.attributes is None or "docket" not in documents.attributes.column_names:
        return None
    column = documents.attributes["docket"].combine_chunks().cast(pa.string()).dictionary_encode()
    spelled = pa.array(rules.spell([name or "" for name in column.dictionary.to_pylist()]), pa.string())
    return pc.fill_null(spelled.take(column.indices), "")


def _respell_each(cited: list[str], given: pa.Array) -> pa.Array:
    coded = pa.array(cited, pa.string()).dictionary_encode()
    spelled = pa.array(_respell(coded.dictionary.to_pylist(), pc.unique(given).to_pylist()), pa.string())
    return spelled.take(coded.indices)


def _join_each(first: list[str], second: list[str]) -> pa.Array:
    joined = (
        SEPARATOR.join(sorted({*one.split(SEPARATOR), *two.split(SEPARATOR)} - {""}))
        for one, two in zip(first, second, strict=True)
    )
    return pa.array(joined, pa.string())


def _respell(cited: list[str], dockets: list[str]) -> list[str]:
    """Replace a number cited without its agency, or with another, by the one docket with its year and serial."""
    by_serial: dict[str, set[str]] = {}
    for docket in dockets:
        by_serial.setdefault(_serial(docket), set()).add(docket)

    def name(number: str) -> str:
        meant = by_serial.get(_serial(number), set())
        return next(iter(meant)) if len(meant) == 1 and number not in dockets and _serial(number) else number

    return [SEPARATOR.join(sorted({name(number) for number in numbers.split(SEPARATOR)})) for numbers in cited]


def _serial(number: str) -> str:
    """Return the year and serial of a docket number; empty for a number of another form."""
    parts = number.split("-")[-2:]
    return "-".join(parts) if len(parts) == 2 and all(part.isdigit() for part in parts) else ""


def _known_relayers(relayers: list[str], documents: Documents) -> pa.Array:
    found = pa.array(relayers, pa.string())
    if documents.attributes is None or "relayer" not in documents.attributes.column_names:
        return found
    given = pc.fill_null(documents.attributes["relayer"].combine_chunks().cast(pa.string()), "")
    return pc.if_else(pc.equal(given, ""), found, pc.utf8_lower(given))


def _number_dockets(cited: pa.Array) -> tuple[Numbers, tuple[frozenset[str], ...]]:
    """Number the sets of docket numbers in the order of their names; the empty set is 0."""
    coded = cited.dictionary_encode()
    names = coded.dictionary.to_pylist()
    order = sorted(set(names) | {""})
    numbers = np.array([order.index(name) for name in names], np.uint32)
    sets = tuple(frozenset(filter(None, name.split(SEPARATOR))) for name in order)
    return numbers[coded.indices.to_numpy(zero_copy_only=False)], sets


def _number_families(relayers: pa.Array, dockets: Numbers, footers: npt.NDArray[np.uint64]) -> Numbers:
    """Number the combinations of relayer, docket numbers and footer; 0 if relayer or footer is unknown."""
    coded = relayers.dictionary_encode()
    known = pc.not_equal(relayers, "").to_numpy(zero_copy_only=False) & (footers > 0)
    rows = np.stack(
        [coded.indices.to_numpy(zero_copy_only=False).astype(np.uint64), dockets.astype(np.uint64), footers]
    )
    _, numbers = np.unique(rows, axis=1, return_inverse=True)
    return np.where(known, numbers.reshape(-1) + 1, 0).astype(np.uint32)
