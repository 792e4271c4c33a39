import pyarrow as pa
import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read, stack
from neardup.read.reading import COUNTED
from neardup.records import Documents


def test_inputs_of_many_formats_are_read_in_order(write, tmp_path):
    write("in/a.csv", "id,text\n1,one\n1,\n")
    write("in/b.txt", "two")
    write("in/c.jsonl", '{"id": "1", "text": "three"}\nbad\n')
    found = read(tmp_path / "in")
    assert texts(found) == ["one", "", "two", "three", ""]
    assert ids(found) == ["1", "1#2", "b.txt", "1#3", "4"]
    assert statuses(found) == ["ok", "empty", "ok", "ok", "unreadable"]
    assert found.counts == {
        "records": 5,
        "empty": 1,
        "unreadable": 1,
        "repeated_ids": 2,
        "times_unparsed": 0,
        "blank_lines": 0,
        "replaced_characters": 0,
    }
    assert {chunk.type for chunk in found.texts.chunks()} == {pa.large_string()}
    assert found.ids.type == pa.string()
    assert found.times is None
    assert found.attributes is None


def test_counts_are_always_complete(write):
    for source in (["a"], [], [{"text": "a"}], write("a.txt", "x")):
        assert tuple(read(source).counts) == COUNTED


def test_without_ids_the_position_is_the_id(write):
    found = read(write("a.csv", "text,size\na,1\nb,2\n"))
    assert found.ids is None
    assert ids(found) == ["0", "1"]


def test_invalid_times_are_counted(write):
    found = read(write("a.csv", "text,time\na,unknown\nb,2020-01-01\nc,\n"))
    assert found.times.null_count == 2
    assert found.counts["times_unparsed"] == 1


def test_long_lists_of_notes_are_shortened(write, tmp_path):
    for number in range(30):
        write(f"in/{number:02}.csv", f"column{number},text\n1,2\n3\n")
        write(f"in/{number:02}.jsonl", f'{{"id{number}x": "a", "unknown{number}": "longer"}}\n')
    said = read(tmp_path / "in").notes
    assert len(said) < 30
    assert any(sentence.startswith("00.csv and 29 more: CSV") for sentence in said)
    assert "Could not be read: 25 more." in said


def test_strict_raises_at_the_first_problem(write, tmp_path):
    write("in/a.csv", "id,text\n1,a\n2\n")
    write("in/b.jsonl", "bad")
    with pytest.raises(InputError, match=r"a\.csv, line 3.*without strict"):
        read(tmp_path / "in", strict=True)


def test_stacked_collections_have_two_sides():
    both, sides = stack(read(["a", "b"]), read(["c"]))
    assert both.texts.to_list() == ["a", "b", "c"]
    assert ids(both) == ["0", "1", "0#2"]
    assert sides.tolist() == [0, 0, 1]


def test_standard_input_is_refused_for_both_collections():
    source = Documents(["a"], inputs=("-",))
    with pytest.raises(InputError, match="standard input can be read only once"):
        stack(source, source)
