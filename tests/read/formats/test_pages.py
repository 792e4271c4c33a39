import gzip

import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read


def test_a_text_file_is_one_document(write):
    found = read(write("notes.txt", "one\ntwo\n"))
    assert texts(found) == ["one\ntwo\n"]
    assert ids(found) == ["notes.txt"]
    assert found.notes == ("notes.txt: plain text in UTF-8, one document per file.",)


@pytest.mark.parametrize("name", ["a.html", "b.HTM", "c.xhtml", "d.html.gz", "unknown"])
def test_markup_is_kept_and_flagged(write, name):
    source = "<!DOCTYPE html><html><p>x &amp; y</p></html>"
    found = read(write(name, gzip.compress(source.encode()) if name.endswith("gz") else source))
    assert texts(found) == [source]
    assert found.html.tolist() == [True]


def test_folder_is_read_in_order_without_hidden_files(write, tmp_path):
    for name in ("b.txt", "a/z.txt", "a/b/c.md", ".hidden", ".git/config", "unknown"):
        write(f"in/{name}", name)
    found = read(tmp_path / "in")
    assert ids(found) == ["a/b/c.md", "a/z.txt", "b.txt", "unknown"]
    assert texts(found) == ids(found)
    assert len(found.notes) == 1
    assert "and 3 more" in found.notes[0]


def test_an_empty_file_is_an_empty_document(write):
    assert statuses(read(write("a.txt", ""))) == ["empty"]


def test_encoding_that_html_declares_is_used(write):
    source = '<html><meta charset="koi8-r"><p>мир</p></html>'
    assert texts(read(write("a.html", source.encode("koi8-r")))) == [source]


def test_binary_file_is_unreadable(write):
    path = write("photo.jpg", bytes(range(256)) * 20)
    found = read(path)
    assert statuses(found) == ["unreadable"]
    assert ids(found) == ["photo.jpg"]
    with pytest.raises(InputError, match=r"photo\.jpg: it is not text"):
        read(path, strict=True)


def test_null_bytes_are_kept(write):
    assert texts(read(write("a.txt", b"a\0b and more text"))) == ["a\0b and more text"]


def test_large_document_is_read(write):
    size = 50_000_000
    assert len(read(write("a.txt", b"word " * (size // 5))).text(0)) == size
