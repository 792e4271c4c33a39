"""Compare two lists of pairs: the five values of Ignatov & Kuznetsov 2009, section 3, and chain breaks.

Documents are numbered, and a pair is one 64-bit number with the smaller document in its upper half. Lists are sorted
and merged: time O(n log n), memory O(n) for n pairs, no object per pair. A run lists identical texts only as pairs with
their first copy; all pairs between the copies are counted, not listed.
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
    """The agreement of two lists of pairs: the paper's five values, and precision, recall and F1.

    `pairs_not_compared` counts gold pairs with a document that is not in the run, or with the same document twice.
    `chain_breaks` are the components of the gold with documents that neither list links, the largest first and at most
    a hundred; `chain_break_count` is the number of all. An undefined measure is nan.
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
    """Pairs of ids as given: two columns of the same length."""

    a: pa.ChunkedArray
    b: pa.ChunkedArray
    name: str = "the pairs"


@dataclass(frozen=True, slots=True)
class _Linked:
    """Pairs of distinct texts: the number of each document's text, the copies of each text, and the packed pairs."""

    nodes: Numbers
    copies: npt.NDArray[np.int64]
    pairs: Packed

    def count(self) -> int:
        """Return the number of pairs of documents, copies included."""
        a, b = unpack(self.pairs)
        return int((self.copies[a] * self.copies[b]).sum() + (self.copies * (self.copies - 1) // 2).sum())

    def count_listed(self, pairs: Packed) -> int:
        """Return how many of the given pairs of documents are linked."""
        a, b = unpack(pairs)
        same = self.nodes[a] == self.nodes[b]
        keys = pack(self.nodes[a], self.nodes[b])
        return int((same | contains(self.pairs, keys)).sum())


def evaluate_pairs(
    found: Result | str | os.PathLike[str] | pa.Table | Any, gold: str | os.PathLike[str] | pa.Table | Any
) -> PairEvaluation:
    """Compare the pairs of a result, or any list of pairs, with a gold list of pairs.

    A list is a CSV or Parquet file, an Arrow table or a data frame with the columns a and b, which contain ids. The
    order of a and b does not matter, and repeated pairs count once.
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
    a, b, valid = number_pairs(own, ids)
    linked = _link(len(ids), a, b, exact[valid])
    gold_a, gold_b, valid = number_pairs(answer, ids)
    if len(valid) and not valid.any():
        raise InputError(_describe_mismatch(answer, ids))
    return _compare(linked, sort_pairs(gold_a, gold_b), int((~valid).sum()), ids)


def compare_packed(found: Packed, gold: Packed) -> PairEvaluation:
    """Compare two lists of packed pairs, sorted and without repeats."""
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
    """Read a list of pairs from a path, a table or a data frame with the columns a and b."""
    if isinstance(source, PairList):
        return source
    if isinstance(source, str | os.PathLike):
        name, table = str(source), read_table(Path(source), name.removeprefix("the "))
    elif hasattr(source, "columns") and hasattr(source, "__arrow_c_stream__"):
        table = pa.table(source)
    else:
        kind = type(source).__name__
        raise InputError(f"{name} cannot be a {kind}: give a file, a table or a data frame with the columns a and b")
    columns = {column.strip().lower(): table[column] for column in reversed(table.column_names)}
    if not {"a", "b"} <= columns.keys():
        present = ", ".join(table.column_names) or "no columns"
        raise InputError(f"{name} must have the columns a and b with ids; it has {present}")
    return PairList(text_column(columns["a"]), text_column(columns["b"]), name)


def holds_pairs(path: str | os.PathLike[str]) -> bool:
    """Return whether a gold file is a list of pairs: it has the columns a and b, but not id and cluster."""
    names = {name.strip().lower() for name in read_table(Path(path), "gold").column_names}
    return {"a", "b"} <= names and not {"id", "cluster"} <= names


def number_pairs(pairs: PairList, ids: pa.ChunkedArray) -> tuple[Numbers, Numbers, npt.NDArray[np.bool_]]:
    """Number the documents of pairs by the index of their ids; flag the pairs of two different known documents."""
    known = ids.combine_chunks()
    a, b = (pc.fill_null(pc.index_in(column, value_set=known), -1).to_numpy() for column in (pairs.a, pairs.b))
    valid = (a >= 0) & (b >= 0) & (a != b)
    return a[valid].astype(np.uint32), b[valid].astype(np.uint32), valid


def _describe_mismatch(pairs: PairList, ids: pa.ChunkedArray) -> str:
    examples, others = (", ".join(map(repr, column.slice(0, 3).to_pylist())) for column in (pairs.a, ids))
    return (
        f"no pair of {pairs.name} consists of two documents of the run: it contains {examples}, the run {others}; run "
        "find again with --id and the column that contains these ids"
    )


def pack(a: Numbers, b: Numbers) -> Packed:
    """Pack each pair into one number, with the smaller document in the upper half."""
    low, high = np.minimum(a, b).astype(np.uint64), np.maximum(a, b).astype(np.uint64)
    packed: Packed = (low << np.uint64(32)) | high
    return packed


def unpack(packed: Packed) -> tuple[Numbers, Numbers]:
    """Return the two documents of each pair."""
    return (packed >> np.uint64(32)).astype(np.uint32), (packed & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def sort_pairs(a: Numbers, b: Numbers) -> Packed:
    """Pack and sort pairs; drop repeats and documents paired with themselves."""
    packed: Packed = np.unique(pack(a, b)[a != b])
    return packed


def contains(pairs: Packed, wanted: Packed) -> npt.NDArray[np.bool_]:
    """Return for each wanted pair whether it is among the sorted pairs."""
    if not len(pairs):
        return np.zeros(len(wanted), np.bool_)
    indexes = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    found: npt.NDArray[np.bool_] = pairs[indexes] == wanted
    return found


def _link(documents: int, a: Numbers, b: Numbers, exact: npt.NDArray[np.bool_]) -> _Linked:
    """Collapse the documents that are linked as exact copies."""
    firsts = _core.components(documents, a[exact], b[exact])
    nodes: Numbers = np.unique(firsts, return_inverse=True)[1].astype(np.uint32)
    return _Linked(nodes, np.bincount(nodes), sort_pairs(nodes[a[~exact]], nodes[b[~exact]]))


def _between_nodes(linked: _Linked, gold: Packed) -> Packed:
    a, b = unpack(gold)
    return sort_pairs(linked.nodes[a], linked.nodes[b])


def _name_break(found: NumberedBreak, linked: _Linked, ids: pa.ChunkedArray) -> ChainBreak:
    """Replace the numbers of a chain break with ids; identical texts have the id of the first copy."""
    nodes = np.concatenate([found.members, np.array(found.chain, np.uint32)])
    firsts = np.unique(linked.nodes, return_index=True)[1][nodes]
    names: Sequence[str] = ids.take(pa.array(firsts)).to_pylist()
    documents = int(linked.copies[found.members].sum())
    members = len(found.members)
    return ChainBreak(tuple(names[:members]), documents, found.pairs, found.apart, tuple(names[members:]))
