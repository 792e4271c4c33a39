"""neardup dedup, show, compare, evaluate, export."""

import csv
import json

import pytest


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_dedup_keeps_the_format_and_prints_counts(neardup, letters, finding, rows):
    done = neardup("dedup", "letters.csv", "-o", "out.csv", *finding)
    assert done.returncode == 0, done.stderr
    assert "4 kept, 4 removed" in done.stdout
    assert "Written: out.csv" in done.stdout
    kept = read_csv(letters / "out.csv")
    assert list(kept[0]) == ["Document ID", "Comment", "City"]
    assert [(row["Document ID"], row["Comment"]) for row in kept] == [rows[0], rows[3], rows[5], rows[6]]


def test_dedup_requires_an_output_and_can_fail_on_duplicates(neardup, letters, finding):
    missing = neardup("dedup", "letters.csv")
    assert missing.returncode == 2
    assert "--output" in missing.stderr
    assert neardup("dedup", "letters.csv", "-o", "out.csv", "--fail-on-duplicates", "-q", *finding).returncode == 1
    assert (letters / "out.csv").exists()


def test_show_lists_the_clusters(neardup, found):
    done = neardup("show", found)
    assert done.returncode == 0
    assert "8 documents: 4 duplicates in 3 clusters" in done.stdout
    assert "and 2 more" in neardup("show", found, "--limit", "1").stdout
    assert " more" not in neardup("show", found, "--all").stdout


@pytest.mark.parametrize("name", ["L1", "L3"])
def test_show_lists_the_members_of_a_cluster(neardup, found, name):
    shown = neardup("show", found, name).stdout
    assert shown.startswith("Cluster L1\n3 texts, 2 distinct")
    assert "reference  L1" in shown
    assert "exact  L2" in shown
    assert "L3" in shown


def test_show_reports_unknown_ids_and_runs(neardup, found, letters):
    for arguments, message in [
        ((found, "nope"), "the id nope"),
        ((found, "X1"), "in no cluster"),
        (("no/run",), "run"),
    ]:
        done = neardup("show", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


@pytest.mark.slow
def test_compare_shows_the_differences(neardup, letters):
    (letters / "a.txt").write_text("The old cat sat on the mat in the warm sun.\n", "utf-8")
    (letters / "b.txt").write_text("The new cat sat on the mat in the warm sun.\n", "utf-8")
    shown = neardup("compare", "a.txt", "b.txt").stdout
    assert "[-old-] {+new+} cat sat" in shown
    assert "minor change" in shown
    assert neardup("compare", "-", "b.txt", input="The old cat sat on the mat in the warm sun.\n").stdout == shown
    literal = neardup("compare", "--literal", "same words here", "same words here")
    assert literal.stdout.startswith("exact")


def test_compare_requires_one_text_per_file(neardup):
    both = neardup("compare", "-", "-")
    assert (both.returncode, "standard input" in both.stderr) == (2, True)
    many = neardup("compare", "letters.csv", "letters.csv")
    assert (many.returncode, "contains 8 documents" in many.stderr) == (2, True)


@pytest.fixture
def gold(letters):
    lines = ["id,cluster,relation", "L1,a,reference", "L2,a,exact", "L3,b,reference", "T1,b,exact", "zz,c,unique"]
    (letters / "gold.csv").write_text("\n".join(lines) + "\n")
    return letters / "gold.csv"


def test_evaluate_prints_the_measures(neardup, found, gold):
    done = neardup("evaluate", found, gold)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("4 documents compared: 2 clusters in the gold, 1 found\n")
    assert "Not compared: 1 document only in the gold, 4 documents only in the run" in done.stdout
    assert "pairs       0.3333  0.5000  0.4000" in done.stdout


def test_evaluate_prints_valid_json(neardup, found, gold):
    scores = json.loads(neardup("evaluate", found, gold, "--json").stdout)
    assert (scores["pair_precision"], scores["documents"]) == (pytest.approx(1 / 3), 4)
    assert scores["relations"]["exact"]["support"] == 2
    gold.write_text("id,cluster\nL1,a\n")
    assert json.loads(neardup("evaluate", found, gold, "--json").stdout)["pair_f1"] is None


def test_evaluate_reports_missing_columns(neardup, found, letters):
    done = neardup("evaluate", found, "letters.csv")
    assert done.returncode == 2
    assert done.stderr.startswith("neardup: letters.csv has no column id, only Document ID, Comment, City")


def test_export_writes_the_format_of_the_suffix(neardup, found, letters):
    for name in ("a.csv", "a.xlsx", "a.jsonl"):
        done = neardup("export", found, "-o", name)
        assert (done.returncode, done.stdout) == (0, f"Written: {name}\n")
        assert (letters / name).stat().st_size > 0
    assert neardup("export", found, "-o", "tables").stdout.splitlines()[-1] == "Written: tables/pairs.csv"
    assert [row["id"] for row in read_csv(letters / "tables" / "documents.csv")][:2] == ["L1", "L2"]
    refused = neardup("export", found, "-o", "a.doc")
    assert (refused.returncode, "a.doc" in refused.stderr) == (2, True)
