"""Two lists of pairs against each other: the five values of Ignatov & Kuznetsov 2009, section 3, and what chains.

Documents are numbered, a pair is one 64-bit number with the smaller document in its upper half, and lists are sorted
and merged: time O(n log n), memory O(n) for n pairs, no object per pair. Identical texts, which a run lists by their
first copy, stand for all pairs between the copies; those are counted, not listed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.errors import InputError
from neardup.evaluate.agreement import ratio
from neardup.evaluate.chains import ChainBreak, NumberedBreak, find_chain_breaks
from neardup.evaluate.gold import read_table, text_column
from neardup.records import Result

Numbers = npt.NDArray[np.uint32]
Packed = npt.NDArray[np.uint64]

SHOWN_BREAKS = 100
EXACT = "exact"


@dataclass(frozen=True, slots=True)
class PairEvaluation:
    """What two lists of pairs have in common: the paper's five values, and precision, recall and F1 of them.

    `pairs_not_compared` counts gold pairs that name a document which is not in the run, or one document twice.
    `chain_breaks` are the components of the gold in which documents hang together that neither list links, the largest
    first, at most a hundred of the `chain_break_count` that there are. What is not defined is nan.
    """

    gold_pairs: int
    found_pairs: int
    only_gold_pairs: int
    only_found_pairs: int
    common_pairs: int
    pair_precision: float
    pair_recall: float
    pair_f1: float
    pairs_not_compared: int = 0
    chain_break_count: int = 0
    chain_breaks: tuple[ChainBreak, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the measures as a dictionary."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PairList:
    """Pairs of ids as they were given: columns a and b of one length."""

    a: pa.ChunkedArray
    b: pa.ChunkedArray
    name: str = "the pairs"


@dataclass(frozen=True, slots=True)
class _Linked:
    """Pairs between distinct texts: the text of each document, how many copies each text has, the packed pairs."""

    nodes: Numbers
    copies: npt.NDArray[np.int64]
    pairs: Packed

    def count(self) -> int:
        """Return how many pairs of documents these are."""
        a, b = unpack(self.pairs)
        return int((self.copies[a] * self.copies[b]).sum() + (self.copies * (self.copies - 1) // 2).sum())

    def count_listed(self, pairs: Packed) -> int:
        """Return how many of these pairs of documents are linked."""
        a, b = unpack(pairs)
        same = self.nodes[a] == self.nodes[b]
        keys = pack(self.nodes[a], self.nodes[b])
        return int((same | contains(self.pairs, keys)).sum())


def evaluate_pairs(
    found: Result | str | os.PathLike[str] | pa.Table | Any, gold: str | os.PathLike[str] | pa.Table | Any
) -> PairEvaluation:
    """Compare the pairs of a result, or any list of pairs, with a gold list of pairs.

    A list is a CSV or Parquet file, an Arrow table or a frame with the columns a and b, which hold ids; the order of a
    and b and repeated pairs do not matter.
    """
    answer = read_pairs(gold, "the gold")
    if isinstance(found, Result):
        ids, listed = found.documents["id"].cast(pa.large_string()), found.pairs
        own = PairList(text_column(listed["a"]), text_column(listed["b"]), "the run")
        exact = pc.equal(listed["evidence"], EXACT).to_numpy(zero_copy_only=False)
    else:
        own = read_pairs(found, "the found pairs")
        columns = [*own.a.chunks, *own.b.chunks, *answer.a.chunks, *answer.b.chunks]
        ids = pa.chunked_array([pc.unique(pa.chunked_array(columns, pa.large_string()))])
        exact = np.zeros(len(own.a), np.bool_)
    a, b, there = number_pairs(own, ids)
    linked = _link(len(ids), a, b, exact[there])
    gold_a, gold_b, there = number_pairs(answer, ids)
    if len(there) and not there.any():
        raise InputError(_say_nothing_in_common(answer, ids))
    return _compare(linked, sort_pairs(gold_a, gold_b), int((~there).sum()), ids)


def compare_packed(found: Packed, gold: Packed) -> PairEvaluation:
    """Compare two sorted lists of packed pairs without repeats."""
    common = int(contains(found, gold).sum())
    return _evaluation(len(gold), len(found), common)


def _compare(linked: _Linked, gold: Packed, left_out: int, ids: pa.ChunkedArray) -> PairEvaluation:
    broken = find_chain_breaks(len(linked.copies), _between_nodes(linked, gold), linked.pairs)
    shown = tuple(_name_break(found, linked, ids) for found in broken[:SHOWN_BREAKS])
    common = linked.count_listed(gold)
    return _evaluation(len(gold), linked.count(), common, left_out, len(broken), shown)


def _evaluation(
    gold: int,
    found: int,
    common: int,
    left_out: int = 0,
    break_count: int = 0,
    breaks: tuple[ChainBreak, ...] = (),
) -> PairEvaluation:
    scores = (ratio(common, found), ratio(common, gold), ratio(2 * common, gold + found) if gold or found else nan)
    return PairEvaluation(gold, found, gold - common, found - common, common, *scores, left_out, break_count, breaks)


def read_pairs(source: Any, name: str = "the pairs") -> PairList:
    """Read a list of pairs from a path, a table or a frame with the columns a and b."""
    if isinstance(source, PairList):
        return source
    if isinstance(source, str | os.PathLike):
        name, table = str(source), read_table(Path(source), name.removeprefix("the "))
    elif hasattr(source, "columns") and hasattr(source, "__arrow_c_stream__"):
        table = pa.table(source)
    else:
        raise InputError(f"{name} are {type(source).__name__}: give a file, a table or a frame with columns a and b")
    columns = {column.strip().lower(): table[column] for column in reversed(table.column_names)}
    if not {"a", "b"} <= columns.keys():
        there = ", ".join(table.column_names) or "none at all"
        raise InputError(f"{name} must have the columns a and b, which hold ids; it has {there}")
    return PairList(text_column(columns["a"]), text_column(columns["b"]), name)


def holds_pairs(path: str | os.PathLike[str]) -> bool:
    """Say whether a gold file is a list of pairs: it has the columns a and b, and not id and cluster."""
    names = {name.strip().lower() for name in read_table(Path(path), "gold").column_names}
    return {"a", "b"} <= names and not {"id", "cluster"} <= names


def number_pairs(pairs: PairList, ids: pa.ChunkedArray) -> tuple[Numbers, Numbers, npt.NDArray[np.bool_]]:
    """Number the documents of pairs by their place among ids; mark the pairs of two documents that are there."""
    known = ids.combine_chunks()
    a, b = (pc.fill_null(pc.index_in(column, value_set=known), -1).to_numpy() for column in (pairs.a, pairs.b))
    there = (a >= 0) & (b >= 0) & (a != b)
    return a[there].astype(np.uint32), b[there].astype(np.uint32), there


def _say_nothing_in_common(pairs: PairList, ids: pa.ChunkedArray) -> str:
    examples, others = (", ".join(map(repr, column.slice(0, 3).to_pylist())) for column in (pairs.a, ids))
    return (
        f"no pair of {pairs.name} is of two documents of the run: it names {examples}, the run has {others}; run find "
        "again with --id and the column that holds these ids"
    )


def pack(a: Numbers, b: Numbers) -> Packed:
    """Pack pairs into one number each, the smaller document in the upper half."""
    low, high = np.minimum(a, b).astype(np.uint64), np.maximum(a, b).astype(np.uint64)
    packed: Packed = (low << np.uint64(32)) | high
    return packed


def unpack(packed: Packed) -> tuple[Numbers, Numbers]:
    """Return the two documents of each pair."""
    return (packed >> np.uint64(32)).astype(np.uint32), (packed & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def sort_pairs(a: Numbers, b: Numbers) -> Packed:
    """Pack pairs, sort them, and drop repeats and documents paired with themselves."""
    packed: Packed = np.unique(pack(a, b)[a != b])
    return packed


def contains(pairs: Packed, wanted: Packed) -> npt.NDArray[np.bool_]:
    """Say of each wanted pair whether it is among the sorted pairs."""
    if not len(pairs):
        return np.zeros(len(wanted), np.bool_)
    places = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    there: npt.NDArray[np.bool_] = pairs[places] == wanted
    return there


def _link(documents: int, a: Numbers, b: Numbers, exact: npt.NDArray[np.bool_]) -> _Linked:
    """Collapse the documents that pairs call identical."""
    firsts = _core.components(documents, a[exact], b[exact])
    nodes: Numbers = np.unique(firsts, return_inverse=True)[1].astype(np.uint32)
    return _Linked(nodes, np.bincount(nodes), sort_pairs(nodes[a[~exact]], nodes[b[~exact]]))


def _between_nodes(linked: _Linked, gold: Packed) -> Packed:
    a, b = unpack(gold)
    return sort_pairs(linked.nodes[a], linked.nodes[b])


def _name_break(found: NumberedBreak, linked: _Linked, ids: pa.ChunkedArray) -> ChainBreak:
    """Give the documents of a chain break their names: of identical texts the first one's."""
    nodes = np.concatenate([found.members, np.array(found.chain, np.uint32)])
    firsts = np.unique(linked.nodes, return_index=True)[1][nodes]
    names: Sequence[str] = ids.take(pa.array(firsts)).to_pylist()
    documents = int(linked.copies[found.members].sum())
    members = len(found.members)
    return ChainBreak(tuple(names[:members]), documents, found.pairs, found.apart, tuple(names[members:]))
