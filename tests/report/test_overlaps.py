"""Overlapping clusters, in the terminal and in exports."""

import csv
import json
from io import StringIO

import openpyxl
import pytest
from rich.console import Console

import neardup
from neardup.report import render_cluster, render_summary, write_csv, write_jsonl, write_xlsx

WORDS = [f"w{number}" for number in range(40)]
TEXTS = [" ".join(WORDS[:30]), " ".join(WORDS), " ".join(WORDS[10:]), "nothing of it at all is in here"]
"""The second shares most of its words with the first and with the third, which share fewer with each other."""


def show(renderable):
    console = Console(file=StringIO(), width=100)
    console.print(renderable)
    return console.file.getvalue()


@pytest.fixture
def result():
    return neardup.find(TEXTS, "concepts", clusters="maximal", shingle=1, units=25)


def test_clusters_of_the_example_overlap(result):
    rows = result.memberships.to_pylist()
    assert sorted(row["id"] for row in rows) == ["0", "1", "1", "2"]


def test_overlaps_of_a_document_and_of_a_cluster_are_shown(result):
    shown = show(render_cluster(result, "1"))
    first, second = dict.fromkeys(row["cluster"] for row in result.memberships.to_pylist())
    assert "1 is in 2 clusters" in shown
    assert first in shown
    assert second in shown
    assert "Members in common with 1 other cluster" in shown
    assert "1 of its 2 texts" in shown
    by_cluster = show(render_cluster(result, first))
    assert "is in 2 clusters" not in by_cluster
    assert "Members in common with 1 other cluster" in by_cluster
    assert "and 1 more" in show(render_cluster(result, "1", limit=1))


def test_disjoint_clusters_show_no_overlap():
    plain = neardup.find(TEXTS, "jaccard", threshold=0.3, shingle=1)
    assert "in common" not in show(render_cluster(plain, "1"))
    assert "overlap " not in show(render_summary(plain))


def test_summary_counts_documents_in_several_clusters(result):
    assert "of 3 documents in clusters are in more than one" in show(render_summary(result))


def test_exports_contain_the_memberships(result, tmp_path):
    expected = result.memberships.to_pylist()
    written = write_csv(result, tmp_path / "out.csv")
    assert [path.name for path in written] == ["out.csv", "out.memberships.csv"]
    with written[1].open(encoding="utf-8", newline="") as stream:
        assert [row["cluster"] for row in csv.DictReader(stream)] == [row["cluster"] for row in expected]
    lines = write_jsonl(result, tmp_path / "out.jsonl")[1].read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == expected
    assert {path.name for path in write_csv(result, f"{tmp_path}/folder/")} >= {"documents.csv", "memberships.csv"}
    book = openpyxl.load_workbook(write_xlsx(result, tmp_path / "out.xlsx")[0])
    assert book.sheetnames == ["clusters", "documents", "pairs", "memberships", "notes"]
    assert book["memberships"].max_row == 1 + len(expected)


def test_run_without_overlaps_has_no_membership_file(tmp_path):
    plain = neardup.find(TEXTS, "jaccard")
    assert [path.name for path in write_csv(plain, tmp_path / "out.csv")] == ["out.csv"]
    assert "memberships" not in openpyxl.load_workbook(write_xlsx(plain, tmp_path / "out.xlsx")[0]).sheetnames
