import pytest
from read_samples import tarred, zipped

from neardup.read import kinds
from neardup.read.kinds import kind_of
from neardup.read.reading import Unreadable


@pytest.mark.parametrize(
    ("name", "head", "kind"),
    [
        ("a.CSV", b"a,b", kinds.CSV),
        ("a.tsv", b"a\tb", kinds.CSV),
        ("a.ndjson", b"{}", kinds.JSON_LINES),
        ("a.json", b'[{"a": 1}]', kinds.JSON),
        ("a.json", b'{"a": {}}\n{"a": {}}\n', kinds.JSON_LINES),
        ("a.txt", b"%PDF-1.4 is what a PDF begins with", kinds.TEXT),
        ("a.md", b"# title", kinds.TEXT),
        ("a.htm", b"<p>", kinds.HTML),
        ("a.eml", b"From: a", kinds.MESSAGE),
        ("a.mbox", b"From a", kinds.MBOX),
        ("unknown", b"PAR1....", kinds.PARQUET),
        ("unknown", b"ARROW1", kinds.ARROW),
        ("unknown", b"%PDF-1.4", kinds.PDF),
        ("a.csv", zipped({"a": b"x"}), kinds.ZIP),
        ("unknown", tarred({"a": b"x"}), kinds.TAR),
        ("a.docx", zipped({"a": b"x"}), kinds.DOCX),
        ("unknown", b"  <!-- c --><html>", kinds.HTML),
        ("unknown", b"From a@b Mon Nov 20 19:12:08 1995\nFrom: a@b\n", kinds.MBOX),
        ("unknown", b"From: a@b\nDate: x\nSubject: y\n\nbody", kinds.MESSAGE),
        ("unknown", b"Note: a\nAlso: x\nThen: y\n\nbody", kinds.TEXT),
        ("unknown", b'{"text": "a"}\n{"text": "b"}\n', kinds.JSON_LINES),
        ("unknown", b'[{"text": "a"},\n {"text": "b"}]', kinds.JSON),
        ("unknown", b'{"data": [{"id": 1}]}', kinds.JSON),
        ("unknown", b'\xef\xbb\xbf"Document ID","Comment"\r\n1,a\r\n', kinds.CSV),
        ("unknown", b"id\ttext\n1\ta\n", kinds.CSV),
        ("unknown", b"id;title;url\n1;a;b\n", kinds.CSV),
        ("unknown", b"text,comment", kinds.TEXT),  # there is no row
        ("unknown", b"Comments, questions\nare welcome", kinds.TEXT),  # only one of them is known
        ("unknown", b"Title, subject and date of the letter, which is long enough for a sentence\n", kinds.TEXT),
        ("unknown", b"{see text}\n", kinds.TEXT),
        ("unknown", b"[1] A footnote\n", kinds.TEXT),
        ("unknown", b"From here on it is text", kinds.TEXT),
        ("unknown", b"", kinds.TEXT),
        ("unknown", "wide text".encode("utf-16-le"), kinds.TEXT),
        ("a.txt", bytes(100), kinds.TEXT),
    ],
)
def test_kinds(name, head, kind):
    assert kind_of(name, head) == kind


def test_what_is_no_text():
    with pytest.raises(Unreadable, match="not text"):
        kind_of("unknown", bytes(range(256)))
