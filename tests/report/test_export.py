"""Exported files, read back by other programs."""

import csv
import json
import stat
from pathlib import Path

import pytest

from neardup.errors import OutputError
from neardup.report import check_export, write_csv, write_export, write_jsonl


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_csv_contains_the_documents_unchanged(result, tmp_path):
    assert write_csv(result, tmp_path / "out.csv") == (tmp_path / "out.csv",)
    rows = read_csv(tmp_path / "out.csv")
    assert [row["id"] for row in rows] == ["L1", "P1", "L2", "L3", "P2", "L4", "U1"]
    assert rows[4]["added"] == "=SUM(A1)"
    assert rows[5]["removed"] == "kindly\x1b[31m \u202etxet"
    assert float(rows[3]["similarity"]) == 0.91


def test_commas_quotes_and_line_breaks_survive_csv(make_result, tmp_path):
    nasty = 'a,"b"\r\nc\rd\ne\x00\u2028é🙂'
    write_csv(make_result([("x\n1", None, False, None, None, nasty, None, "empty")]), tmp_path / "out.csv")
    (row,) = read_csv(tmp_path / "out.csv")
    assert (row["id"], row["added"], row["status"]) == ("x\n1", nasty, "empty")


@pytest.mark.parametrize("target", ["made/deep", "made/", "here.d"])
def test_folder_export_contains_three_tables(result, tmp_path, target):
    (tmp_path / "here.d").mkdir()
    written = write_csv(result, f"{tmp_path}/{target}")
    assert [path.name for path in written] == ["documents.csv", "clusters.csv", "pairs.csv"]
    assert read_csv(written[1])[0]["first_time"].startswith("2004-01-30 00:00:00")
    assert [row["b"] for row in read_csv(written[2])] == ["L2", "L3", "P2"]
    assert sorted(path.name for path in written[0].parent.iterdir()) == ["clusters.csv", "documents.csv", "pairs.csv"]


def test_json_lines_contain_one_document_per_line(make_result, tmp_path):
    broken = "a\u2028b\x85c\nd"
    result = make_result(
        [("x", "x", True, "unique", 1.0, broken, "", "ok"), ("y", None, None, None, None, None, None, "empty")]
    )
    write_jsonl(result, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    first, second = map(json.loads, lines)
    assert first["added"] == broken
    assert second == dict.fromkeys(first) | {"id": "y", "status": "empty"}


@pytest.mark.parametrize("name", ["a.csv", "a.CSV", "a.jsonl", "a.ndjson", "a.xlsx", "folder"])
def test_suffix_determines_the_format(result, tmp_path, name):
    (first, *_) = write_export(result, tmp_path / name)
    beginning = first.read_bytes()[:3]
    expected = {".jsonl": b'{"i', ".ndjson": b'{"i', ".xlsx": b"PK\x03"}.get(first.suffix, b'"id')
    assert beginning == expected


def test_unknown_format_is_refused_before_any_work():
    with pytest.raises(OutputError, match=r"unknown output format of out\.doc"):
        check_export("out.doc")


def test_existing_file_is_kept_when_writing_fails(result, tmp_path, monkeypatch):
    target = tmp_path / "out.csv"
    target.write_text("old")
    monkeypatch.setattr(json, "dumps", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_jsonl(result, target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_existing_file_is_replaced_through_a_link_with_default_permissions(result, tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_csv(result, tmp_path / "link.csv")
    assert (tmp_path / "link.csv").is_symlink()
    assert len(read_csv(tmp_path / "real.csv")) == 7
    (tmp_path / "usual").touch()
    assert stat.S_IMODE((tmp_path / "real.csv").stat().st_mode) == stat.S_IMODE((tmp_path / "usual").stat().st_mode)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.xlsx", "folder"])
def test_path_that_cannot_be_written_raises_output_error(result, tmp_path, name):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=r"cannot write .*/file/"):
        write_export(result, tmp_path / "file" / name)


def test_folder_in_place_of_a_file_raises_output_error(result, tmp_path):
    (tmp_path / "a.jsonl").mkdir()
    with pytest.raises(OutputError, match="it is a folder"):
        write_jsonl(result, tmp_path / "a.jsonl")


def test_device_is_written_to_and_not_replaced(result):
    write_csv(result, "/dev/null")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
