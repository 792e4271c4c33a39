from datetime import UTC, date, datetime
from pathlib import Path

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read

ROWS = [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}, {"id": 3, "text": None}]


def test_list_of_strings_is_not_copied():
    strings = ["a", "b", "lone \ud800 surrogate"]
    found = read(strings)
    assert found.texts.to_list() is strings
    assert found.ids is None
    assert found.statuses is None
    assert found.counts["records"] == 3
    assert ids(found) == ["0", "1", "2"]


def test_list_of_strings_gets_no_statuses():
    documents = read(["a", "", " "])
    assert documents.statuses is None
    assert documents.counts["records"] == 3


def test_empty_list_gives_no_documents():
    assert len(read([])) == 0
    assert len(read(iter([]))) == 0


def test_none_in_a_list_is_unreadable():
    found = read(["a", None, "\ud800"])
    assert statuses(found) == ["ok", "unreadable", "ok"]
    assert found.texts.chunks()[0].to_pylist() == ["a", None, "\ufffd"]
    with pytest.raises(InputError, match="item 1"):
        read(["a", None], strict=True)


@pytest.mark.parametrize("make", [tuple, iter, lambda items: (item for item in items), np.array])
def test_other_sequences_of_strings_are_texts(make):
    assert texts(read(make(["a", "b"]))) == ["a", "b"]


def test_paths_in_a_list_are_paths_and_strings_are_texts(write):
    path = write("a.txt", "content")
    assert texts(read([path])) == ["content"]
    assert texts(read([str(path)])) == [str(path)]
    assert texts(read(item for item in [path])) == ["content"]
    with pytest.raises(InputError, match="either paths or texts"):
        read([path, "a"])


@pytest.mark.parametrize(
    "make",
    [
        list,
        iter,
        pd.DataFrame,
        pl.DataFrame,
        lambda rows: pl.DataFrame(rows).lazy(),
        pa.Table.from_pylist,
        lambda rows: pa.Table.from_pylist(rows).to_batches()[0],
        lambda rows: pa.Table.from_pylist(rows).to_reader(),
        datasets.Dataset.from_list,
        lambda rows: datasets.Dataset.from_list([rows[2], rows[0], rows[1]]).select([1, 2, 0]),
        lambda rows: datasets.Dataset.from_list(rows).to_iterable_dataset(),
    ],
)
def test_rows_of_every_kind_give_the_same_documents(make):
    found = read(make(ROWS))
    assert texts(found) == ["a", "b", ""]
    assert ids(found) == ["1", "2", "3"]
    assert statuses(found) == ["ok", "ok", "empty"]
    assert len(found.notes) == 1
    assert "text from 'text', id from 'id'" in found.notes[0]


@pytest.mark.parametrize(
    "make", [pd.Series, pl.Series, pa.array, lambda strings: pa.chunked_array([strings[:1], strings[1:]])]
)
def test_columns_of_strings_are_texts(make):
    found = read(make(["a", "b"]))
    assert texts(found) == ["a", "b"]
    assert {chunk.type for chunk in found.texts.chunks()} == {pa.large_string()}


def test_large_strings_are_not_copied():
    column = pa.array(["some text", "more"], pa.large_string())
    assert read(column).texts.chunks()[0].buffers()[2].address == column.buffers()[2].address


def test_frames_with_gaps_and_objects_are_converted():
    frame = pd.DataFrame({"id": [1.0, np.nan, 3.0], "text": ["a", 5, None], "date": pd.to_datetime(["2020-01-02"] * 3)})
    found = read(frame)
    assert texts(found) == ["a", "5", ""]
    assert ids(found) == ["1", "1#2", "3"]
    assert found.times[0].as_py() == datetime(2020, 1, 2, tzinfo=UTC)
    assert texts(read(pd.DataFrame({"text": ["a\ud800", "b"]}, dtype=object))) == ["a\ufffd", "b"]


def test_named_index_of_a_frame_is_a_column():
    frame = pd.DataFrame({"text": ["a", "b"]}, index=pd.Index(["x", "y"], name="id"))
    assert ids(read(frame)) == ["x", "y"]


def test_values_of_many_types_in_mappings_become_strings():
    rows = [
        {"id": 1, "text": "a", "time": datetime(2020, 1, 2, 3, tzinfo=UTC), "sender": "x"},
        {"id": "b", "text": ["p", "q"], "time": date(2020, 1, 3)},
        {"id": 2.0, "text": b"bytes", "time": float("nan")},
        {"id": None, "text": {"k": 1}},
    ]
    found = read(rows)
    assert texts(found) == ["a", "p\nq", "bytes", '{"k": 1}']
    assert ids(found) == ["1", "b", "2", "3"]
    assert [time and time.day for time in found.times.to_pylist()] == [2, 3, None, None]
    assert found.attributes.to_pylist()[0] == {"sender": "x"}


def test_columns_can_be_named():
    assert texts(read([{"one": "a", "two": "b"}], text="two")) == ["b"]
    with pytest.raises(InputError, match="no column 'three'"):
        read(pd.DataFrame({"one": ["a"]}), text="three")
    with pytest.raises(InputError, match="has no columns"):
        read(["a"], text="one")


def test_longest_column_is_the_text_if_no_name_is_known():
    assert texts(read(pa.table({"n": [1], "x": ["short"], "y": ["much longer"]}))) == ["much longer"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (5, "int is not a collection"),
        (b"bytes", "bytes is not a collection"),
        (None, "NoneType is not a collection"),
        ({"a": "text"}, "a mapping from 'a'"),
        ([1, 2], "item 0 is of type int"),
        (["a", 5], "item 1 is of type int"),
        (datasets.DatasetDict({"train": datasets.Dataset.from_list(ROWS)}), "name the split"),
    ],
)
def test_other_types_are_refused(source, message):
    with pytest.raises(InputError, match=message):
        read(source)


def test_open_files_are_refused(write):
    with write("a.txt", "x").open() as file, pytest.raises(InputError, match="is not a collection"):
        read(file)


def test_more_items_than_a_batch_keep_their_order():
    found = read({"id": n, "text": str(n)} for n in range(25_000))
    assert texts(found)[-1] == "24999"
    assert len(found) == 25_000


def test_relative_paths_are_read(monkeypatch, write):
    path = write("a.txt", "x")
    monkeypatch.chdir(path.parent)
    assert texts(read("a.txt")) == ["x"]
    assert texts(read(Path("a.txt"))) == ["x"]
