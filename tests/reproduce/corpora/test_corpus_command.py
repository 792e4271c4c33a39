import csv

import pytest
from typer.testing import CliRunner

from neardup.cli.corpus import corpus
from neardup.errors import SettingsError


def make(*arguments, folder, letters):
    for index, letter in enumerate(letters):
        (folder / f"{index}.txt").write_text(letter, "utf-8")
    command = ["make", "--seed", "5", "--letters", str(folder), "-o", str(folder / "made"), *arguments]
    return CliRunner().invoke(corpus, command, standalone_mode=False)


def test_command_writes_docket_and_prints_summary(letters, tmp_path):
    done = make(
        "--size", "60", "--campaigns", "3", "--mix", "unique=20%", "--mix", "flat=0.5", folder=tmp_path, letters=letters
    )
    assert done.exception is None
    assert done.return_value == 0
    assert "3 campaigns, the largest of" in done.output
    with (tmp_path / "made" / "gold.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert sum(row["relation"] == "unique" for row in rows) == 12
    assert 15 < sum("flat" in row["frame"] for row in rows) < 45


def test_bare_docket_has_no_closing(letters, tmp_path):
    done = make(
        "--size", "40", "--campaigns", "2", "--bare", "--format", "jsonl", "-q", folder=tmp_path, letters=letters
    )
    assert (done.exception, done.output) == (None, "")
    assert "Sincerely" not in (tmp_path / "made" / "docket.jsonl").read_text("utf-8")


@pytest.mark.parametrize("share", ["unique", "unique=", "unique=many", "=0.1"])
def test_malformed_share_is_refused(share, letters, tmp_path):
    done = make("--mix", share, folder=tmp_path, letters=letters)
    assert isinstance(done.exception, SettingsError)
    assert not (tmp_path / "made").exists()
