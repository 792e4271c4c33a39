"""The reference implementation of an index: documents in a dictionary; all else is computed from scratch."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from reference import runs
from reference.examples import run
from reference.runs import Record
from reference.tokens import read_words as read_words_slowly

ASKED = "\U0010ffff"
"""The id of a query text: after all other ids."""

REMEMBERED = 200_000

read_words = cache(read_words_slowly)
BATCH_RUNS: dict[Any, tuple[str, ...]] = {}
"""What batch runs found. A play asks for many of them again, and so does the same play on another database."""


@dataclass
class PlainIndex:
    """Records by id in the order of their first arrival. Only cluster numbers are kept between changes."""

    method: str
    settings: dict[str, Any]
    records: dict[str, Record] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    ages: dict[Any, int] = field(default_factory=dict)
    next_number: int = 1
    next_age: int = 1
    lexicon: Any = None
    references: dict[str, str] = field(default_factory=dict)
    pairs: dict[tuple[str, str], float] = field(default_factory=dict)
    measured: dict[tuple[str, str], tuple[float, bool]] = field(default_factory=dict)

    def change(self, arrived: Sequence[Record], removed: Iterable[str] = ()) -> None:
        """Remove and add records, then number the clusters."""
        for name in removed:
            del self.records[name]
        for record in arrived:
            self.records[record.id] = record
        before = dict(self.numbers)
        self._age(arrived)
        self.references = self._group()
        self._name(before)

    def _identity(self, record: Record) -> Any:
        words = tuple(read_words(record.text, "nfc"))
        return words or ("", record.id)

    def _age(self, arrived: Sequence[Record]) -> None:
        """Number distinct texts as they arrive, in the order in which they lead; texts without words come last."""
        alive = {self._identity(record) for record in self.records.values()}
        self.ages = {text: age for text, age in self.ages.items() if text in alive}
        for record in arrived:
            if not read_words(record.text, "nfc"):
                self.ages.pop(self._identity(record), None)
        keep = self.settings.get("keep")
        order = list(self.records)

        def sort_key(record: Record) -> Any:
            longest = -len(read_words(record.text, "nfc")) if keep == "longest" else 0
            wordless = not read_words(record.text, "nfc")
            rank = (0,) if wordless else (longest, *runs.rank_key(record, order.index(record.id), keep))
            return (wordless, *rank)

        for record in sorted(arrived, key=sort_key):
            if self.records.get(record.id) == record and self._identity(record) not in self.ages:
                self.ages[self._identity(record)] = self.next_age
                self.next_age += 1

    def chosen(self) -> dict[str, Any]:
        """Return the settings with the lexicon that the index has learned."""
        return {**self.settings, **({} if self.lexicon is None else {"lexicon": self.lexicon})}

    def _group(self) -> dict[str, str]:
        """Return the reference of each record: by definition for simple methods, else by a batch run."""
        records = list(self.records.values())
        if self._defined():
            found = self._run_slowly(records)
            return dict(zip(self.records, found, strict=True))
        return dict(zip(self.records, self._run_batch(records), strict=True))

    def _run_batch(self, records: Sequence[Record]) -> tuple[str, ...]:
        """Return the reference of each record by a batch run."""
        fingerprint = None if self.lexicon is None else self.lexicon.fingerprint
        key = (self.method, str(self.settings), fingerprint, *records)
        if len(BATCH_RUNS) > REMEMBERED:
            BATCH_RUNS.clear()
        if key not in BATCH_RUNS:
            result = run(self.method, records, threads=1, **self.chosen())
            BATCH_RUNS[key] = tuple(result.documents["cluster"].to_pylist())
        return BATCH_RUNS[key]

    def _defined(self) -> bool:
        return self.method in ("jaccard", "exact") and self.settings.get("unit", "word") == "word"

    def _run_slowly(self, records: Sequence[Record]) -> list[str]:
        chosen = {**runs.COMMON, **runs.DEFAULTS[self.method], **self.settings}
        words = [read_words(record.text, "nfc") for record in records]
        ranked = sorted(range(len(records)), key=lambda at: runs.rank_key(records[at], at, chosen["keep"]))
        copies = runs.collapse(words, ranked, joined=False)
        nodes = list(copies)
        if chosen["keep"] == "longest":
            nodes.sort(key=lambda node: -len(words[node]))
        texts = [records[node].text for node in nodes]
        links = runs.link_all(lambda a, b: self._measure(texts[a], texts[b], chosen), len(nodes))
        order = runs.lead(links, [len(copies[node]) for node in nodes], chosen["keep"], records)
        leaders = runs.follow(chosen["linkage"], order, links)
        node_of = {at: node for node, first in enumerate(nodes) for at in copies[first]}
        return [
            records[nodes[leaders[node_of[at]]]].id if at in node_of else records[at].id for at in range(len(records))
        ]

    def _measure(self, a: str, b: str, chosen: dict[str, Any]) -> tuple[float, bool]:
        if len(self.measured) > REMEMBERED:
            self.measured.clear()
        if (a, b) not in self.measured:
            words = [read_words(text, "nfc") for text in (a, b)]
            self.measured[a, b] = self.measured[b, a] = runs.MEASURES[self.method]([a, b], words, chosen)(0, 1)
        return self.measured[a, b]

    def _name(self, before: dict[str, int]) -> None:
        """Number clusters. A number goes to the part with most of its records; of several the lowest stays."""
        clusters: dict[str, list[str]] = {}
        for name, reference in self.references.items():
            clusters.setdefault(reference, []).append(name)
        age = {reference: self.ages[self._identity(self.records[reference])] for reference in clusters}
        claims: dict[str, list[int]] = {}
        for number in sorted(set(before.values())):
            parts = Counter(self.references[name] for name in before if before[name] == number and name in self.records)
            if parts:
                best = min(parts, key=lambda reference: (-parts[reference], age[reference]))
                claims.setdefault(best, []).append(number)
        self.numbers = {}
        for reference in sorted(clusters, key=lambda reference: age[reference]):
            if reference in claims:
                number = min(claims[reference])
            else:
                number, self.next_number = self.next_number, self.next_number + 1
            self.numbers.update(dict.fromkeys(clusters[reference], number))

    def like(self, query: Record, *, itself: bool) -> dict[str, float | None]:
        """Return the records linked to one, with their similarity where the definition gives it."""
        same: dict[Any, list[Record]] = {}
        for record in self.records.values():
            same.setdefault(self._identity(record), []).append(record)
        found: dict[str, float | None] = {}
        if not read_words(query.text, "nfc"):
            return found
        own = same.pop(self._identity(query), [])
        found.update({record.id: 1.0 for record in own if record.id != query.id})
        query_copies = own if itself else [query]
        for words, copies in same.items():
            if words[0] == "":
                continue
            similarity = self._linked(query_copies, copies)
            if similarity is not False:
                found.update(dict.fromkeys([record.id for record in copies], similarity))
        return found

    def _linked(self, own: list[Record], copies: list[Record]) -> float | bool | None:
        if self._defined():
            chosen = {**runs.COMMON, **runs.DEFAULTS[self.method], **self.settings}
            similarity, passed = self._measure(own[0].text, copies[0].text, chosen)
            return similarity if passed else False
        linked = len(set(self._run_batch([*own, *copies]))) == 1
        return None if linked else False
