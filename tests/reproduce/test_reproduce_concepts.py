"""`neardup reproduce concepts` on a few pages: every table, figure and file is there and adds up."""

import csv
import json
from importlib import import_module

import pytest

from neardup import cli
from neardup.cli.reproduce.concepts import _name_sources
from neardup.read import read
from neardup.reproduce.concepts import experiments as concepts
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.concepts.plots import FIGURES
from neardup.reproduce.concepts.published import TABLE2, TABLE6
from neardup.reproduce.concepts.sheets import list_sheets

pytestmark = pytest.mark.slow

WORDS = ["manual", "command", "server", "option", "version", "table", "index", "query", "role", "schema", "type"]


def make_pages():
    """Make pages of three versions, some with a long frame and little of their own, and a chain of changes."""
    frame = "<div class=navheader>" + " ".join(f"link {n}" for n in range(60)) + "</div>"
    pages = []
    for number in range(8):
        words = [WORDS[(number * 7 + place * (number + 3)) % len(WORDS)] + str(number) for place in range(150)]
        for version in range(3):
            words[10 * version] = f"changed{version}"
            pages.append((f"{version}/page{number}", f"<html><body><p>{' '.join(words)}</p>"))
    for name in ("garibald duke of bavaria", "giovanni duke of milan"):
        pages.append((f"0/{name}", f"<html><body>{frame}<p>{name} {name.split()[0]}</p>"))
    words = [f"word{place}" for place in range(200)]
    for step in range(4):
        words[30 * step : 30 * step + 22] = [f"new{step}x{place}" for place in range(22)]
        pages.append((f"chain/{step}", f"<html><body><p>{' '.join(words)}</p>"))
    return [{"id": name, "html": html} for name, html in pages]


@pytest.fixture(scope="module")
def found():
    pages = Pages("small", read(make_pages()))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(concepts, "PEER_SECONDS", 1.0)
        return concepts.reproduce_concepts([pages])


def test_the_five_values_add_up_in_every_row(found):
    assert len(found.tables["thresholds"]) > 200
    for row in found.tables["thresholds"]:
        assert row["gold_pairs"] == row["only_gold_pairs"] + row["common_pairs"]
        assert row["found_pairs"] == row["only_found_pairs"] + row["common_pairs"]


@pytest.mark.parametrize("row", [*TABLE2, *TABLE6])
def test_the_printed_values_add_up_too(row):
    assert row.gold == row.only_gold + row.common
    assert row.found == row.only_found + row.common


def test_lower_thresholds_find_more(found):
    for length in concepts.LENGTHS:
        rows = found.rows("thresholds", method="bottom", length=length, size=100)
        recalls = [row["recall"] for row in rows]
        assert recalls == sorted(recalls)
        assert max(row["f1"] for row in rows) > 0.7


def test_pages_that_only_share_their_frame_are_found(found):
    count, *pairs = found.tables["boilerplate"]
    assert count["frame_pairs"] == 1
    assert {pairs[0]["a"], pairs[0]["b"]} == {"0/garibald duke of bavaria", "0/giovanni duke of milan"}


def test_the_chain_is_a_false_cluster(found):
    chain = found.tables["false_clusters"][0]
    assert chain["chain"].startswith("chain/")
    assert chain["pairs_apart"] > 0
    assert chain["units_of_all"] < 85


def test_ours_finds_what_the_other_program_finds(found):
    for kind in ("maximal", "closed"):
        for units in concepts.TIMED:
            counts = {
                row["clusters"]
                for row in found.rows("algorithms", kind=kind, threshold=units)
                if row["seconds"] is not None
            }
            assert len(counts) == 1


def test_a_campaign_is_covered_where_the_other_program_does_not_end(found):
    ours = [row for row in found.tables["campaigns"] if row["algorithm"] == "neardup" and row["kind"] == "cover"]
    assert [row["context"] for row in ours] == ["campaign of 60", "campaign of 100"]
    assert all(row["seconds"] is not None and row["clusters"] > 0 for row in ours)


def test_every_table_has_rows_as_long_as_its_head(found):
    for sheet in list_sheets(found):
        assert {len(row) for row in sheet.rows} <= {len(sheet.headings)}


def test_the_command_writes_tables_figures_and_report(tmp_path, monkeypatch, capsys, found):
    monkeypatch.setattr(import_module("neardup.cli.reproduce.concepts"), "reproduce_concepts", lambda *_, **__: found)
    source = tmp_path / "pages.jsonl"
    source.write_text("".join(json.dumps(page) + "\n" for page in make_pages()))
    folder = tmp_path / "out"
    assert cli.main(["reproduce", "concepts", "--pages", str(source), "-o", str(folder)]) == 0
    names = {path.name for path in folder.iterdir()}
    assert {f"{figure}{suffix}" for figure in FIGURES for suffix in (".png", ".svg")} <= names
    assert {"report.md", "tables.json", *(f"{name}.csv" for name in found.tables)} <= names
    with (folder / "thresholds.csv").open(newline="") as stream:
        assert len(list(csv.DictReader(stream))) == len(found.tables["thresholds"])
    report = (folder / "report.md").read_text("utf-8")
    for title in (*(f"Table {number}" for number in range(1, 7)), *(f"Figure {number}" for number in range(1, 8))):
        assert title in report
    said = capsys.readouterr().out
    assert "F1 by threshold" in said
    assert "chain/" in said


def test_one_page_is_too_few(tmp_path, capsys):
    source = tmp_path / "one.html"
    source.write_text("<html>x")
    assert cli.main(["reproduce", "concepts", "--pages", str(source), "-o", str(tmp_path / "out")]) == 2
    assert "nothing to compare" in capsys.readouterr().err


def test_sources_of_one_name_are_named_by_their_folders():
    assert list(_name_sources(["a/x/pages.gz", "b/x/pages.gz", "c/other.csv"]).values()) == [
        "a/x/pages",
        "b/x/pages",
        "other",
    ]
