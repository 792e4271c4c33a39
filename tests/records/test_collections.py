import pickle
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from neardup.records import Documents

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)


def collection():
    """Return three documents with every column."""
    return Documents(
        ["one", "two", "three"],
        ids=pa.chunked_array([["a", "b"], ["c"]]),
        times=pa.chunked_array([[NOON, None, NOON]], pa.timestamp("us", "UTC")),
        statuses=pa.chunked_array([["ok", "empty", "ok"]]),
        html=np.array([True, False, True]),
        attributes=pa.table({"sender": ["x", "y", None]}),
        inputs=("file.csv",),
        notes=("a guess",),
        counts={"records": 3},
        seconds=1.5,
    )


def test_texts_may_be_strings_or_an_arrow_column():
    assert Documents(["a", "b"]).texts.to_list() == ["a", "b"]
    assert Documents(pa.chunked_array([["a", None]])).texts.to_list() == ["a", ""]


def test_ids_are_positions_where_there_are_none():
    assert Documents(["a", "b"]).id_column().to_pylist() == ["0", "1"]


def test_replace_keeps_the_texts():
    documents = collection()
    assert replace(documents, seconds=2.0).texts is documents.texts


def test_slice_selects_rows_of_every_column():
    part = collection().slice(1, 3)
    assert part.texts.to_list() == ["two", "three"]
    assert part.id_column().to_pylist() == ["b", "c"]
    assert part.times.to_pylist() == [None, NOON]
    assert part.statuses.to_pylist() == ["empty", "ok"]
    assert part.html.tolist() == [False, True]
    assert part.attributes.to_pydict() == {"sender": ["y", None]}
    assert (part.inputs, part.notes, part.counts, part.seconds) == ((), (), {}, 0.0)


def test_take_selects_rows_in_the_given_order():
    part = collection().take(np.array([2, 0]))
    assert part.texts.to_list() == ["three", "one"]
    assert part.id_column().to_pylist() == ["c", "a"]
    assert part.times.to_pylist() == [NOON, NOON]
    assert part.statuses.to_pylist() == ["ok", "ok"]
    assert part.html.tolist() == [True, True]
    assert part.attributes.to_pydict() == {"sender": [None, "x"]}


def test_absent_columns_stay_absent():
    for part in (Documents(["a", "b"]).slice(0, 1), Documents(["a", "b"]).take(np.array([1]))):
        assert (part.ids, part.times, part.statuses, part.html, part.attributes) == (None,) * 5


def test_concatenate_appends_and_renames_repeated_ids():
    both = collection().concatenate(collection())
    assert both.texts.to_list() == ["one", "two", "three"] * 2
    assert both.id_column().to_pylist() == ["a", "b", "c", "a#2", "b#2", "c#2"]
    assert both.times.to_pylist() == [NOON, None, NOON] * 2
    assert both.html.tolist() == [True, False, True] * 2
    assert both.attributes.to_pydict() == {"sender": ["x", "y", None] * 2}
    assert both.counts == {"records": 6, "repeated_ids": 3}
    assert (both.inputs, both.notes, both.seconds) == (("file.csv",) * 2, ("a guess",) * 2, 3.0)


def test_concatenate_fills_columns_that_one_collection_lacks():
    both = Documents(["plain"]).concatenate(collection())
    assert both.id_column().to_pylist() == ["0", "a", "b", "c"]
    assert both.times.to_pylist() == [None, NOON, None, NOON]
    assert both.statuses.to_pylist() == ["ok", "ok", "empty", "ok"]
    assert both.html.tolist() == [False, True, False, True]
    assert both.attributes.to_pydict() == {"sender": [None, "x", "y", None]}


def test_concatenating_plain_texts_adds_no_columns():
    both = Documents(["a"]).concatenate(Documents(["b"]))
    assert both.id_column().to_pylist() == ["0", "0#2"]
    assert (both.times, both.statuses, both.html, both.attributes) == (None,) * 4


def test_documents_can_be_pickled():
    documents = pickle.loads(pickle.dumps(collection()))
    assert documents.texts.to_list() == ["one", "two", "three"]
    assert documents.attributes.to_pydict() == {"sender": ["x", "y", None]}
