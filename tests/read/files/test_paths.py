import os
from pathlib import Path

import pytest
from read_samples import ids, texts

from neardup.errors import InputError
from neardup.read import read
from neardup.read.files.paths import find_files


def test_patterns_select_files(write, tmp_path):
    for name in ("a/x.txt", "a/y.md", "b/x.txt"):
        write(name, name)
    assert ids(read(f"{tmp_path}/*/x.txt")) == ["a/x.txt", "b/x.txt"]
    assert ids(read(f"{tmp_path}/**/*.txt")) == ["a/x.txt", "b/x.txt"]
    assert ids(read(f"{tmp_path}/**")) == ["a/x.txt", "a/y.md", "b/x.txt"]
    assert ids(read(f"{tmp_path}/a*")) == ["a/x.txt", "a/y.md"]


def test_file_name_with_pattern_characters_is_read(write):
    assert texts(read(str(write("a[1].txt", "x")))) == ["x"]


def test_lists_may_mix_files_folders_and_patterns(write):
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
def test_missing_files_are_reported_with_advice(source, message):
    with pytest.raises(InputError, match=message):
        read(source)


def test_empty_folder_is_an_error(tmp_path):
    with pytest.raises(InputError, match="contains no files"):
        read(tmp_path)


def test_pipes_and_dead_links_in_folders_are_skipped(write, tmp_path):
    write("a.txt", "x")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "dead").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop").symlink_to(tmp_path)
    assert [place.name for place in find_files(tmp_path)] == ["a.txt"]


def test_named_pipe_is_read(tmp_path):
    reader, writer = os.pipe()
    os.write(writer, b"id,text\n1,x\n")
    os.close(writer)
    try:
        assert texts(read(f"/dev/fd/{reader}")) == ["x"]
    finally:
        os.close(reader)


def test_progress_counts_bytes(write, tmp_path):
    size = sum(write(f"{n}.txt", "x" * 700_000).stat().st_size for n in range(4))
    events = []
    read(tmp_path, progress=lambda *event: events.append(event))
    assert events[-1] == ("read", size, size)
    assert len(events) > 2
    assert all(stage == "read" and 0 < done <= total == size for stage, done, total in events)


def test_file_names_that_are_not_unicode_are_read(tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(path, "wb") as file:  # noqa: PTH123 - a name of bytes
        file.write(b"x")
    assert ids(read(tmp_path)) == ["caf\ufffd.txt"]
