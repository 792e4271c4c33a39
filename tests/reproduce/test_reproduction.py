"""What all studies share: the protocol, the report and the folder."""

import json
from math import nan

import pytest
from typer.testing import CliRunner

from neardup.cli.corpus import corpus
from neardup.cli.reproduce import reproduce
from neardup.errors import OutputError
from neardup.reproduce.concepts.study import STUDY as CONCEPTS
from neardup.reproduce.conrad.study import STUDY as CONRAD
from neardup.reproduce.corpora.docket import FORMATS, STYLES
from neardup.reproduce.durian.study import STUDY as DURIAN
from neardup.reproduce.figures import Figure, make_axes
from neardup.reproduce.folder import check_target, to_csv, write_reproduction
from neardup.reproduce.simfinder.study import STUDY as SIMFINDER
from neardup.reproduce.study import Report, Reproduction
from neardup.reproduce.tables import Measurements, Table, add_paper_columns, add_published, format_percent, group_rows

STUDIES = {study.name: study for study in (DURIAN, SIMFINDER, CONCEPTS, CONRAD)}
ROWS = [{"name": "a", "value": 0.12345678}, {"name": "b", "value": nan}]


def draw():
    drawing, (graph,) = make_axes(1, (2, 2))
    graph.plot([1, 2], [1, 2])
    return drawing


@pytest.fixture
def reproduction():
    table = Table("Table 1: values", "A note.", ("name", "value"), (("a | b", "1"),))
    report = Report("A paper, reproduced", ["Introduction."], [table, Figure("figure1", "Figure 1", draw, "Figures")])
    return Reproduction(report, Measurements(values=ROWS), "all.json", {"seed": 7})


def test_every_study_has_a_command_of_its_name():
    assert [command.callback.__name__ for command in reproduce.registered_commands] == list(STUDIES)


def test_help_of_corpus_lists_all_styles_and_formats():
    output = CliRunner().invoke(corpus, ["make", "--help"]).output
    words = set(output.replace(",", " ").split())
    assert set(STYLES) <= words
    assert f"--format {'|'.join(FORMATS)} " in output


def test_report_contains_tables_and_figures_in_order(reproduction):
    assert reproduction.report.to_markdown(with_figures=True).split("\n") == [
        *("# A paper, reproduced", "", "Introduction."),
        *("", "## Table 1: values", "", "A note.", "", "| name | value |", "| --- | --- |", "| a ｜ b | 1 |"),
        *("", "## Figures", "", "![Figure 1](figure1.svg)", ""),
    ]
    assert "Figure" not in reproduction.report.to_markdown(with_figures=False)
    assert [table.title for table in reproduction.tables] == ["Table 1: values"]
    assert [figure.name for figure in reproduction.figures] == ["figure1"]


def test_folder_contains_csv_json_report_and_figures(reproduction, tmp_path):
    written = write_reproduction(reproduction, tmp_path)
    assert [path.name for path in written] == ["values.csv", "all.json", "report.md", "figure1.png", "figure1.svg"]
    assert (tmp_path / "values.csv").read_text() == "name,value\na,0.123457\nb,\n"
    content = json.loads((tmp_path / "all.json").read_text())
    assert content == {"seed": 7, "values": [ROWS[0], {"name": "b", "value": None}]}


def test_figures_are_written_byte_for_byte_the_same_again(reproduction, tmp_path):
    first, second = (
        [path.read_bytes() for path in write_reproduction(reproduction, tmp_path / name)] for name in ("a", "b")
    )
    assert first == second


def test_old_figures_are_removed_without_matplotlib(reproduction, tmp_path, monkeypatch):
    write_reproduction(reproduction, tmp_path)
    monkeypatch.setattr("neardup.reproduce.figures.find_spec", lambda name: None)
    write_reproduction(reproduction, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["all.json", "report.md", "values.csv"]


def test_only_an_older_reproduction_is_replaced(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(OutputError):
        check_target(tmp_path)
    (tmp_path / "report.md").write_text("old")
    check_target(tmp_path)


def test_cells_show_ours_and_the_published_number():
    assert add_paper_columns(["NTF", "DOT"]) == ("NTF", "NTF (paper)", "DOT", "DOT (paper)")
    assert add_published("0.95", "0.93") == "0.95 (0.93)"
    assert add_published("0.95", None) == "0.95"
    assert (format_percent(0.1234), format_percent(nan), format_percent(None)) == ("12.3%", "-", "-")


def test_rows_are_grouped_and_selected_by_column():
    rows = [{"a": 1, "b": "x"}, {"a": 2, "b": "x"}, {"a": 1, "b": "y"}]
    assert group_rows(rows, "a") == {(1,): [rows[0], rows[2]], (2,): [rows[1]]}
    assert Measurements(table=rows).rows("table", b="x", a=2) == [rows[1]]


def test_measurements_without_rows_give_an_empty_file():
    assert to_csv([]) == "\n"
