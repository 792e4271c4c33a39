"""Detection of planted duplicate sets, in the whole collection and in result lists.

Conrad, Guo & Schriber 2003, sections 6.1 and 7: Tables 6 to 8, the bins of keys, and the comparisons that dates,
lengths and early termination spare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from neardup import api
from neardup.evaluate.contingency import Integers
from neardup.normalise import BodyReader, Normaliser
from neardup.records import Documents
from neardup.represent import TermChoice, TermSigner
from neardup.reproduce.conrad import published
from neardup.reproduce.conrad.newswire import CATEGORIES, Item, Story
from neardup.reproduce.docket.chance import Chance
from neardup.stages import TermRule

LONG_RESULTS = 500
LONG_LISTS = 10

Settings = Mapping[str, Any]
SETTINGS: tuple[Settings, ...] = tuple({"terms": terms, "days": days} for terms, days in product((60, 30), (42, 84)))
VARIANTS: tuple[Settings, ...] = ({"numeric_guard": False}, {"short": "pad_constant"}, {"lexicon": "quantised"})

Row = dict[str, Any]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Planted:
    """The stories with their planted sets, and the lexicon of all of them."""

    items: Sequence[Item]
    documents: Documents
    origins: Integers
    lexicon: api.Lexicon

    @classmethod
    def build(cls, items: Sequence[Item]) -> Planted:
        """Build the collection."""
        documents = as_documents(items)
        origins = np.array([item.origin for item in items], np.int64)
        return cls(items, documents, origins, api.Lexicon.build(documents))

    def label(self, places: Places | None = None, **settings: Any) -> Integers:
        """Find the clusters of some of the documents with the lexicon of all."""
        lexicon = self.lexicon
        if settings.get("lexicon") == "quantised":
            lexicon = lexicon.choose(TermChoice(order="quantised"))
        chosen = self.documents if places is None else as_documents([self.items[place] for place in places])
        return api.find(chosen, "conrad", **{**settings, "lexicon": lexicon}).labels


def as_documents(items: Sequence[Story | Item]) -> Documents:
    """Return stories as documents with dates."""
    days = np.array([item.day for item in items], np.int64) - _DAY_ZERO
    times = pa.array(days.astype("datetime64[D]").astype("datetime64[us]"), pa.timestamp("us", "UTC"))
    return Documents([item.text for item in items], times=pa.chunked_array([times]))


_DAY_ZERO = 719_163
"""The day of 1970 as Python counts days."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The duplicate sets of a collection against those found: what agrees, was missed, or is too much."""

    sets: int
    found: int
    agreeing: int
    wrong: int

    @property
    def recall(self) -> float:
        """The share of the sets that were found."""
        return self.agreeing / self.sets if self.sets else float("nan")

    @property
    def precision(self) -> float:
        """The share of right ones among those found."""
        return 1 - self.wrong / self.found if self.found else float("nan")


def compare_sets(labels: Integers, origins: Integers, wanted: npt.NDArray[np.bool_]) -> Agreement:
    """Hold found sets against the planted ones: right is one that has all documents of a set together.

    `wanted` says which documents' sets are looked for; a found set with documents of different origins is wrong.
    """
    sizes, found_sizes = Counter(origins.tolist()), Counter(labels.tolist())
    by_origin: dict[int, set[int]] = {}
    by_label: dict[int, set[int]] = {}
    for label, origin in zip(labels.tolist(), origins.tolist(), strict=True):
        by_origin.setdefault(origin, set()).add(label)
        by_label.setdefault(label, set()).add(origin)
    sets = [origin for origin in set(origins[wanted].tolist()) if sizes[origin] > 1]
    found = [label for label in by_label if found_sizes[label] > 1]
    return Agreement(
        len(sets),
        len(found),
        sum(len(by_origin[origin]) == 1 for origin in sets),
        sum(len(by_label[label]) > 1 for label in found),
    )


def measure_sets(planted: Planted) -> Iterator[Row]:
    """Find the planted sets in the whole collection, by category, with several settings."""
    categories = np.array([item.category for item in planted.items])
    for settings in (*SETTINGS, *VARIANTS):
        labels = planted.label(**settings)
        wanted = {"all but focus": (categories != "") & (categories != "focus")}
        wanted |= {name: categories == name for name in CATEGORIES}
        for name, flags in wanted.items():
            found = compare_sets(labels, planted.origins, flags)
            yield {
                **_name_settings(settings),
                "category": name,
                "sets": found.sets,
                "found": found.agreeing,
                "recall": found.recall,
                "wrong": found.wrong if name == "all but focus" else None,
                "precision": found.precision if name == "all but focus" else None,
            }


def _name_settings(settings: Settings) -> Row:
    others = {name: value for name, value in settings.items() if name not in ("terms", "days")}
    told = ", ".join(f"{name} {str(value).lower()}" for name, value in others.items())
    return {"terms": settings.get("terms", 60), "days": settings.get("days", 42), "otherwise": told}


def measure_keys(planted: Planted) -> Iterator[Row]:
    """Say which share of the versions has the key of its original, by category and size of the bins (section 6.1)."""
    texts = BodyReader().open(Normaliser().open(planted.documents))
    everyone = np.arange(len(planted.items), dtype=np.uint32)
    for bins in (0, 10, 25):
        keys = TermSigner(bins=bins).sign(texts, everyone, planted.lexicon).arrays()[3].reshape(-1, 20)
        told = [bytes(key) for key in keys]
        for category in CATEGORIES:
            sets: dict[int, list[bytes]] = {}
            for place, item in enumerate(planted.items):
                if item.category == category:
                    sets.setdefault(item.origin, []).append(told[place])
            same = sum(len(set(own)) == 1 for own in sets.values())
            yield {"bins": bins, "category": category, "sets": len(sets), "same_key": same / max(len(sets), 1)}


def draw_lists(planted: Planted, seed: int, queries: int, results: int) -> list[Places]:
    """Draw result lists: each the documents that share most rare terms with one drawn at random, itself among them."""
    texts = BodyReader().open(Normaliser().open(planted.documents))
    everyone = np.arange(len(planted.items), dtype=np.uint32)
    offsets, values = TermSigner().sign(texts, everyone, planted.lexicon).arrays()[:2]
    owners = np.repeat(np.arange(len(planted.items)), np.diff(offsets).astype(np.int64))
    chance = Chance(seed, f"queries {results}")
    lists = []
    for _ in range(queries):
        anchor = chance.below(len(planted.items))
        own = values[int(offsets[anchor]) : int(offsets[anchor + 1])]
        shared = np.bincount(owners[np.isin(values, own)], minlength=len(planted.items))
        lists.append(np.argsort(-shared, kind="stable")[:results])
    return lists


def measure_lists(planted: Planted, lists: Sequence[Places]) -> tuple[list[Row], list[Row], list[Row]]:
    """Compute Tables 6 to 8 on result lists, the first half for training, which here trains nothing."""
    rounds = {"training": lists[: len(lists) // 2], "test": lists[len(lists) // 2 :]}
    table6, table7, table8 = [], [], []
    for name, own in rounds.items():
        sizes = [_set_sizes(planted, places) for places in own]
        queries = (len(own), sum(map(bool, sizes)), sum(not each for each in sizes))
        table6.append(
            {
                "round": name,
                **dict(zip(("queries", "with_sets", "without_sets"), queries, strict=True)),
                **{
                    f"paper_{column}": value
                    for column, value in zip(
                        ("queries", "with_sets", "without_sets"), published.QUERIES[name], strict=True
                    )
                },
            }
        )
        counted = Counter(size for each in sizes for size in each)
        table7 += [
            {"round": name, "size": size, "sets": counted[size], "paper_sets": published.SET_SIZES[name][size]}
            for size in range(2, 7)
        ]
        table8 += [_agree(planted, own, name, settings) for settings in SETTINGS]
    return table6, table7, table8


def _set_sizes(planted: Planted, places: Places) -> list[int]:
    """List the sizes of the duplicate sets in a result list, rewritten stories aside."""
    kept = [place for place in places if planted.items[place].category not in ("", "focus")]
    return [size for size in Counter(planted.origins[kept].tolist()).values() if size > 1]


def _agree(planted: Planted, lists: Sequence[Places], name: str, settings: Settings) -> Row:
    sums = Counter[str]()
    for places in lists:
        wanted = np.array([planted.items[place].category not in ("", "focus") for place in places])
        found = compare_sets(planted.label(places, **settings), planted.origins[places], wanted)
        sums.update(sets=found.sets, agreement=found.agreeing, wrong=found.wrong)
    paper = published.AGREEMENT[name] if settings == SETTINGS[1] else (None,) * 4
    return {
        "round": name,
        **_name_settings(settings),
        "sets": sums["sets"],
        "agreement": sums["agreement"],
        "misses": sums["sets"] - sums["agreement"],
        "over_identified": sums["wrong"],
        "recall": sums["agreement"] / max(sums["sets"], 1),
        "precision": sums["agreement"] / max(sums["agreement"] + sums["wrong"], 1),
        **dict(zip(("paper_sets", "paper_agreement", "paper_misses", "paper_over_identified"), paper, strict=True)),
    }


def measure_effort(planted: Planted, seed: int) -> Iterator[Row]:
    """Count what dates, lengths and early termination spare (section 7.3), in result lists and in the collection."""
    lists = draw_lists(planted, seed, LONG_LISTS, LONG_RESULTS)
    everyone = np.arange(len(planted.items), dtype=np.int64)
    for name, groups in ((f"result lists of {len(lists[0])}", lists), ("all documents", [everyone])):
        for settings in SETTINGS:
            rule = TermRule(days=settings["days"], numerals=False)
            sums = np.zeros(8, np.int64)
            for places in groups:
                sums += _count_effort(planted, places, settings["terms"], rule)
            yield {
                "of": name,
                **_name_settings(settings),
                **_tell_effort(sums),
                "paper_terms": published.COMPARED_TERMS,
            }


def _count_effort(planted: Planted, places: Places, terms: int, rule: TermRule) -> Any:
    documents = as_documents([planted.items[place] for place in places])
    texts = BodyReader().open(Normaliser().open(documents))
    signatures = TermSigner(terms).sign(texts, np.arange(len(places), dtype=np.uint32), planted.lexicon)
    days = np.array([planted.items[place].day for place in places], np.int32)
    return np.array(signatures.effort((np.arange(len(places) + 1, dtype=np.uint64), days), rule.arguments))


def _tell_effort(sums: Places) -> Row:
    pairs, dated, sized, compared, apart, alike_steps, full, alike = map(int, sums)
    return {
        "pairs": pairs,
        "within_days": dated,
        "of_like_length": sized,
        "compared": compared,
        "duplicates": alike,
        "terms_apart": apart / max(compared - alike, 1),
        "terms_alike": alike_steps / max(alike, 1),
        "terms_without_stopping": full / max(compared, 1),
    }
