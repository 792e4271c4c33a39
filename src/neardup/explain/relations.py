"""Relate the members of a cluster to their reference copy, and compare two texts.

The relations are those of Yang & Callan 2006, section 2, decided by an alignment of words and paragraphs. The kernel
documents the rules (`rust/core/src/explain/relate`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from neardup import _core
from neardup.records import Change, Comparison
from neardup.stages import Numbers


@dataclass(frozen=True, slots=True)
class MemberRelations:
    """The relation, added text and removed text of each document."""

    relations: pa.Array
    added: pa.Array
    removed: pa.Array


def relate_members(texts: _core.Texts, members: Numbers, references: Numbers) -> MemberRelations:
    """Relate each member to its reference."""
    return MemberRelations(*(pa.array(column, pa.large_string()) for column in texts.describe(members, references)))


def compare_texts(a: str, b: str) -> Comparison:
    """Compare two texts by every measure, relate b to a, and align them."""
    texts = _core.Texts.from_strings([a, b], None, "nfc", "fragments", 1)
    first, second = np.array([0], np.uint32), np.array([1], np.uint32)
    relation = texts.describe(second, first)[0][0]
    changes = tuple(Change(*change) for change in texts.align(0, 1))
    return Comparison(a, b, relation, _measures(texts, first, second), changes)


def _measures(texts: _core.Texts, first: Numbers, second: Numbers) -> dict[str, float]:
    """Return the similarities that the methods use, by name."""
    both = np.concatenate([first, second])
    measures = {}
    for name, size in (("jaccard of 5-word shingles", 5), ("jaccard of words", 1), ("overlap of 3-word shingles", 3)):
        sets = texts.sets(both, (size, "word"), ("all", 1), None)
        shared, (a, b) = int(sets.overlaps(first, second)[0]), map(int, sets.sizes())
        whole = min(a, b) if name.startswith("overlap") else a + b - shared
        measures[name] = shared / whole if whole else float(a == b)
    left, right = texts.simhashes(both, (3, "word"))
    measures["equal bits of simhash"] = 1 - int(left ^ right).bit_count() / 64
    return measures
