"""The study of web pages on a small collection: its measurements, tables, figures and files."""

import csv
import json

import pytest

from neardup import cli
from neardup.read import read
from neardup.reproduce.concepts import study
from neardup.reproduce.concepts.experiments import mining, quality, run_experiments
from neardup.reproduce.concepts.figures import FIGURES
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.concepts.published import TABLE2, TABLE6
from neardup.reproduce.concepts.study import name_sources
from neardup.reproduce.concepts.tables import list_tables

pytestmark = pytest.mark.slow

WORDS = ["manual", "command", "server", "option", "version", "table", "index", "query", "role", "schema", "type"]


def make_pages():
    """Return pages in three versions, two pages that share only boilerplate, and a chain of changes."""
    boilerplate = "<div class=navheader>" + " ".join(f"link {n}" for n in range(60)) + "</div>"
    pages = []
    for number in range(8):
        words = [WORDS[(number * 7 + index * (number + 3)) % len(WORDS)] + str(number) for index in range(150)]
        for version in range(3):
            words[10 * version] = f"changed{version}"
            pages.append((f"{version}/page{number}", f"<html><body><p>{' '.join(words)}</p>"))
    for name in ("garibald duke of bavaria", "giovanni duke of milan"):
        pages.append((f"0/{name}", f"<html><body>{boilerplate}<p>{name} {name.split()[0]}</p>"))
    words = [f"word{index}" for index in range(200)]
    for step in range(4):
        words[30 * step : 30 * step + 22] = [f"new{step}x{index}" for index in range(22)]
        pages.append((f"chain/{step}", f"<html><body><p>{' '.join(words)}</p>"))
    return [{"id": name, "html": html} for name, html in pages]


@pytest.fixture(scope="module")
def found():
    pages = Pages("small", read(make_pages()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mining, "PEER_SECONDS", 1.0)
        return run_experiments([pages])


def test_five_values_add_up_in_every_row(found):
    assert len(found.measurements["thresholds"]) > 200
    for row in found.measurements["thresholds"]:
        assert row["gold_pairs"] == row["only_gold_pairs"] + row["common_pairs"]
        assert row["found_pairs"] == row["only_found_pairs"] + row["common_pairs"]


@pytest.mark.parametrize("row", [*TABLE2, *TABLE6])
def test_published_five_values_add_up(row):
    assert row.gold == row.only_gold + row.common
    assert row.found == row.only_found + row.common


def test_recall_grows_as_threshold_falls(found):
    for length in quality.LENGTHS:
        rows = found.measurements.rows("thresholds", method="bottom", length=length, size=100)
        recalls = [row["recall"] for row in rows]
        assert recalls == sorted(recalls)
        assert max(row["f1"] for row in rows) > 0.7


def test_pages_that_share_only_boilerplate_are_found(found):
    count, *pairs = found.measurements["boilerplate"]
    assert count["frame_pairs"] == 1
    assert {pairs[0]["a"], pairs[0]["b"]} == {"0/garibald duke of bavaria", "0/giovanni duke of milan"}


def test_chain_of_changes_is_a_false_cluster(found):
    chain = found.measurements["false_clusters"][0]
    assert chain["chain"].startswith("chain/")
    assert chain["pairs_apart"] > 0
    assert chain["units_of_all"] < 85


def test_number_of_clusters_equals_that_of_pyfim(found):
    for kind in ("maximal", "closed"):
        for units in mining.TIMED:
            counts = {
                row["clusters"]
                for row in found.measurements.rows("algorithms", kind=kind, threshold=units)
                if row["seconds"] is not None
            }
            assert len(counts) == 1


def test_campaigns_of_any_size_are_covered(found):
    ours = [row for row in found.measurements["campaigns"] if row["algorithm"] == "neardup" and row["kind"] == "cover"]
    assert [row["context"] for row in ours] == ["campaign of 60", "campaign of 100"]
    assert all(row["seconds"] is not None and row["clusters"] > 0 for row in ours)


def test_rows_have_as_many_cells_as_headings(found):
    for table in list_tables(found):
        assert {len(row) for row in table.rows} <= {len(table.headings)}


def test_command_writes_tables_figures_and_report(tmp_path, monkeypatch, capsys, found):
    monkeypatch.setattr(study, "run_experiments", lambda *_, **__: found)
    source = tmp_path / "pages.jsonl"
    source.write_text("".join(json.dumps(page) + "\n" for page in make_pages()))
    folder = tmp_path / "out"
    assert cli.main(["reproduce", "concepts", "--pages", str(source), "-o", str(folder)]) == 0
    names = {path.name for path in folder.iterdir()}
    assert {f"{figure}{suffix}" for figure in FIGURES for suffix in (".png", ".svg")} <= names
    assert {"report.md", "tables.json", *(f"{name}.csv" for name in found.measurements)} <= names
    with (folder / "thresholds.csv").open(newline="") as stream:
        assert len(list(csv.DictReader(stream))) == len(found.measurements["thresholds"])
    report = (folder / "report.md").read_text("utf-8")
    for title in (*(f"Table {number}" for number in range(1, 7)), *(f"Figure {number}" for number in range(1, 8))):
        assert title in report
    output = capsys.readouterr().out
    assert "F1 by threshold" in output
    assert "chain/" in output


def test_collection_of_one_page_is_refused(tmp_path, capsys):
    source = tmp_path / "one.html"
    source.write_text("<html>x")
    assert cli.main(["reproduce", "concepts", "--pages", str(source), "-o", str(tmp_path / "out")]) == 2
    assert "nothing to compare" in capsys.readouterr().err


def test_sources_with_same_file_name_are_named_by_folder():
    assert list(name_sources(["a/x/pages.gz", "b/x/pages.gz", "c/other.csv"]).values()) == [
        "a/x/pages",
        "b/x/pages",
        "other",
    ]
