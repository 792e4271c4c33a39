"""Detection of planted duplicate sets in the whole collection, and the keys of identical documents (section 6.1)."""

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
from neardup.evaluate.contingency import Booleans, Integers
from neardup.records import Documents
from neardup.reproduce.conrad.detection import quantise, sign_documents
from neardup.reproduce.corpora.newswire import CATEGORIES, Item, Story
from neardup.reproduce.tables import Row

Settings = Mapping[str, Any]
SETTINGS: tuple[Settings, ...] = tuple({"terms": terms, "days": days} for terms, days in product((60, 30), (42, 84)))
VARIANTS: tuple[Settings, ...] = ({"numeric_guard": False}, {"short": "pad_constant"}, {"lexicon": "quantised"})

Indices = npt.NDArray[np.int64]

_EPOCH = 719_163
"""The ordinal of 1970-01-01."""


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

    def label(self, indices: Indices | None = None, **settings: Any) -> Integers:
        """Return the cluster of each document, or of those at some indices, found with the lexicon of all documents."""
        lexicon = self.lexicon
        if settings.get("lexicon") == "quantised":
            lexicon = quantise(lexicon)
        chosen = self.documents if indices is None else as_documents([self.items[index] for index in indices])
        return api.find(chosen, "conrad", **{**settings, "lexicon": lexicon}).labels


def as_documents(items: Sequence[Story | Item]) -> Documents:
    """Return stories as documents with dates."""
    days = np.array([item.day for item in items], np.int64) - _EPOCH
    times = pa.array(days.astype("datetime64[D]").astype("datetime64[us]"), pa.timestamp("us", "UTC"))
    return Documents([item.text for item in items], times=pa.chunked_array([times]))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many duplicate sets a collection has, how many were found, and how many of those agree or are wrong."""

    sets: int
    found: int
    agreeing: int
    wrong: int

    @property
    def recall(self) -> float:
        """The share of the sets that was found."""
        return self.agreeing / self.sets if self.sets else float("nan")

    @property
    def precision(self) -> float:
        """The share of the found sets that is not wrong."""
        return 1 - self.wrong / self.found if self.found else float("nan")


def compare_sets(labels: Integers, origins: Integers, wanted: Booleans) -> Agreement:
    """Compare found sets with the planted ones.

    A planted set agrees if all its documents were found together. A found set with documents of different origins is
    wrong. Only the sets of the `wanted` documents count as planted.
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
    """Find the planted sets in the whole collection with several settings; yield the recall by category."""
    categories = np.array([item.category for item in planted.items])
    for settings in (*SETTINGS, *VARIANTS):
        labels = planted.label(**settings)
        wanted = {"all but focus": (categories != "") & (categories != "focus")}
        wanted |= {name: categories == name for name in CATEGORIES}
        for name, flags in wanted.items():
            found = compare_sets(labels, planted.origins, flags)
            yield {
                **name_settings(settings),
                "category": name,
                "sets": found.sets,
                "found": found.agreeing,
                "recall": found.recall,
                "wrong": found.wrong if name == "all but focus" else None,
                "precision": found.precision if name == "all but focus" else None,
            }


def name_settings(settings: Settings) -> Row:
    """Return the columns that identify settings."""
    others = {name: value for name, value in settings.items() if name not in ("terms", "days")}
    text = ", ".join(f"{name} {str(value).lower()}" for name, value in others.items())
    return {"terms": settings.get("terms", 60), "days": settings.get("days", 42), "otherwise": text}


def measure_keys(planted: Planted) -> Iterator[Row]:
    """Return the share of the sets whose documents all have one key, by category and size of the bins (section 6.1)."""
    for bins in (0, 10, 25):
        keys = sign_documents(planted.documents, planted.lexicon, bins).keys
        for category in CATEGORIES:
            sets: dict[int, set[bytes]] = {}
            for item, key in zip(planted.items, keys, strict=True):
                if item.category == category:
                    sets.setdefault(item.origin, set()).add(key)
            same = sum(len(own) == 1 for own in sets.values())
            yield {"bins": bins, "category": category, "sets": len(sets), "same_key": same / max(len(sets), 1)}
