import gzip
import io
import tarfile
import zipfile

import pytest
from read_samples import ids, statuses, tarred, texts, zipped

from neardup.read import Limits, read
from neardup.read.formats.archives.members import safe_path

MEMBERS = {"a.csv": b"id,text\n1,x\n", "sub/b.txt": b"bee", "c.jsonl.gz": gzip.compress(b'{"text": "sea"}\n')}


@pytest.mark.parametrize(
    ("name", "raw"),
    [("a.zip", zipped(MEMBERS)), ("a.tar", tarred(MEMBERS)), ("a.tgz", gzip.compress(tarred(MEMBERS)))],
)
def test_each_member_is_read_in_its_format(write, name, raw):
    found = read(write(name, raw))
    assert texts(found) == ["x", "bee", "sea"]
    assert ids(found) == ["1", f"{name}/sub/b.txt", "2"]


def test_paths_that_leave_the_archive_are_only_names(write, tmp_path):
    found = read(write("in/a.zip", zipped({"../../evil.txt": b"x", "/etc/b.txt": b"y", "C:\\..\\c.txt": b"z"})))
    assert ids(found) == ["a.zip/evil.txt", "a.zip/etc/b.txt", "a.zip/C:/c.txt"]
    assert [path.name for path in tmp_path.rglob("*")] == ["in", "a.zip"]
    assert safe_path("../..") == "unnamed"


def test_hidden_members_and_folders_are_left_out(write):
    raw = zipped({"__MACOSX/._a.txt": b"x", ".DS_Store": b"x", "folder/": b"", "a.txt": b"y"})
    assert ids(read(write("a.zip", raw))) == ["a.zip/a.txt"]


def test_links_in_tar_are_not_followed(write):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    assert len(read(write("a.tar", buffer.getvalue()))) == 0


def test_archives_are_read_up_to_two_deep(write):
    raw = zipped({"deep.txt": b"x"})
    two = zipped({"inner.zip": raw})
    assert ids(read(write("a.zip", two))) == ["a.zip/inner.zip/deep.txt"]
    found = read(write("a.zip", zipped({"middle.zip": two, "b.txt": b"b"})))
    assert ids(found) == ["a.zip/middle.zip/inner.zip", "a.zip/b.txt"]
    assert statuses(found) == ["unreadable", "ok"]


def test_a_zip_bomb_is_unreadable_and_the_rest_is_read(write, read_within):
    raw = zipped({"a.txt": b"first", "bomb.txt": bytes(20_000_000), "z.txt": b"last"})
    found = read_within(write("a.zip", raw), Limits(member_bytes=1_000_000))
    assert texts(found) == ["first", "", "last"]
    assert statuses(found) == ["ok", "unreadable", "ok"]
    assert "bomb.txt: it decompresses to more than 200 times its size" in found.notes[-1]


def test_many_small_bombs_count_together(write, read_within):
    raw = zipped({f"{n}.txt": bytes(900_000) for n in range(10)})
    found = read_within(write("a.zip", raw), Limits(member_bytes=1_000_000, total_bytes=2_000_000, ratio=100))
    assert statuses(found) == ["ok"] * 2 + ["unreadable"] * 8
    assert any("in total" in sentence for sentence in found.notes)


def test_bomb_in_a_compressed_tar_is_unreadable(write, read_within):
    raw = gzip.compress(tarred({"a.txt": b"x", "b.txt": bytes(30_000_000)}))
    found = read_within(write("a.tar.gz", raw), Limits(member_bytes=1_000_000))
    assert statuses(found) == ["ok", "unreadable"]


def test_damaged_members_are_unreadable(write):
    raw = bytearray(zipped({"a.txt": b"some text " * 50, "b.txt": b"fine"}))
    raw[42] ^= 0xFF
    found = read(write("a.zip", bytes(raw)))
    assert statuses(found) == ["unreadable", "ok"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar"])
def test_damaged_archives_give_the_readable_members(write, name):
    raw = zipped(MEMBERS)[:-30] if name == "a.zip" else tarred({"a.txt": b"a", "b.txt": b"b" * 5000})[:3000]
    found = read(write(name, raw))
    assert statuses(found)[-1] == "unreadable"
    assert statuses(found)[:-1] == (["ok"] if name == "a.tar" else [])


def test_encrypted_members_are_unreadable(write):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", b"secret")
    raw = bytearray(buffer.getvalue())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    found = read(write("a.zip", bytes(raw)))
    assert statuses(found) == ["unreadable"]
    assert "encrypted" in found.notes[0]
