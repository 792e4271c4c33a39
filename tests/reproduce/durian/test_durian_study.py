import csv
from math import isnan

import numpy as np
import pytest
from typer.testing import CliRunner

from neardup.cli.app import app
from neardup.errors import InputError, MissingExtra, OutputError
from neardup.reproduce import inputs
from neardup.reproduce.durian import experiments, published, study
from neardup.reproduce.durian.subcategories import SUBCATEGORIES, mean_f1, score_subcategories
from neardup.reproduce.folder import write_reproduction
from neardup.reproduce.random_stream import RandomStream

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def small_sweeps():
    with pytest.MonkeyPatch.context() as patch:
        sweeps = {"full": {"threshold": [0.5, 0.95], "shingle": [3]}, "dsc": {"threshold": [0.5], "shingle": [2, 3]}}
        patch.setattr(experiments, "SWEEPS", {**sweeps, "imatch": {"terms": [20], "skip": [0, 5]}})
        yield


@pytest.fixture(scope="module")
def found(letters, small_sweeps):
    return experiments.run_experiments(letters, 7, size=120, draws=2)


def invoke(*arguments):
    return CliRunner().invoke(app, ["reproduce", *arguments], standalone_mode=False)


def read_csv(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_scores_match_values_computed_by_hand():
    relations = np.array(["reference", "exact", "exact", "key_block", "reference", "exact", "unique", "unique"])
    gold = np.array([0, 0, 0, 0, 1, 1, 2, 3])
    found = np.array([0, 0, 1, 2, 3, 3, 3, 4])
    scores = score_subcategories(found, gold, relations)
    exact = scores["exact"]
    assert (exact.letters, exact.precision, exact.recall) == (3, 1.0, 0.75)
    assert (exact.f1, exact.micro_recall) == (pytest.approx(6 / 7), pytest.approx(2 / 3))
    missed = scores["block_added"]
    assert (missed.letters, missed.recall, missed.f1) == (1, 0.0, 0.0)
    assert isnan(missed.precision)
    alone = scores["singleton"]
    assert (alone.precision, alone.recall) == (pytest.approx(1 / 3), 0.5)
    assert isnan(scores["rearrange"].f1)
    assert mean_f1(scores) == pytest.approx((6 / 7 + 0 + 0.4) / 3)


def test_letter_in_wrong_cluster_lowers_precision_and_recall():
    relations = np.array(["reference", "exact", "exact", "reference", "exact"])
    scores = score_subcategories(np.array([0, 0, 0, 0, 0]), np.array([0, 0, 0, 1, 1]), relations)
    assert (scores["exact"].precision, scores["exact"].recall) == (0.5, 0.5)
    assert scores["exact"].micro_precision == pytest.approx(2 / 3)


def test_simulated_coders_err_at_stated_rate():
    gold = np.array([0, 1] * 2000 + list(range(2, 1002)))
    coder = experiments.simulate_coder(gold, RandomStream(3, "coder"), 0.02)
    wrong = [(own, label) for own, label in zip(gold.tolist(), coder, strict=True) if own != label]
    assert 60 < len(wrong) < 140
    from_campaigns = [label for own, label in wrong if own < 2]
    assert {0, 1} < set(from_campaigns)
    assert sum(label > 1001 for label in from_campaigns) > len(from_campaigns) / 4
    assert all(label < 2 for own, label in wrong if own >= 2)
    assert experiments.simulate_coder(gold, RandomStream(3, "coder"), 0.0) == gold.tolist()


def test_published_f1_follows_from_precision_and_recall():
    table = published.read_effectiveness()
    assert len(table) == 6 * 4 * 3
    assert table["minor_change", "durian", "dot"] == (1.0, 1.0, 1.0)
    assert table["rearrange", "dsc", "ntf"] == (0.67, 0.83, 0.74)
    for precision, recall, f1 in table.values():
        assert f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=0.011)


def test_measurements_are_complete(found):
    assert len(found.measurements["table1"]) == 3 * 3 * 2
    assert len(found.measurements["table2"]) == len(SUBCATEGORIES) * 4 * 3
    assert len(found.measurements["table3"]) == 4 * 3 * 2
    assert len(found.measurements["figure4"]) == 3 * 4 * len(experiments.COUNTS)
    assert all(0.5 < row["ac1"] <= 1 for row in found.measurements["table1"])
    assert all(row["seconds"] > 0 for row in found.measurements["table3"])
    assert {row["ratio"] for row in found.measurements["table3"] if row["method"] == "full"} == {1.0}


def test_durian_has_higher_recall_than_imatch_on_added_blocks(found):
    recall = {}
    for row in found.measurements["table2"]:
        if row["subcategory"] == "block_added":
            recall.setdefault(row["method"], []).append(row["recall"])
    assert min(recall["durian"]) > 0.8
    assert max(recall["imatch"]) < 0.5


def test_f1_without_constraints_is_the_same_for_every_kind(found):
    for style in published.SAMPLES:
        points = [row for row in found.measurements["figure4"] if row["sample"] == style and row["constraints"] == 0]
        assert len({(row["f1"], row["pair_f1"]) for row in points}) == 1
        assert {row["paper_f1"] for row in points} == {published.WITHOUT_CONSTRAINTS[style]}


def test_sweep_returns_best_settings(letters, small_sweeps):
    samples = [experiments.make_sample(letters, 7, "ntf", 120)]
    best = experiments.sweep("full", samples, lambda *_: None)
    reached = {
        share: mean_f1(samples[0].score(experiments._label(samples[0], "full", {"threshold": share, "shingle": 3})))
        for share in (0.5, 0.95)
    }
    assert reached[0.5] != reached[0.95]
    assert best == {"threshold": max(reached, key=reached.get), "shingle": 3}


def test_same_seed_gives_same_measurements(letters, small_sweeps, found):
    again = experiments.run_experiments(letters, 7, size=120, draws=2)
    assert again.measurements["table1"] == found.measurements["table1"]
    assert again.measurements["figure4"] == found.measurements["figure4"]
    assert again.settings == found.settings


def test_folder_contains_report_tables_and_figure(found, tmp_path):
    written = write_reproduction(study.present(found), tmp_path / "made")
    assert {path.name for path in (tmp_path / "made").iterdir()} == {path.name for path in written}
    assert (tmp_path / "made" / "figure4.png").read_bytes().startswith(b"\x89PNG")
    svg = (tmp_path / "made" / "figure4.svg").read_bytes()
    write_reproduction(study.present(found), tmp_path / "made")
    assert (tmp_path / "made" / "figure4.svg").read_bytes() == svg
    report = (tmp_path / "made" / "report.md").read_text("utf-8")
    assert "Simulated: the coders" in report
    assert "(figure4.svg)" in report
    assert len(read_csv(tmp_path / "made" / "table2.csv")) == len(found.measurements["table2"])
    assert read_csv(tmp_path / "made" / "figure4.csv")[0]["paper_f1"] == "0.81"


def test_missing_matplotlib_is_reported_after_tables_are_written(found, tmp_path, letters, monkeypatch):
    monkeypatch.setattr("neardup.reproduce.figures.find_spec", lambda name: None)
    monkeypatch.setattr(study, "run_experiments", lambda *_, **__: found)
    (tmp_path / "letter.txt").write_text(letters[0], "utf-8")
    done = invoke("durian", "--letters", str(tmp_path / "letter.txt"), "-o", str(tmp_path / "made"))
    assert isinstance(done.exception, MissingExtra)
    assert "neardup[plots]" in str(done.exception)
    assert "Table 3" in done.output
    names = {path.name for path in (tmp_path / "made").iterdir()}
    assert names == {"report.md", "table1.csv", "table2.csv", "table3.csv", "figure4.csv"}
    assert "figure4.svg" not in (tmp_path / "made" / "report.md").read_text("utf-8")


def test_unknown_study_is_refused():
    done = invoke("durain")
    assert done.exit_code == 2 or done.exception is not None
    assert "durain" in f"{done.output}{done.exception}"


def test_letters_option_is_required_outside_a_clone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(inputs, "__file__", str(tmp_path / "lib" / "neardup" / "reproduce" / "inputs.py"))
    done = invoke("durian")
    assert isinstance(done.exception, InputError)
    assert "--letters" in str(done.exception)


def test_folder_with_other_files_is_refused_and_unchanged(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine", "utf-8")
    done = invoke("durian", "-o", str(tmp_path))
    assert isinstance(done.exception, OutputError)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
