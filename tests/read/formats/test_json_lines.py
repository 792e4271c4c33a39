import json

import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read
from neardup.read.formats.lines import scanning


def lines(*records):
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def test_each_line_is_an_object(write):
    found = read(write("a.jsonl", lines({"id": 5, "text": "a\0é"}, {"text": "b", "id": 6}, {"id": 7, "text": None})))
    assert texts(found) == ["a\0é", "b", ""]
    assert ids(found) == ["5", "6", "7"]
    assert statuses(found) == ["ok", "ok", "empty"]
    assert found.notes == ("a.jsonl: JSON lines in UTF-8; text from 'text', id from 'id'.",)


def test_invalid_line_is_unreadable_at_its_position(write):
    path = write("a.jsonl", '{"text": "a"}\n{"text": "b"\n[1]\n\n{"text": "c"}\n')
    found = read(path)
    assert statuses(found) == ["ok", "unreadable", "unreadable", "ok"]
    assert texts(found) == ["a", "", "", "c"]
    assert found.counts["blank_lines"] == 1
    assert "a.jsonl, line 2: not a valid JSON object" in found.notes[1]
    with pytest.raises(InputError, match=r"a\.jsonl, line 2"):
        read(path, strict=True)


def test_two_objects_on_a_line_are_one_unreadable_record(write):
    found = read(write("a.jsonl", '{"text": "a"}{"text": "b"}\n{"text":\n"c"}\n{"text": "d"}\n'))
    assert statuses(found) == ["unreadable", "unreadable", "unreadable", "ok"]


def test_mixed_types_become_strings(write):
    found = read(
        write("a.jsonl", lines({"id": 1, "text": "a"}, {"id": "x", "text": 5}, {"id": 2.0, "text": ["p", "q"]}))
    )
    assert texts(found) == ["a", "5", "p\nq"]
    assert ids(found) == ["1", "x", "2"]


def test_lone_surrogates_become_replacement_characters(write):
    assert texts(read(write("a.jsonl", '{"text": "a\\ud800b"}\n{"text": "\\ud83d\\ude00"}\n'))) == ["a\ufffdb", "😀"]


def test_lines_may_be_strings(write):
    assert texts(read(write("a.jsonl", '"a"\n"b"\n'))) == ["a", "b"]


def test_attributes_of_json_api_objects_are_columns(write):
    record = {"id": "E-1", "type": "comments", "attributes": {"comment": "No!", "docketId": "E", "id": "other"}}
    found = read(write("a.jsonl", lines(record, record | {"id": "E-2"})))
    assert texts(found) == ["No!", "No!"]
    assert ids(found) == ["E-1", "E-2"]
    assert found.attributes["docket"].to_pylist() == ["E", "E"]


def test_html_columns_are_flagged(write):
    assert read(write("a.jsonl", lines({"html": "<p>a", "id": 1}))).html.tolist() == [True]
    assert read(write("b.jsonl", lines({"text": "<p>a", "id": 1}))).html is None


def test_numbers_are_times(write):
    found = read(write("a.jsonl", lines({"text": "a", "time": 1355261610}, {"text": "b", "time": 1355261610.5})))
    assert [time.microsecond for time in found.times.to_pylist()] == [0, 500_000]


def test_attributes_that_are_not_strings_are_left_out(write):
    found = read(write("a.jsonl", lines({"text": "a", "topic": ["x"], "sender": "me"})))
    assert found.attributes.column_names == ["sender"]


def test_many_blank_lines_are_skipped_quickly(write):
    found = read(write("a.jsonl", b"\n" * 3_000_000 + b'{"text": "a"}\n'))
    assert texts(found) == ["a"]
    assert found.counts["blank_lines"] == 3_000_000


def test_file_of_only_invalid_lines_is_unreadable(write):
    assert statuses(read(write("a.jsonl", "x\ny\n"))) == ["unreadable", "unreadable"]


def test_deep_nesting_is_unreadable(write):
    found = read(write("a.jsonl", '{"text": "a"}\n{"text": ' + "[" * 100_000 + "]" * 100_000 + "}\n"))
    assert statuses(found) == ["ok", "unreadable"]


def test_table_without_text_is_an_error_alone_and_unreadable_among_others(write, tmp_path):
    path = write("a.jsonl", '{"n": 1}\n{"n": 2}\n')
    with pytest.raises(InputError, match="no column of 'n' contains text"):
        read(path)
    write("b.txt", "text")
    assert statuses(read(tmp_path)) == ["unreadable", "unreadable", "ok"]


def test_block_size_does_not_change_the_result(write, monkeypatch):
    content = lines(*({"id": n, "text": "x" * n} for n in range(20))) + "bad\n\n" + lines({"id": "z", "text": 1})
    whole = read(write("a.jsonl", content))
    monkeypatch.setattr(scanning, "BLOCK", 9)
    pieces = read(write("a.jsonl", content))
    assert texts(pieces) == texts(whole)
    assert ids(pieces) == ids(whole)
    assert pieces.counts == whole.counts
