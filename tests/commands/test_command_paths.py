"""Paths that cannot be written or read: errors come before any work, and say what to do."""

import pytest

REFUSED = "/proc/x"


@pytest.mark.parametrize(
    "arguments",
    [
        ("find", "letters.csv", "--text", "nosuch", "-o", REFUSED),
        ("find", "letters.csv", "--text", "nosuch", "--export", f"{REFUSED}.csv"),
        ("find", "letters.csv", "--text", "nosuch", "--export", f"{REFUSED}/"),
        ("dedup", "letters.csv", "--text", "nosuch", "-o", f"{REFUSED}.csv"),
        ("dedup", "letters.csv", "letters2.csv", "--text", "nosuch", "-o", REFUSED),
        ("export", "nosuch", "-o", f"{REFUSED}.csv"),
        ("export", "nosuch", "-o", f"{REFUSED}.xlsx"),
        ("export", "nosuch", "-o", f"{REFUSED}/"),
        ("letters", "letters.csv", "--text", "nosuch", "-o", f"{REFUSED}.jsonl"),
        ("lattice", "nosuch", "L1", "-o", f"{REFUSED}.svg"),
        ("lexicon", "build", "letters.csv", "--text", "nosuch", "-o", REFUSED),
        ("lexicon", "stability", "nosuch", "nosuch", "--on", "nosuch", "-o", REFUSED),
        ("corpus", "make", "--letters", "nosuch", "--seed", "1", "-o", REFUSED),
        ("reproduce", "durian", "--letters", "nosuch", "-o", REFUSED),
        ("reproduce", "simfinder", "--corpus", "nosuch", "-o", REFUSED),
        ("reproduce", "concepts", "--pages", "nosuch", "-o", REFUSED),
        ("reproduce", "conrad", "--news", "nosuch", "-o", REFUSED),
        ("index", "build", f"{REFUSED}.idx", "letters.csv", "--text", "nosuch"),
    ],
)
def test_path_that_cannot_be_written_is_refused_before_reading(letters, neardup, arguments):
    (letters / "letters2.csv").write_bytes((letters / "letters.csv").read_bytes())
    done = neardup(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "/proc" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("find", "letters.csv", "--text", "nosuch", "-o", "letters.csv"),
        ("find", "letters.csv", "--text", "nosuch", "-o", "letters.csv/run"),
        ("find", "letters.csv", "--text", "nosuch", "--export", "folder.csv"),
        ("dedup", "letters.csv", "--text", "nosuch", "-o", "folder.csv"),
        ("dedup", "letters.csv", "--text", "nosuch", "-o", "letters.csv/out.csv"),
        ("letters", "letters.csv", "--text", "nosuch", "-o", "folder.jsonl"),
        ("lexicon", "build", "letters.csv", "--text", "nosuch", "-o", "folder.csv"),
    ],
)
def test_folder_in_place_of_a_file_is_refused_before_reading(letters, neardup, arguments):
    for name in ("folder.csv", "folder.jsonl"):
        (letters / name).mkdir()
    (letters / "folder.csv" / "documents.csv").mkdir()
    done = neardup(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nosuch" not in done.stderr
    assert "folder" in done.stderr


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("leters.csv", "did you mean letters.csv?"),
        ("LETTERS.CSV", "did you mean letters.csv?"),
        ("mial/letters.csv", "there is no folder mial, did you mean mail?"),
        ("quite-else", "name a file, a folder, or a pattern such as"),
        ("*.nosuch", "no file matches the pattern '*.nosuch': name a file, a folder"),
        ("https://example.org/a.csv", "is an address: download it and name the file"),
    ],
)
@pytest.mark.parametrize("where", [(), ("letters.csv", "--against")])
def test_wrong_path_gets_a_suggestion(letters, neardup, name, advice, where):
    (letters / "mail").mkdir()
    done = neardup("find", *where, name)
    assert (done.returncode, done.stdout) == (2, "")
    assert advice in done.stderr
    assert "list of strings" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
