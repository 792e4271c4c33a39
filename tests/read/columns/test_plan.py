import pytest

from neardup.errors import InputError
from neardup.read.columns.plan import Plan, match_column, plan_columns
from neardup.read.reading import Reading, Wanted


def plan(*names, longest=None, **wanted):
    return plan_columns(names, Reading(Wanted(**wanted)), "here", lambda _: longest)


@pytest.mark.parametrize(
    ("names", "text", "identity", "time"),
    [
        (("ID", "Text", "Date"), "Text", "ID", "Date"),
        (("comment", "content"), "content", None, None),
        (("Document-ID", "message body", "Body", "created_at"), "Body", "Document-ID", "created_at"),
        (("guid", "title", "description", "pubDate"), "description", "guid", "pubDate"),
        (("doc_id", "title"), "title", "doc_id", None),
    ],
)
def test_columns_are_recognised_by_name(names, text, identity, time):
    found = plan(*names)
    assert (found.text, found.id) == (text, identity)
    assert found.time == (((time,),) if time else ())


def test_attributes_do_not_reuse_columns():
    found = plan("text", "From", "to", "Subject", "docket_id")
    assert found.attributes == {
        "sender": (("From",),),
        "receiver": (("to",),),
        "docket": (("docket_id",),),
        "topic": (("Subject",),),
    }
    assert plan("title", "id").attributes == {}
    assert found.columns() == ["text", "From", "to", "docket_id", "Subject"]


def test_given_names_take_precedence():
    found = plan("text", "id", "date", "x", "y", "z", text="X", id="y", time="z")
    assert found == Plan("x", "y", (("z",),), {}, False, "text from 'x', id from 'y', time from 'z'")


def test_longest_column_is_the_last_resort():
    assert plan("a", "b", longest="b").text == "b"
    with pytest.raises(InputError, match="here: no column of 'a', 'b' contains text"):
        plan("a", "b")


def test_exact_names_are_preferred():
    assert match_column("Text", ["text", "Text"], "here") == "Text"
    with pytest.raises(InputError, match="no column 'TEXT'"):
        match_column("TEXT", ["text", "Text"], "here")


def test_html_columns_are_recognised():
    assert plan("id", "HTML").html
    assert not plan("id", "body").html
