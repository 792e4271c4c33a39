"""The comparison of two revisions: equal folders pass, and every kind of difference is reported."""

import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

import neardup

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "benchmarks"))

from revisions.cases import Case, list_cases  # noqa: E402 - the benchmarks are not installed
from revisions.checkouts import Checkout  # noqa: E402
from revisions.comparison import DIFFERENT, FAILS_ALIKE, REWORDED, SAME, compare_folders  # noqa: E402
from revisions.results import run_group  # noqa: E402
from revisions.worker import write_answers  # noqa: E402

TEXTS = ["the cat sat on the mat", "the cat sat on a mat", "nothing else is like this"]


@pytest.fixture
def folders(tmp_path):
    """The same run in two folders, each marked as finished."""
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        neardup.find(TEXTS, "jaccard", shingle=2, threshold=0.4).save(folder / "run")
        (folder / "done").touch()
    return old, new


def edit_run(folder, **values):
    path = folder / "run" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def test_equal_runs_are_the_same(folders):
    assert compare_folders(*folders).outcome == SAME


def test_values_that_vary_are_no_difference(folders):
    edit_run(folders[1], seconds={"read": 5.0}, peak_memory_bytes=1, version="9.9", fingerprint="0")
    assert compare_folders(*folders).outcome == SAME


def test_renamed_setting_is_no_difference_but_its_value_is(folders):
    old, new = folders
    edit_run(old, settings={"frames": "keep"})
    edit_run(new, settings={"boilerplate": "keep"})
    assert compare_folders(old, new).outcome == SAME
    edit_run(new, settings={"boilerplate": "drop"})
    assert compare_folders(old, new).detail == "run/run.json: .settings.boilerplate: old 'keep', new 'drop'"


def test_other_wording_of_notes_is_reported_but_is_no_difference(folders):
    edit_run(folders[1], notes=["other words"])
    assert compare_folders(*folders).outcome == REWORDED


def test_changed_threshold_is_reported_with_the_first_differing_row(folders):
    old, new = folders
    shutil.rmtree(new / "run")
    neardup.find(TEXTS, "jaccard", shingle=2, threshold=0.9).save(new / "run")
    found = compare_folders(old, new)
    assert found.outcome == DIFFERENT
    assert found.detail.startswith("run/clusters.parquet: rows: old 1, new 0")
    (new / "run" / "clusters.parquet").write_bytes((old / "run" / "clusters.parquet").read_bytes())
    assert compare_folders(old, new).detail == "run/documents.parquet: row 0 .relation: old 'reference', new 'unique'"


def test_missing_file_is_reported(folders):
    (folders[1] / "run" / "pairs.parquet").unlink()
    assert compare_folders(*folders).detail == "only the old revision has run/pairs.parquet"


def test_side_that_did_not_finish_is_reported(folders):
    (folders[1] / "done").unlink()
    assert compare_folders(*folders).detail == "the new revision did not finish"


def test_failure_of_both_sides_is_listed_and_failure_of_one_is_a_difference(folders):
    old, new = folders
    (old / "error.json").write_text(json.dumps({"error": "InputError", "message": "one way to say it"}))
    assert compare_folders(old, new).detail == "only the old revision fails: InputError: one way to say it"
    (new / "error.json").write_text(json.dumps({"error": "InputError", "message": "another"}))
    assert compare_folders(old, new).outcome == FAILS_ALIKE
    (new / "error.json").write_text(json.dumps({"error": "OutputError", "message": "another"}))
    assert compare_folders(old, new).outcome == DIFFERENT


def test_different_answer_is_reported_with_its_line(folders):
    for folder, similarity in zip(folders, (0.5, 0.25), strict=True):
        write_answers(folder, [{"call": "query"}, {"similarity": similarity, "nothing": float("nan")}])
    assert compare_folders(*folders).detail == "answers.jsonl: [1].similarity: old 0.5, new 0.25"


def test_different_row_of_a_database_is_reported_but_its_facts_are_not(folders):
    for number, folder in enumerate(folders):
        with closing(sqlite3.connect(folder / "index.db")) as database:
            database.executescript(
                f"CREATE TABLE facts (a); INSERT INTO facts VALUES ({number}); CREATE TABLE links (a)"
            )
    assert compare_folders(*folders).outcome == SAME
    with closing(sqlite3.connect(folders[1] / "index.db")) as database:
        database.executescript("INSERT INTO links VALUES (7)")
    assert compare_folders(*folders).detail == "index.db: table links [0]: old '(absent)', new [7]"


def test_names_of_cases_are_unique():
    names = [case.name for case in list_cases(data=True, postgres=True)]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_a_revision_equals_itself_and_a_case_that_raises_fails_alike(tmp_path):
    for side in ("old", "new"):
        (tmp_path / side / "inputs").mkdir(parents=True)
        (tmp_path / side / "inputs" / "examples").symlink_to(ROOT / "examples")
    cases = [
        Case("find/messages.csv/simfinder", "find", {"docs": "inputs/examples/messages.csv", "method": "simfinder"}),
        Case("find/nowhere/exact", "find", {"docs": "nowhere.csv", "method": "exact"}),
    ]
    checkout = Checkout("this", Path(neardup.__file__).parents[2])
    assert run_group(cases, (checkout, checkout), tmp_path, None) == []
    sides = [[tmp_path / side / "cases" / case.name for side in ("old", "new")] for case in cases]
    assert [compare_folders(*pair).outcome for pair in sides] == [SAME, FAILS_ALIKE]
