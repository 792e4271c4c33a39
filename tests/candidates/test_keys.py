import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from reference.groups import agrees, pairs_in_bands, pairs_sharing

keys_of_documents = st.lists(st.lists(st.integers(0, 12), max_size=5), max_size=14)


def find(keys, sides=None, budget=2**60, lengths=None, threads=2):
    offsets = np.concatenate([[0], np.cumsum([len(each) for each in keys])]).astype(np.uint64)
    flat = np.array([key for each in keys for key in sorted(each)], np.uint64)
    lengths = np.ones(len(keys), np.uint32) if lengths is None else lengths
    a, b, guarded, left_out = _core.candidates(flat, offsets, lengths, sides, budget, threads)
    return list(zip(a.tolist(), b.tolist(), strict=True)), (guarded, left_out)


@given(keys_of_documents, st.booleans())
@settings(max_examples=150)
def test_pairs_that_share_a_key_are_returned_once_in_order(keys, apart):
    sides = (np.arange(len(keys)) % 2).astype(np.uint8) if apart else None
    assert find(keys, sides) == (pairs_sharing(keys, [] if sides is None else sides.tolist()), (0, 0))


def test_smallest_and_largest_key_are_valid():
    assert find([[0, 2**64 - 1], [2**64 - 1], [0]])[0] == [(0, 1), (0, 2)]


def test_guarded_key_does_not_hide_pairs_of_other_keys():
    keys = [[7, 1000 + number // 2] for number in range(2000)]
    found, (guarded, left_out) = find(keys, budget=50_000)
    assert guarded == 1
    assert left_out > 1_000_000
    assert len(found) < 2000 * 32
    assert {(number, number + 1) for number in range(0, 2000, 2)} <= set(found)


def test_guarded_key_pairs_documents_with_the_first_and_with_similar_lengths():
    rng = np.random.default_rng(1)
    lengths = rng.permutation(1000).astype(np.uint32)
    found, _ = find([[1]] * 1000, budget=1000, lengths=lengths)
    by_length = np.argsort(lengths)
    neighbours = {tuple(sorted(pair)) for pair in zip(by_length[:-1].tolist(), by_length[1:].tolist(), strict=True)}
    assert neighbours <= set(found)
    assert {(0, number) for number in range(1, 1000)} <= set(found)


def test_guarded_pairs_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(2)
    keys = [rng.integers(0, 40, 3).tolist() for _ in range(3000)]
    assert find(keys, budget=20_000, threads=1) == find(keys, budget=20_000, threads=8)


@pytest.mark.parametrize(
    ("keys", "offsets", "lengths"),
    [([1], [0, 2], [1]), ([1], [0], []), ([], [], []), ([1, 2], [0, 2, 1], [1, 1]), ([1], [0, 1], [])],
)
def test_inconsistent_arrays_are_refused(keys, offsets, lengths):
    with pytest.raises(ValueError, match="do not belong together"):
        _core.candidates(
            np.array(keys, np.uint64), np.array(offsets, np.uint64), np.array(lengths, np.uint32), None, 10, 1
        )


def test_keys_of_the_wrong_type_are_refused():
    with pytest.raises(TypeError):
        _core.candidates(np.array([1, 2]), np.array([0, 2], np.uint64), np.ones(1, np.uint32), None, 10, 1)


@given(st.integers(0, 2**64 - 1), st.lists(st.integers(0, 63), max_size=5, unique=True), st.integers(0, 4))
def test_hashes_that_differ_in_few_bits_share_a_block_key(value, flips, extra):
    bits = len(flips)
    near = value
    for flip in flips:
        near ^= 1 << flip
    keys = _core.block_keys(np.array([value, near], np.uint64), bits, bits + 1 + extra).reshape(2, -1)
    assert set(keys[0].tolist()) & set(keys[1].tolist())
    assert np.all(np.diff(keys[0].astype(object)) >= 0)


@given(st.binary(min_size=24, max_size=24), st.integers(1, 4), st.integers(0, 9), st.integers(0, 3), st.booleans())
def test_rows_that_share_a_band_and_agree_are_pairs(content, bands, needed, few, apart):
    cells = np.frombuffer(content, np.uint8) % 3
    count = bands * 2
    slots = cells[: 24 // count * count].reshape(-1, count)
    keys = (slots[:, :bands] + 10 * np.arange(bands)).astype(np.uint64)
    nodes = np.arange(len(slots), dtype=np.uint32)[::-1].copy()
    lengths = (nodes % 3 + 1).astype(np.uint32)
    sides = (nodes % 2).astype(np.uint8) if apart else None
    a, b, examined, *guarded = _core.banded_candidates(
        keys.ravel(), slots.ravel(), (bands, count), nodes, (needed, few), lengths, sides, 2**60, 2
    )
    apart_by = [] if sides is None else sides.tolist()
    looked_at = pairs_in_bands(keys[nodes].tolist(), lengths.tolist(), few, apart_by)
    agree = [pair for pair in looked_at if agrees(slots[nodes].tolist(), lengths.tolist(), *pair, needed, few)]
    assert (list(zip(a.tolist(), b.tolist(), strict=True)), examined, guarded) == (agree, len(looked_at), [0, 0])


@pytest.mark.parametrize("widths", [(0, 1), (1, 0), (2, 1), (1, 2)])
def test_inconsistent_sketches_are_refused(widths):
    one = np.ones(1, np.uint32)
    with pytest.raises(ValueError, match="do not belong together"):
        _core.banded_candidates(np.ones(1, np.uint64), np.ones(1, np.uint8), widths, one * 0, (1, 0), one, None, 10, 1)
    with pytest.raises(ValueError, match="not below"):
        _core.banded_candidates(np.ones(1, np.uint64), np.ones(1, np.uint8), (1, 1), one, (1, 0), one, None, 10, 1)
