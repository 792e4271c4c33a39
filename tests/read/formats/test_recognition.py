import pytest
from read_samples import tarred, zipped

from neardup.read.formats.recognition import find_format
from neardup.read.reading import Unreadable


@pytest.mark.parametrize(
    ("name", "head", "expected"),
    [
        ("a.CSV", b"a,b", "CSV"),
        ("a.tsv", b"a\tb", "CSV"),
        ("a.ndjson", b"{}", "JSON lines"),
        ("a.json", b'[{"a": 1}]', "JSON"),
        ("a.json", b'{"a": {}}\n{"a": {}}\n', "JSON lines"),
        ("a.txt", b"%PDF-1.4 is what a PDF begins with", "plain text"),
        ("a.md", b"# title", "plain text"),
        ("a.htm", b"<p>", "HTML"),
        ("a.eml", b"From: a", "mail message"),
        ("a.mbox", b"From a", "mbox"),
        ("unknown", b"PAR1....", "Parquet"),
        ("unknown", b"ARROW1", "Arrow"),
        ("unknown", b"%PDF-1.4", "PDF"),
        ("a.csv", zipped({"a": b"x"}), "zip"),
        ("unknown", tarred({"a": b"x"}), "tar"),
        ("a.docx", zipped({"a": b"x"}), "DOCX"),
        ("unknown", b"  <!-- c --><html>", "HTML"),
        ("unknown", b"From a@b Mon Nov 20 19:12:08 1995\nFrom: a@b\n", "mbox"),
        ("unknown", b"From: a@b\nDate: x\nSubject: y\n\nbody", "mail message"),
        ("unknown", b"Note: a\nAlso: x\nThen: y\n\nbody", "plain text"),
        ("unknown", b'{"text": "a"}\n{"text": "b"}\n', "JSON lines"),
        ("unknown", b'[{"text": "a"},\n {"text": "b"}]', "JSON"),
        ("unknown", b'{"data": [{"id": 1}]}', "JSON"),
        ("unknown", b'\xef\xbb\xbf"Document ID","Comment"\r\n1,a\r\n', "CSV"),
        ("unknown", b"id\ttext\n1\ta\n", "CSV"),
        ("unknown", b"id;title;url\n1;a;b\n", "CSV"),
        ("unknown", b"text,comment", "plain text"),  # there is no row
        ("unknown", b"Comments, questions\nare welcome", "plain text"),  # only one of them is known
        ("unknown", b"Title, subject and date of the letter, which is long enough for a sentence\n", "plain text"),
        ("unknown", b"{see text}\n", "plain text"),
        ("unknown", b"[1] A footnote\n", "plain text"),
        ("unknown", b"From here on it is text", "plain text"),
        ("unknown", b"", "plain text"),
        ("unknown", "wide text".encode("utf-16-le"), "plain text"),
        ("a.txt", bytes(100), "plain text"),
    ],
)
def test_format_is_found_by_suffix_magic_and_beginning(name, head, expected):
    assert find_format(name, head).name == expected


def test_binary_file_of_unknown_format_is_unreadable():
    with pytest.raises(Unreadable, match="not text"):
        find_format("unknown", bytes(range(256)))
