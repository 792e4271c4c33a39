import pickle

import numpy as np
import pyarrow as pa
import pytest

from neardup.records import TextColumn

STRINGS = ["one two", "", "drei äpfel", "x"]


def columns():
    """Return the same texts as Python strings and as an Arrow column of several chunks, with null for no text."""
    return [
        TextColumn(list(STRINGS)),
        TextColumn(pa.chunked_array([["one two", None], [], ["drei äpfel", "x"]], pa.large_string())),
        TextColumn(pa.chunked_array([["skipped", "one two", None, "drei äpfel", "x"]]).slice(1)),
    ]


@pytest.fixture(params=range(3), ids=["strings", "chunks", "slice"])
def column(request):
    return columns()[request.param]


def test_items_iteration_and_list_agree(column):
    assert len(column) == 4
    assert [column[index] for index in range(4)] == STRINGS
    assert list(column) == STRINGS
    assert column.to_list() == STRINGS
    assert column[-1] == "x"


def test_a_list_of_strings_is_not_copied():
    strings = list(STRINGS)
    assert TextColumn(strings).to_list() is strings


def test_lengths_count_characters(column):
    assert column.lengths().tolist() == [7, 0, 10, 1]
    assert column.lengths().dtype == np.int64
    assert column.measure() == (7.0, 18)


def test_measure_of_empty_texts_is_zero():
    assert TextColumn([]).measure() == (0.0, 0)
    assert TextColumn(["", ""]).measure() == (0.0, 0)


def test_sizes_count_bytes_where_the_texts_are_encoded():
    strings, chunks, _ = columns()
    assert chunks.sizes().tolist() == [7, 0, 11, 1]
    assert strings.sizes().tolist() == strings.lengths().tolist()


def test_slice_and_take_select_texts(column):
    assert column.slice(1, 3).to_list() == ["", "drei äpfel"]
    assert column.slice(4, 4).to_list() == []
    assert column.take(np.array([3, 0, 3])).to_list() == ["x", "one two", "x"]


@pytest.mark.parametrize("first", range(3))
@pytest.mark.parametrize("second", range(3))
def test_concatenate_keeps_the_order(first, second):
    joined = columns()[first].concatenate(columns()[second])
    assert joined.to_list() == STRINGS * 2


def test_chunks_are_large_strings(column):
    chunks = column.chunks()
    assert {chunk.type for chunk in chunks} == {pa.large_string()}
    assert [text or "" for chunk in chunks for text in chunk.to_pylist()] == STRINGS


def test_encoded_texts_are_utf8(column):
    assert column.encoded() == [text.encode() for text in STRINGS]


def test_lone_surrogates_become_the_replacement_character():
    column = TextColumn(["a\ud800b"])
    assert column.encoded() == ["a\ufffdb".encode()]
    assert column.chunks()[0].to_pylist() == ["a\ufffdb"]


def test_a_column_can_be_pickled(column):
    assert pickle.loads(pickle.dumps(column)).to_list() == STRINGS


@pytest.mark.parametrize("column", [True, False])
def test_slice_is_a_column_of_these_texts(column):
    texts = ["a", "b", "c", "d"]
    opened = TextColumn(pa.chunked_array([texts[:1], texts[1:]], pa.large_string()) if column else texts)
    assert list(opened[1:3]) == ["b", "c"]
    assert list(opened[::2]) == ["a", "c"]
    assert opened[-1] == "d"
    assert opened[:2] == TextColumn(["a", "b"])
    assert opened == texts
    assert opened != [*texts, "e"]
    assert repr(opened) == "<TextColumn of 4 texts: 'a', 'b', 'c', …>"
