"""Comparison of two lists of pairs, and chain breaks."""

import itertools

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import neardup
from neardup.errors import InputError
from neardup.evaluate.chains import find_chain_breaks
from neardup.evaluate.pairlists import compare_packed, evaluate_pairs, sort_pairs

ids = st.sampled_from("abcdefgh")
lists = st.lists(st.tuples(ids, ids), max_size=30)


def table(pairs):
    return pa.table(
        {"a": pa.array([a for a, _ in pairs], pa.string()), "b": pa.array([b for _, b in pairs], pa.string())}
    )


def plain(pairs):
    return {frozenset(pair) for pair in pairs if pair[0] != pair[1]}


@given(lists, lists)
def test_five_values_equal_set_operations(found, gold):
    ours, theirs = plain(found), plain(gold)
    if gold and not theirs:
        return
    scores = evaluate_pairs(table(found), table(gold))
    assert (scores.gold_pairs, scores.found_pairs) == (len(theirs), len(ours))
    assert (scores.only_gold_pairs, scores.only_found_pairs) == (len(theirs - ours), len(ours - theirs))
    assert scores.common_pairs == len(ours & theirs)
    if ours and theirs:
        assert scores.pair_f1 == pytest.approx(2 * len(ours & theirs) / (len(ours) + len(theirs)))
    else:
        assert np.isnan(scores.pair_precision if not ours else scores.pair_recall)


def slow_chain_breaks(gold, linked):
    """Grow components one pair at a time, and check every pair of members."""
    groups = [set(pair) for pair in gold]
    merged = True
    while merged:
        merged = False
        for one, other in itertools.combinations(groups, 2):
            if one & other:
                one.update(other)
                groups.remove(other)
                merged = True
                break
    apart = {
        frozenset(group): sum(frozenset(pair) not in gold | linked for pair in itertools.combinations(group, 2))
        for group in groups
    }
    return {group: count for group, count in apart.items() if count}


@given(lists, lists)
def test_chain_breaks_equal_a_check_of_every_pair(gold, linked):
    numbers = [
        sort_pairs(*(np.array([ord(p[i]) - 97 for p in pairs], np.uint32) for i in (0, 1))) for pairs in (gold, linked)
    ]
    found = find_chain_breaks(8, *numbers)
    expected = slow_chain_breaks(plain(gold), plain(linked))
    assert {frozenset(chr(97 + m) for m in b.members.tolist()): b.apart for b in found} == expected
    for broken in found:
        names = [chr(97 + number) for number in broken.chain]
        assert all(frozenset(step) in plain(gold) for step in itertools.pairwise(names))
        assert frozenset((names[0], names[-1])) not in plain(gold) | plain(linked)


def test_all_pairs_between_copies_are_counted():
    texts = ["one two three four five six seven"] * 4 + ["one two three four five six seven eight"] * 3 + ["other"]
    result = neardup.find(texts, "jaccard", shingle=2)
    everything = table([(str(a), str(b)) for a, b in itertools.combinations(range(7), 2)])
    scores = neardup.evaluate_pairs(result, everything)
    assert (scores.found_pairs, scores.common_pairs, scores.pair_f1) == (21, 21, 1.0)
    scores = neardup.evaluate_pairs(result, table([("0", "4"), ("4", "0"), ("0", "7"), ("0", "99"), ("3", "3")]))
    assert (scores.gold_pairs, scores.common_pairs, scores.only_found_pairs) == (2, 1, 20)
    assert scores.pairs_not_compared == 2


def test_thirty_thousand_copies_are_counted_not_listed():
    result = neardup.find(["the same text"] * 30_000 + ["another"], "exact")
    scores = neardup.evaluate_pairs(result, table([("0", "29999"), ("0", "30000")]))
    assert (scores.found_pairs, scores.common_pairs) == (30_000 * 29_999 // 2, 1)


def test_pair_lists_are_read_from_files_and_frames(tmp_path):
    pairs = pd.DataFrame({"a": ["007", "x"], "b": ["8", "y"]})
    pairs.to_csv(tmp_path / "pairs.csv", index=False)
    pq.write_table(pa.Table.from_pandas(pairs), tmp_path / "pairs.parquet")
    for source in (pairs, tmp_path / "pairs.csv", str(tmp_path / "pairs.parquet")):
        assert evaluate_pairs(source, table([("8", "007")])).common_pairs == 1


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (pa.table({"id": ["x"], "cluster": ["y"]}), "must have the columns a and b"),
        (["x"], "give a file, a table or a data frame"),
        ("nowhere.csv", "does not exist"),
        (table([("p", "q")]), "no pair of the gold consists of two documents of the run"),
    ],
)
def test_invalid_pair_lists_are_refused(gold, message):
    with pytest.raises(InputError, match=message):
        neardup.evaluate_pairs(neardup.find(["one", "one"], "exact"), gold)


def test_packed_lists_are_merged():
    pairs = sort_pairs(np.array([3, 1, 3, 2], np.uint32), np.array([1, 3, 2, 2], np.uint32))
    assert len(pairs) == 2
    assert compare_packed(pairs, pairs[:1]).common_pairs == 1
    assert compare_packed(pairs[:0], pairs).common_pairs == 0
