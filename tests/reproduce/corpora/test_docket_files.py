import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.reproduce.corpora.docket import DocketSettings, LetterWriter, make_docket, read_source, write_docket

EXAMPLES = Path(__file__).parents[3] / "examples"


def write(letters, folder, form="csv", **options):
    settings = DocketSettings(**({"seed": 3, "size": 90, "campaigns": 4} | options))
    return write_docket(LetterWriter(read_source(letters), settings), folder, form=form)


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_columns_equal_those_of_the_portal(letters, tmp_path):
    write(letters, tmp_path)
    rows = read_csv(tmp_path / "docket.csv")
    assert list(rows[0])[:7] == [
        "Document ID",
        "Agency ID",
        "Docket ID",
        "Document Type",
        "Posted Date",
        "Received Date",
        "Title",
    ]
    assert {row["Document ID"].rpartition("-")[0] for row in rows} == {row["Docket ID"] for row in rows}
    read = neardup.read(tmp_path / "docket.csv")
    assert any("regulations portal" in sentence for sentence in read.notes)


@pytest.mark.parametrize(
    ("form", "name"), [("csv", "docket.csv"), ("jsonl", "docket.jsonl"), ("mbox", "docket.mbox"), ("eml", "docket")]
)
def test_every_format_is_read_back_with_ids_of_gold(letters, tmp_path, form, name):
    description = write(letters, tmp_path / form, form)
    assert description["format"] == form
    gold = {row["id"]: row for row in read_csv(tmp_path / form / "gold.csv")}
    documents = neardup.read(tmp_path / form / name)
    ids = documents.id_column().to_pylist()
    assert set(ids) == set(gold)
    assert len(ids) == len(gold) == 90
    plain = make_docket(letters, DocketSettings(seed=3, size=90, campaigns=4)).documents
    texts = dict(zip(plain["Document ID"].to_pylist(), plain["Comment"].to_pylist(), strict=True))
    for index, identity in enumerate(ids):
        assert documents.text(index).rstrip() == texts[identity.partition("@")[0]].rstrip()


def test_mail_has_times_relayers_and_subjects(letters, tmp_path):
    write(letters, tmp_path, "mbox", mix={"missing_date": 0.2, "html": 0.2})
    documents = neardup.read(tmp_path / "docket.mbox")
    missing = sum("missing_date" in row["frame"] for row in read_csv(tmp_path / "gold.csv"))
    assert documents.times.null_count == missing > 5
    assert documents.html.sum() > 5
    relayers = documents.attributes["relayer"].to_pylist()
    assert sum("mail" not in name for name in relayers) > 45
    assert any("2024" in topic for topic in documents.attributes["topic"].to_pylist())


def test_from_lines_are_escaped_in_mbox(letters, tmp_path):
    begins = [letter.replace("\n\n", "\n\nFrom the first day on it was so. ", 3) for letter in letters]
    write(begins, tmp_path, "mbox", mix={"wrapped": 0})
    raw = (tmp_path / "docket.mbox").read_bytes()
    assert raw.count(b"\nFrom ") == 89
    assert b"\n>From the first day" in raw or b"\n=46rom the first day" in raw
    assert len(neardup.read(tmp_path / "docket.mbox")) == 90


def test_ids_are_unique_and_reference_is_earliest_of_its_cluster(letters):
    mix = {"wrong_docket": 0.1, "forged_date": 0.1}
    docket = make_docket(letters, DocketSettings(seed=4, size=400, style="dot", mix=mix))
    gold = docket.gold.to_pylist()
    documents = docket.documents.to_pylist()
    ids = [row["Document ID"] for row in documents]
    assert len(set(ids)) == 400
    received = {row["Document ID"]: row["Received Date"] for row in documents}
    for row in gold:
        assert (row["relation"] == "unique") == (row["reference"] == "")
        assert row["cluster"] == (row["reference"] or row["id"])
        if row["reference"] and "date" not in row["frame"] and row["id"] != row["reference"]:
            assert received[row["id"]] > received[row["reference"]]
        if row["relation"] == "exact" and received[row["id"]]:
            assert received[row["id"]] > received[row["reference"]]
    assert sum("forged_date" in row["frame"] for row in gold) > 20
    assert "" in received.values()


def test_same_letter_on_another_docket_is_another_cluster(letters):
    docket = make_docket(letters, DocketSettings(seed=4, size=300, style="dot", mix={"wrong_docket": 0.1}, framed=True))
    gold = docket.gold.to_pylist()
    dockets = {}
    for row in gold:
        dockets.setdefault(row["cluster"], set()).add(row["docket"])
    assert all(len(numbers) == 1 for numbers in dockets.values())
    columns = dict(
        zip(docket.documents["Document ID"].to_pylist(), docket.documents["Docket ID"].to_pylist(), strict=True)
    )
    astray = [row for row in gold if columns[row["id"]] != row["docket"]]
    assert 5 < len(astray) < 30
    texts = dict(zip(docket.documents["Document ID"].to_pylist(), docket.documents["Comment"].to_pylist(), strict=True))
    number = {"TRA-2024-16128": "16128", "TRA-RR-2024-0071": "71", "ENV-HQ-OW-2024-0123": "123"}
    assert all(number[row["docket"]] in texts[row["id"]] for row in astray)


def test_letters_without_body_are_marked(letters):
    docket = make_docket(letters, DocketSettings(seed=4, size=100, mix={"no_body": 0.1}))
    bare = [row for row in docket.gold.to_pylist() if row["edits"] == "no_body"]
    assert len(bare) == 10
    assert {row["relation"] for row in bare} == {"unique"}


def test_seed_determines_the_files(letters, tmp_path):
    for folder, seed in (("a", 3), ("b", 3), ("c", 4)):
        write(letters, tmp_path / folder, seed=seed)
    for name in ("docket.csv", "gold.csv", "docket.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
        assert (tmp_path / "a" / name).read_bytes() != (tmp_path / "c" / name).read_bytes()


def test_example_docket_is_reproduced_under_another_hash_seed(tmp_path):
    program = (
        "import json, sys; from pathlib import Path; from neardup.reproduce.corpora.docket import *;"
        "letters = [p.read_text('utf-8') for p in Path(sys.argv[1], 'letters').glob('*.txt')];"
        "made = json.loads(Path(sys.argv[1], 'docket.json').read_text('utf-8'));"
        "writer = LetterWriter(read_source(letters), DocketSettings(**made['settings']));"
        "write_docket(writer, sys.argv[2])"
    )
    environment = os.environ | {"PYTHONHASHSEED": "12345"}
    subprocess.run([sys.executable, "-c", program, EXAMPLES, tmp_path], env=environment, check=True, timeout=600)
    for name in ("docket.csv", "gold.csv", "docket.json"):
        assert (tmp_path / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_only_an_older_docket_is_replaced(letters, tmp_path):
    (tmp_path / "keep.txt").write_text("mine")
    write(letters, tmp_path, "eml")
    write(letters, tmp_path, "csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["docket.csv", "docket.json", "gold.csv", "keep.txt"]
    (tmp_path / "docket.json").unlink()
    with pytest.raises(OutputError, match="was not written by neardup"):
        write(letters, tmp_path)


def test_interrupted_run_leaves_no_files(letters, tmp_path):
    def interrupt(stage, done, total):
        raise KeyboardInterrupt

    settings = DocketSettings(3, size=1200, campaigns=4)
    with pytest.raises(KeyboardInterrupt):
        write_docket(LetterWriter(read_source(letters), settings), tmp_path, progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_bad_path_or_format_is_refused(letters, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(OutputError, match="is a file"):
        write(letters, tmp_path / "file")
    with pytest.raises(OutputError, match="cannot write a docket"):
        write(letters, tmp_path / "file" / "folder")
    with pytest.raises(SettingsError, match="csv, jsonl, mbox, eml"):
        write(letters, tmp_path, "pdf")


def test_description_has_correct_counts(letters, tmp_path):
    description = write(letters, tmp_path, size=200)
    assert json.loads((tmp_path / "docket.json").read_text("utf-8")) == description
    gold = read_csv(tmp_path / "gold.csv")
    assert sum(description["relations"].values()) == len(gold) == 200
    for name, count in description["relations"].items():
        assert sum(row["relation"] == name for row in gold) == count
    for campaign in description["campaigns"]:
        assert sum(row["reference"] == campaign["reference"] for row in gold) == campaign["letters"]
    assert sum(campaign["shares_boilerplate"] for campaign in description["campaigns"]) == 2
