"""Pairs that share a key, compared with an examination of every pair."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.reproduce.simfinder.experiments import sharing
from neardup.reproduce.simfinder.experiments.sharing import SharedKeys

KEYS = st.lists(st.sets(st.integers(0, 12), max_size=4), max_size=25)


def keys_of(lists):
    flat = [key for own in lists for key in sorted(own)]
    offsets = np.append(0, np.cumsum([len(own) for own in lists]))
    return SharedKeys(np.array(flat, np.uint64), offsets.astype(np.uint64))


@pytest.mark.parametrize(("flags", "postings"), [(1 << 20, 1 << 20), (60, 7), (1, 1)])
@given(lists=KEYS)
def test_pairs_that_share_a_key_are_found_and_counted(lists, flags, postings):
    pairs = list(combinations(range(len(lists)), 2))
    truth = [bool(lists[a] & lists[b]) for a, b in pairs]
    keys = keys_of(lists)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharing, "FLAGS", flags)
        patch.setattr(sharing, "BLOCK_POSTINGS", postings)
        assert keys.count_pairs() == (sum(truth), True)
    a, b = np.array(pairs, np.uint32).reshape(-1, 2).T
    assert keys.shared(a, b).tolist() == truth


def test_count_above_limit_is_an_upper_bound(monkeypatch):
    keys = keys_of([{1, 2}, {1, 2}, {2}])
    assert keys.count_pairs() == (3, True)
    monkeypatch.setattr(sharing, "MOST_POSTINGS", 3)
    assert keys.count_pairs() == (4, False)
