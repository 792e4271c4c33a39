import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from neardup.records.ids import complete_ids


def complete(*ids):
    found, changed = complete_ids(pa.chunked_array([pa.array(ids, pa.string())]))
    return found.to_pylist(), changed


def test_distinct_ids_are_unchanged():
    assert complete("a", "b") == (["a", "b"], 0)


def test_repeated_ids_are_numbered_in_order():
    assert complete("x", "x", "y", "x") == (["x", "x#2", "y", "x#3"], 2)


def test_taken_numbers_are_skipped():
    assert complete("x", "x#2", "x", "x#3", "x") == (["x", "x#2", "x#4", "x#3", "x#5"], 2)
    assert complete("x#2", "x", "x", "x#2") == (["x#2", "x", "x#3", "x#2#2"], 2)


def test_missing_ids_become_positions():
    assert complete(None, "1", None, "2") == (["0", "1", "2", "2#2"], 1)


@given(st.lists(st.sampled_from(["a", "b", "a#2", "a#3", "a#2#2", "1", None])))
def test_ids_become_unique_and_the_first_is_unchanged(ids):
    found, changed = complete(*ids)
    assert len(set(found)) == len(found) == len(ids)
    filled = [str(n) if name is None else name for n, name in enumerate(ids)]
    assert changed == len(filled) - len(set(filled))
    assert all(found[filled.index(name)] == name for name in filled)
