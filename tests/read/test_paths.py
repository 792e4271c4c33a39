import os
from pathlib import Path

import pytest
from read_samples import ids, texts

from neardup.errors import InputError
from neardup.read import read
from neardup.read.paths import find_places


def test_patterns(write, tmp_path):
    for name in ("a/x.txt", "a/y.md", "b/x.txt"):
        write(name, name)
    assert ids(read(f"{tmp_path}/*/x.txt")) == ["a/x.txt", "b/x.txt"]
    assert ids(read(f"{tmp_path}/**/*.txt")) == ["a/x.txt", "b/x.txt"]
    assert ids(read(f"{tmp_path}/**")) == ["a/x.txt", "a/y.md", "b/x.txt"]
    assert ids(read(f"{tmp_path}/a*")) == ["a/x.txt", "a/y.md"]


def test_a_name_with_the_signs_of_a_pattern(write):
    assert texts(read(str(write("a[1].txt", "x")))) == ["x"]


def test_lists_of_paths_are_mixed(write):
    csv, folder = write("a.csv", "id,text\n1,x\n"), write("in/b.txt", "y").parent
    found = read([csv, folder])
    assert texts(found) == ["x", "y"]
    assert ids(found) == ["1", "b.txt"]
    assert found.inputs == (str(csv), str(folder))


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("no-such-file.csv", "pass the texts themselves as a list of strings"),
        ("", "is not a file or folder"),
        ("no-such-*.csv", "no file matches"),
        ("https://example.org/a.csv", "download it"),
        ("a long text\0 that is\nno path " * 100, "is not a file or folder"),
        (Path("no-such-file"), "is not a file or folder"),
        ([Path("no-such-file")], "is not a file or folder"),
    ],
)
def test_what_is_not_there(source, message):
    with pytest.raises(InputError, match=message):
        read(source)


def test_an_empty_folder(tmp_path):
    with pytest.raises(InputError, match="holds no files"):
        read(tmp_path)


def test_pipes_and_dead_links_in_folders_are_left_out(write, tmp_path):
    write("a.txt", "x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dead").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert [place.name for place in find_places(tmp_path)] == ["a.txt"]


def test_a_pipe_that_is_named_is_read(tmp_path):
    reader, writer = os.pipe()
    os.write(writer, b"id,text\n1,x\n")
    os.close(writer)
    try:
        assert texts(read(f"/dev/fd/{reader}")) == ["x"]
    finally:
        os.close(reader)


def test_progress_counts_bytes(write, tmp_path):
    size = sum(write(f"{n}.txt", "x" * 700_000).stat().st_size for n in range(4))
    told = []
    read(tmp_path, progress=lambda *told_now: told.append(told_now))
    assert told[-1] == ("read", size, size)
    assert len(told) > 2
    assert all(stage == "read" and 0 < done <= total == size for stage, done, total in told)


def test_names_that_are_no_unicode(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"x")
    assert ids(read(tmp_path)) == ["caf\ufffd.txt"]
