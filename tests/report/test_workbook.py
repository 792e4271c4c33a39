"""Workbooks, read back by another library, or as XML where that would hide a difference."""

import zipfile
from datetime import datetime

import openpyxl
import pytest

from neardup.report import workbook, write_xlsx


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a workbook and reads it back as rows by sheet."""

    def read(result):
        write_xlsx(result, tmp_path / "out.xlsx")
        book = openpyxl.load_workbook(tmp_path / "out.xlsx")
        assert [path.name for path in tmp_path.iterdir()] == ["out.xlsx"]
        assert {sheet.auto_filter.ref for sheet in book} == {
            sheet.dimensions if sheet.max_row > 1 else None for sheet in book
        }
        return {sheet.title: [list(row) for row in sheet.iter_rows()] for sheet in book}

    return read


def values(rows):
    return [[cell.value for cell in row] for row in rows]


def one_text(make_result, text):
    return make_result([("x", "x", True, "unique", 1.0, text, "", "ok")], [], [])


def test_sheets_contain_the_tables(result, written):
    sheets = written(result)
    assert list(sheets) == ["clusters", "documents", "pairs", "notes"]
    clusters = values(sheets["clusters"])
    assert clusters[0][:4] == ["cluster", "size", "distinct", "first_time"]
    assert clusters[1][:5] == ["L1", 4, 3, datetime(2004, 1, 30), datetime(2004, 4, 12, 9, 30)]
    assert clusters[2][3] is None
    assert values(sheets["documents"])[4][:8] == [
        "L3",
        "L1",
        False,
        "block_added",
        0.91,
        "My daughter has asthma.",
        None,
        "ok",
    ]
    assert values(sheets["pairs"])[1:] == [
        ["L1", "L2", 1, "exact"],
        ["L1", "L3", 0.91, "shingles"],
        ["P1", "P2", 0.85, "shingles"],
    ]
    notes = [row[0] for row in values(sheets["notes"])]
    assert notes[1] == "neardup 0.2.0, method minhash"
    assert notes[-1] == "text in the column Comment"
    assert not any("continues" in note for note in notes)


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "{=1+1}",
        "+1",
        "@x",
        "http://example.org",
        "internal:Sheet1!A1",
        "0012",
        "<r>a & b</r>",
        "  edges  ",
        "true",
    ],
)
def test_texts_are_never_formulas_or_links(make_result, written, text):
    cell = written(one_text(make_result, text))["documents"][1][5]
    assert cell.value == text
    assert cell.data_type in ("s", "inlineStr")
    assert cell.hyperlink is None


def test_control_characters_are_escaped_as_excel_does(make_result, tmp_path):
    write_xlsx(one_text(make_result, "a\x00b\x1bc\uffff_x0041_"), tmp_path / "out.xlsx")
    sheet = zipfile.ZipFile(tmp_path / "out.xlsx").read("xl/worksheets/sheet2.xml").decode()
    assert "a_x0000_b_x001B_c_xFFFF__x005F_x0041_" in sheet


@pytest.mark.parametrize("letter", ["a", "🙂"])
def test_long_text_is_cut_and_noted(make_result, written, letter):
    units = len(letter.encode("utf-16-le")) // 2
    fitting = letter * (32_767 // units)
    assert written(one_text(make_result, fitting))["documents"][1][5].value == fitting
    sheets = written(one_text(make_result, fitting + "bb"))
    assert sheets["documents"][1][5].value == letter * (32_766 // units) + "…"
    assert "documents, column added: 1 text cut to the 32,767 characters" in sheets["notes"][-1][0].value


def test_long_table_continues_on_further_sheets(result, written, monkeypatch):
    monkeypatch.setattr(workbook, "MAX_ROWS", 4)
    sheets = written(result)
    assert [name for name in sheets if name.startswith("documents")] == ["documents", "documents 2", "documents 3"]
    assert [[row[0].value for row in sheets[name]] for name in ("documents", "documents 2", "documents 3")] == [
        ["id", "L1", "P1", "L2"],
        ["id", "L3", "P2", "L4"],
        ["id", "U1"],
    ]
    assert len(sheets["pairs"]) == 4
    notes = [row[0].value for name in sheets if name.startswith("notes") for row in sheets[name]]
    assert any("the table continues on documents 2, documents 3" in note for note in notes)


def test_time_before_1900_is_written_as_text(make_result, written):
    cluster = ("x", 2, 1, datetime(1776, 7, 4), None, "We hold", float("nan"), *[0] * 11, "")
    row = values(written(make_result(clusters=[cluster]))["clusters"])[1]
    assert row[3] == "1776-07-04T00:00:00+00:00"
    assert row[6] is None


def test_empty_result_has_only_headings(make_result, written):
    sheets = written(make_result([], [], [], {}))
    assert [len(rows) for rows in sheets.values()] == [1, 1, 1, 2]
