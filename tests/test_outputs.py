"""Places are refused before the work, and what is written is there whole or not at all."""

import threading

import pytest

from neardup.errors import OutputError
from neardup.outputs import check_file, check_folder, check_inside, replacing, replacing_folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def write_half(place, name, error):
    with place as made:
        (made / name).write_text("new")
        raise error


def test_file_is_refused_over_a_folder_and_below_a_file(tmp_path):
    (tmp_path / "file").write_text("x")
    for place, reason in [(tmp_path, "it is a folder"), (tmp_path / "file/x.csv", "file is not a folder")]:
        with pytest.raises(OutputError, match=f"cannot write .*{reason}"):
            check_file(place)
    assert check_file(tmp_path / "new/deep/x.csv") == tmp_path / "new/deep/x.csv"
    assert check_file("/dev/null").name == "null"
    assert names(tmp_path) == ["file"]


def test_unwritable_folder_is_refused_for_every_user():
    for check in (check_file, lambda place: check_folder(place, "the run", lambda _: None)):
        with pytest.raises(OutputError, match="/proc is not a writable folder"):
            check("/proc/x.csv")
    with pytest.raises(OutputError, match="cannot write the export to /proc/x: /proc is not"):
        check_inside("/proc/x", "the export")


def test_folder_with_other_content_is_refused(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("x")
    with pytest.raises(OutputError, match="full is not ours: name a new or an empty folder"):
        check_folder(tmp_path / "full", "the run", lambda folder: "is not ours")
    check_folder(tmp_path / "full", "the run", lambda folder: None)
    with pytest.raises(OutputError, match="is a file: name a folder for the run"):
        check_folder(tmp_path / "full/x", "the run", lambda folder: None)


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_unfinished_output_leaves_the_old_one(tmp_path, error):
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/x").write_text("old")
    expected = OutputError if isinstance(error, OSError) else error
    with pytest.raises(expected):
        write_half(replacing(tmp_path / "file"), "", error)
    with pytest.raises(expected):
        write_half(replacing_folder(tmp_path / "folder", "the run"), "x", error)
    assert names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == (tmp_path / "folder/x").read_text() == "old"


def test_outputs_with_names_of_any_length_and_script_are_replaced(tmp_path):
    for name in ("x" * 255, "長" * 85):
        with replacing(tmp_path / name) as made:
            made.write_text("new")
        assert (tmp_path / name).read_text() == "new"


def test_concurrent_writers_leave_the_last_folder_whole(tmp_path):
    target, problems = tmp_path / "run", []
    together = threading.Barrier(8)

    def write(number):
        try:
            for _ in range(20):
                with replacing_folder(target, "the run") as made:
                    (made / "a").write_text(str(number))
                    (made / "b").write_text(str(number))
                    together.wait(600)
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert names(tmp_path) == ["run"]
    assert (target / "a").read_text() == (target / "b").read_text()
