from datetime import date

import pytest

from neardup.read.columns.objects import iterate_in_batches, make_table, spell, to_record


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ("a", "a"),
        (None, None),
        (float("nan"), None),
        (2.0, "2"),
        (2.5, "2.5"),
        (1e300, "1e+300"),
        (True, "True"),
        (date(2020, 1, 2), "2020-01-02"),
        (b"\xff", "\ufffd"),
        (["a", "b"], "a\nb"),
        ([1, "b"], '[1, "b"]'),
        ({"a": {1: 2}}, '{"a": {"1": 2}}'),
        ({("a", 1): 2}, ""),
    ],
)
def test_values_become_strings(value, spelled):
    assert spell(value) == spelled


def test_objects_become_records():
    assert to_record("a") == {"text": "a"}
    assert to_record({"id": 1, "attributes": {"id": 2, "a": 3}}) == {"id": 1, "a": 3}
    assert to_record({"attributes": {"a": 3}}) == {"attributes": {"a": 3}}
    assert to_record(5) is None


def test_absent_values_are_null():
    counts = {"replaced_characters": 5}
    table = make_table([{"a": 1}, None, {"b": "\ud800\ufffd"}], ["a", "b"], counts)
    assert table.to_pydict() == {"a": ["1", None, None], "b": [None, None, "\ufffd\ufffd"]}
    assert counts == {"replaced_characters": 6}


def test_iterators_are_cut_into_batches():
    assert list(iterate_in_batches(iter(range(5)), 2)) == [[0, 1], [2, 3], [4]]
    assert list(iterate_in_batches(iter(()), 2)) == []
