import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read
from neardup.read.formats.lines import scanning


def test_columns_are_found_and_noted(write):
    found = read(write("a.csv", 'ID,Body,Date\n7,"one, two",2020-01-02\n8,three,\n'))
    assert texts(found) == ["one, two", "three"]
    assert ids(found) == ["7", "8"]
    assert found.times.to_pylist() == [datetime(2020, 1, 2, tzinfo=UTC), None]
    assert found.notes == (
        "a.csv: CSV separated by commas, in UTF-8; text from 'Body', id from 'ID', time from 'Date'.",
    )
    assert found.statuses is None
    assert found.html is None
    assert found.inputs[0].endswith("a.csv")


@pytest.mark.parametrize(("sign", "word"), [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "bar")])
def test_delimiter_is_found(write, sign, word):
    rows = [["id", "text"], ["1", "a, b; c"], ["2", 'say "x"'], ["3", "plain | and\ttab"]]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=sign).writerows(rows)
    found = read(write("a.csv", buffer.getvalue()))
    assert texts(found) == [row[1] for row in rows[1:]]
    assert f"separated by {word}" in found.notes[0]


def test_fields_may_contain_line_ends_quotes_and_nulls(write):
    found = read(write("a.csv", b'id,text\r\n1,"a\r\n\r\nb"\r\n2,"say ""hi"""\r\n3,nul\x00byte\r\n'))
    assert texts(found) == ["a\r\n\r\nb", 'say "hi"', "nul\0byte"]
    assert found.counts["blank_lines"] == 0


def test_line_ends_may_be_carriage_returns(write):
    assert texts(read(write("a.csv", b"id,text\r1,a\r2,b"))) == ["a", "b"]


def test_broken_row_is_unreadable_at_its_position(write):
    found = read(write("a.csv", "id,text\n1,a\n2,b,c\n3\n4,d\n"))
    assert statuses(found) == ["ok", "unreadable", "unreadable", "ok"]
    assert texts(found) == ["a", "", "", "d"]
    assert ids(found) == ["1", "1#2", "2", "4"]
    assert found.texts.chunks()[0].to_pylist()[1] is None
    assert found.counts["unreadable"] == 2
    assert "Could not be read: a.csv, line 3: 3 fields instead of 2." in found.notes


def test_missing_quote_affects_only_its_row(write):
    found = read(write("a.csv", 'id,text\n1,"a"\n2,"b\n3,"c"\n4,d\n5,"e"\n'))
    assert texts(found) == ["a", "", "c", "d", "e"]
    assert statuses(found)[1] == "unreadable"


def test_unclosed_quote_affects_only_its_row(write):
    found = read(write("a.csv", 'id,text\n1,a\n2,"b\n3,c\n4,d\n'))
    assert texts(found) == ["a", "", "c", "d"]


def test_quote_within_an_unquoted_field_is_a_character(write):
    found = read(write("a.csv", 'id,text\n1,a 5" pipe\n2,"quoted, ""twice"""\n3,b\n'))
    assert texts(found) == ['a 5" pipe', 'quoted, "twice"', "b"]
    assert found.statuses is None


def test_strict_names_file_and_line(write):
    path = write("a.csv", 'id,text\n1,"a\nb"\n2,b,c\n')
    with pytest.raises(InputError, match=r"a\.csv, line 4: 3 fields instead of 2"):
        read(path, strict=True)


def test_backslashes_may_escape_quotes(write):
    found = read(write("a.csv", 'id,text\n1,"say \\"hi, you\\" now"\n2,"a, \\"b\\""\n'))
    assert texts(found) == ['say "hi, you" now', 'a, "b"']
    assert "escaped by a backslash" in found.notes[0]


def test_tab_separated_files_may_lack_quoting(write):
    found = read(write("a.tsv", 'id\ttext\n1\t"he said\n2\tno "q" here\n3\t"yes" he said\n'))
    assert texts(found) == ['"he said', 'no "q" here', '"yes" he said']
    assert "quotes read as ordinary characters" in found.notes[0]


def test_blank_lines_are_counted_but_are_not_records(write):
    found = read(write("a.csv", "\n\nid,text\n\n1,a\n   \n\n2,b\n\n"))
    assert texts(found) == ["a", "b"]
    assert found.counts["blank_lines"] == 6


def test_empty_texts_get_a_status(write):
    found = read(write("a.csv", 'id,text\n1,\n2,"  \t"\n3,x\n'))
    assert statuses(found) == ["empty", "empty", "ok"]
    assert found.counts["empty"] == 2


def test_table_without_header_is_read(write):
    found = read(write("a.tsv", "ham\tGo until jurong point, crazy\nspam\tFree entry\nham\tOk lar\n"))
    assert texts(found) == ["Go until jurong point, crazy", "Free entry", "Ok lar"]
    assert "without a header" in found.notes[0]
    assert "the longest column, 'column2'" in found.notes[0]


def test_longest_column_is_the_text_if_names_are_unknown(write):
    found = read(write("a.csv", "alpha,beta\nshort,a much longer value\nx,and another long one\n"))
    assert texts(found)[0] == "a much longer value"
    assert "the text is the longest column, 'beta'" in found.notes[0]


def test_one_column_needs_no_delimiter(write):
    assert texts(read(write("a.csv", "text\nHello, world\nfoo\n"))) == ["Hello, world", "foo"]


def test_repeated_column_names_are_numbered(write):
    assert texts(read(write("a.csv", "id,title,title,text\n1,a,b,c\n"))) == ["c"]


def test_rows_may_have_one_field_more_or_less_than_the_header(write):
    assert texts(read(write("a.csv", "id,text\n1,a,\n2,b,\n"))) == ["a", "b"]
    assert texts(read(write("b.csv", '"id","text"\n"1","x","a"\n"2","y","b"\n'))) == ["a", "b"]
    assert texts(read(write("c.csv", "id,text,\n1,a\n2,b\n"))) == ["a", "b"]


def test_missing_column_is_an_error_with_suggestions(write):
    path = write("a.csv", "id,Comments\n1,a\n")
    with pytest.raises(InputError, match=r"no column 'coment'.*'id', 'Comments'.*mean 'Comments'"):
        read(path, text="coment")
    assert texts(read(path, text="COMMENTS")) == ["a"]


def test_named_columns_take_precedence(write):
    found = read(write("a.csv", "id,text,mine,other,when\n1,a,b,c,1999\n"), text="mine", id="other", time="when")
    assert (texts(found), ids(found)) == (["b"], ["c"])
    assert found.times[0].as_py().year == 1999


def test_columns_of_the_regulations_portal_are_known(write):
    found = read(
        write(
            "a.csv",
            "Document ID,Agency ID,Docket ID,Tracking Number,Document Type,Posted Date,Title,Received Date,Abstract,"
            "Subject,First Name,Last Name,Organization Name,Comment,Attachment Files\n"
            "EPA-1,EPA,EPA-D,x,Public Submission,2020-02-03T05:00Z,Comment from A,2020-02-01T05:00Z,,s,Ann,Lee,,No!,\n"
            "EPA-2,EPA,EPA-D,x,Public Submission,2020-02-03T05:00Z,Comment from B,,,s,Bo,Ek,Org Inc,Yes!,\n",
        )
    )
    assert texts(found) == ["No!", "Yes!"]
    assert ids(found) == ["EPA-1", "EPA-2"]
    assert [time.day for time in found.times.to_pylist()] == [1, 3]
    assert found.attributes.to_pylist() == [
        {"sender": "Ann Lee", "docket": "EPA-D", "topic": "Comment from A"},
        {"sender": "Org Inc", "docket": "EPA-D", "topic": "Comment from B"},
    ]
    assert "regulations portal" in found.notes[0]


def test_file_without_records_gives_no_documents(write):
    assert len(read(write("a.csv", ""))) == 0
    assert len(read(write("b.csv", "id,text\n"))) == 0
    assert read(write("c.csv", "\n" * 50)).counts["blank_lines"] == 50


def test_many_blank_lines_are_skipped_quickly(write):
    found = read(write("a.csv", b"id,text\n" + b"\n" * 3_000_000 + b"1,a\n"))
    assert texts(found) == ["a"]
    assert found.counts["blank_lines"] == 3_000_000


def test_block_size_does_not_change_the_result(write, monkeypatch):
    content = 'id,text\n1,"a\nb"\n\n2,b,c\n3,"d ""e"" f"\n4,' + "g" * 100 + '\n5,"h\n6,i\n7,"j"\n'
    whole = read(write("a.csv", content))
    monkeypatch.setattr(scanning, "BLOCK", 5)
    pieces = read(write("a.csv", content))
    assert texts(pieces) == texts(whole)
    assert statuses(pieces) == statuses(whole)
    assert pieces.counts == whole.counts


@given(rows=st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=8))
def test_reads_what_the_standard_writer_writes(tmp_path_factory, rows):
    rows = [tuple(cell.encode("utf-8", "replace").decode() for cell in row) for row in rows]
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("id", "text"), *rows])
    assert texts(read(path, text="text", id="id")) == [text for _, text in rows]
