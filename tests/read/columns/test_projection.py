import numpy as np
import pyarrow as pa
import pytest

from neardup.errors import InputError
from neardup.read.columns.batches import SCHEMA
from neardup.read.columns.plan import Plan
from neardup.read.columns.projection import as_text, longest_column, project, take_column
from neardup.read.times import Clock


def test_batch_has_the_schema():
    table = pa.table({"a": ["x", "y"], "n": [1, 2], "t": ["2020-01-01", "no"]})
    clock = Clock()
    batch = project(table, Plan("a", "n", (("t",),), html=True), clock, np.array([False, True]))
    assert batch.schema == SCHEMA
    assert batch["text"].to_pylist() == ["x", None]
    assert batch["id"].to_pylist() == ["1", "2"]
    assert batch["html"].to_pylist() == [True, True]
    assert batch["unreadable"].to_pylist() == [False, True]
    assert clock.unparsed == 1


def test_alternatives_and_joined_columns_may_be_null():
    table = pa.table(
        {"text": ["a"] * 4, "o": ["org", " ", None, None], "f": ["A", "B", None, "C"], "l": ["X", "Y", None, None]}
    )
    plan = Plan("text", attributes={"sender": (("o",), ("f", "l"))})
    assert project(table, plan, Clock())["sender"].to_pylist() == ["org", "B Y", None, "C"]


@pytest.mark.parametrize(
    ("column", "ids"),
    [
        ([1.0, None, 3.0], ["1", None, "3"]),
        ([1.5, float("nan"), 2.0], ["1.5", None, "2"]),
        ([" a ", "", None], ["a", None, None]),
        ([[1], [2], None], ["[1]", "[2]", None]),
    ],
)
def test_ids_become_strings(column, ids):
    batch = project(pa.table({"text": ["a"] * 3, "id": column}), Plan("text", "id"), Clock())
    assert batch["id"].to_pylist() == ids


def test_rows_without_a_text_column_are_unreadable():
    batch = project(pa.table({"n": [1, 2]}), Plan(None), Clock())
    assert batch["unreadable"].to_pylist() == [True, True]
    assert batch["text"].null_count == 2


def test_chunked_and_repeated_columns_are_taken():
    table = pa.table([pa.chunked_array([["a"], ["b"]]), pa.array(["c", "d"])], ["x", "x"])
    assert take_column(table, "x").to_pylist() == ["a", "b"]
    assert take_column(pa.table({"x": pa.chunked_array([], pa.string())}), "x").to_pylist() == []


def test_longest_column_is_found():
    table = pa.table({"a": ["aaaa"], "b": ["bb"], "n": [123456], "e": [None]})
    assert longest_column(table, ["b", "n", "e"]) == "b"
    assert longest_column(table, ["n", "e"]) is None


def test_types_that_cannot_be_text_are_refused():
    with pytest.raises(InputError, match="which is not text"):
        as_text(pa.array([{"a": 1}]), "x")
