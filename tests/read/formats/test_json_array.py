import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read


def test_array_of_objects_is_read(write):
    found = read(write("a.json", '[{"id": "x", "text": "a"},\n {"text": "b", "date": "2020-01-01"}]'))
    assert texts(found) == ["a", "b"]
    assert ids(found) == ["x", "1"]
    assert found.times[1].as_py().year == 2020


def test_array_of_strings_is_read(write):
    assert texts(read(write("a.json", '["a", "b"]'))) == ["a", "b"]


def test_json_of_the_regulations_portal_is_read(write):
    found = read(
        write(
            "a.json",
            """{"meta": {"totalElements": 2}, "data": [
            {"id": "E-1", "type": "comments", "attributes": {"comment": "No!", "docketId": "E", "postedDate":
             "2021-05-06T04:00:00Z", "receiveDate": "2021-05-05T04:00:00Z", "firstName": "Ann", "lastName": "Lee"}},
            {"id": "E-2", "attributes": {"comment": "Yes!", "docketId": "E", "postedDate": "2021-05-06T04:00:00Z"}}],
            "links": [{"self": "x"}]}""",
        )
    )
    assert texts(found) == ["No!", "Yes!"]
    assert ids(found) == ["E-1", "E-2"]
    assert [time.day for time in found.times.to_pylist()] == [5, 6]
    assert found.attributes.to_pylist() == [{"sender": "Ann Lee", "docket": "E"}, {"sender": None, "docket": "E"}]


def test_one_object_is_one_document(write):
    assert texts(read(write("a.json", '{"data": {"id": "E", "attributes": {"comment": "No!"}}}'))) == ["No!"]
    assert texts(read(write("b.json", '{"title": "t", "body": "b"}'))) == ["b"]


def test_json_lines_in_a_json_file_are_recognised(write):
    assert texts(read(write("a.json", '{"text": "a"}\n{"text": "b"}\n'))) == ["a", "b"]


def test_broken_item_is_unreadable_at_its_position(write):
    path = write("a.json", '[{"text": "a"}, {"text": b}, {"text": "c"}, 5]')
    found = read(path)
    assert texts(found) == ["a", "", "c", ""]
    assert statuses(found) == ["ok", "unreadable", "ok", "unreadable"]
    with pytest.raises(InputError, match=r"a\.json, item 2"):
        read(path, strict=True)


def test_items_before_a_break_are_read(write):
    found = read(write("a.json", '[{"text": "a"}, {"text": "b'))
    assert statuses(found) == ["ok", "unreadable"]


@pytest.mark.parametrize("content", ["5", "", '{"a": ', "{" * 50_000, "not json"])
def test_invalid_json_is_one_unreadable_record(write, content):
    assert statuses(read(write("a.json", content))) == ["unreadable"]


def test_empty_array_gives_no_documents(write):
    assert len(read(write("a.json", "[]"))) == 0
    assert len(read(write("b.json", '{"data": []}'))) == 0
