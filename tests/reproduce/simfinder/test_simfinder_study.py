"""The study of short texts on small corpora: its measurements, tables, figures and files."""

import csv
import json
from itertools import combinations, pairwise, product
from math import isnan

import numpy as np
import pytest
from typer.testing import CliRunner

from neardup import api
from neardup.cli.app import app
from neardup.errors import InputError, MissingExtra, SettingsError
from neardup.reproduce.corpora.messages import grow, write_messages
from neardup.reproduce.folder import write_reproduction
from neardup.reproduce.simfinder import published, study
from neardup.reproduce.simfinder.detection import (
    EVERY_PAIR,
    FINGERPRINTS,
    WEIGHTINGS,
    find_pairs,
    measure_degrees,
    open_collection,
)
from neardup.reproduce.simfinder.experiments import TABLES, Source, run_experiments, scale
from neardup.reproduce.simfinder.experiments.precision import ABOVE, judge_pairs
from neardup.reproduce.simfinder.experiments.process import measure
from neardup.reproduce.simfinder.experiments.recall import FEATURES, GRAMS, LENGTHS
from neardup.reproduce.simfinder.experiments.scale import measure_in_process, write_texts
from neardup.reproduce.simfinder.pairs import LabelledPairs
from neardup.reproduce.simfinder.study import present
from neardup.reproduce.simfinder.tables import list_tables

pytestmark = pytest.mark.slow

PAIRS = LabelledPairs(
    "judged",
    ["the red bus stops here", "buy milk and bread", "same words same order", "", "left of it"],
    ["the red bus stops there", "totally other things", "same words same order", "empty", "right of it"],
    np.array([True, False, True, False, False]),
)


@pytest.fixture(scope="module")
def small_scale():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scale, "STEPS", 2)
        patch.setattr(scale, "TIMES", 1)
        # Only one test starts a process for a run.
        patch.setattr(scale, "measure_in_process", measure)
        yield


@pytest.fixture(scope="module")
def found(small_scale):
    source = Source("own", grow(write_messages("english", 2, 150), 2, 600).texts)
    return run_experiments([source], [PAIRS], 7, size=700)


def invoke(*arguments):
    return CliRunner().invoke(app, ["reproduce", "simfinder", *arguments], standalone_mode=False)


def rows_of(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def test_measurements_are_complete(found):
    corpora = ["own", "own, grown"]
    assert [row["corpus"] for row in found.measurements["corpora"]] == corpora
    both = len(corpora) * len(WEIGHTINGS)
    assert len(found.measurements["grams"]) == both * (1 + len(GRAMS))
    assert len(found.measurements["features"]) == both * len(FEATURES)
    assert len(found.measurements["lengths"]) == both * len(LENGTHS)
    assert len(found.measurements["optimisation"]) == both * 2
    assert len(found.measurements["potential"]) == both * 2 * 2
    assert len(found.measurements["scale"]) == 2 * len(scale.MODES)
    assert {row["source"] for row in found.measurements["precision"]} == {"judged", "own, grown"}
    assert len(found.measurements["precision"]) == 2 * 3 * (len(published.INTERVALS) + 1)


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_prefix_search_finds_every_pair_at_threshold(weighting):
    collection = open_collection(grow(write_messages("chinese", 2, 60), 2, 150).texts)
    nodes = np.arange(len(collection), dtype=np.uint32)
    a, b = map(np.ascontiguousarray, np.array(list(combinations(nodes, 2)), np.uint32).T)
    near = measure_degrees(collection, a, b, WEIGHTINGS[weighting]) >= published.THRESHOLD
    exact = find_pairs(collection, {**WEIGHTINGS[weighting], **EVERY_PAIR})
    assert near.sum() > 10
    assert list(zip(exact.a, exact.b, strict=True)) == list(zip(a[near], b[near], strict=True))


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_derived_results_equal_those_of_the_detector(found, weighting):
    texts = grow(write_messages("english", 2, 150), 2, 600).texts
    for row in rows_of(found.measurements["grams"] + found.measurements["features"], corpus="own", weighting=weighting):
        if row["setting"] == "baseline":
            continue
        gram, extra = (3, int(row["setting"][2:])) if "+" in row["setting"] else (int(row["setting"]),) * 2
        settings = {**WEIGHTINGS[weighting], **FINGERPRINTS, "gram": gram, "features": extra}
        pairs = find_pairs(open_collection(texts), settings)
        assert (len(pairs.a), pairs.comparisons) == (row["pairs_found"], row["comparisons"]), row["setting"]
    own = api.find(texts, "simfinder", paper=weighting == "as printed", **FINGERPRINTS)
    assert (
        own.summary["counts"]["candidates"]
        == rows_of(found.measurements["grams"], corpus="own", weighting=weighting, setting="3")[0]["comparisons"]
    )


def test_baseline_and_fingerprints_find_part_of_exact_answer(found):
    for corpus, weighting in product(("own", "own, grown"), WEIGHTINGS):
        marks = {"corpus": corpus, "weighting": weighting}
        rows = {row["setting"]: row for row in rows_of(found.measurements["grams"], **marks)}
        assert rows["baseline"]["recall_baseline"] == 1.0
        assert all(0 < row["recall_exact"] <= 1 for row in rows.values())
        assert all(row["counted"] == "exactly" for row in rows.values())
        assert rows["1"]["comparisons"] > rows["3"]["comparisons"] >= rows["3"]["pairs_found"]
        assert rows["1"]["pairs_found"] >= rows["3"]["pairs_found"] >= rows["6"]["pairs_found"]
        lengths = rows_of(found.measurements["lengths"], **marks)
        assert sum(row["pairs_found"] for row in lengths) == rows["3"]["pairs_found"]
        assert sum(row["texts_found"] for row in lengths) == rows["3"]["texts_found"]


def test_more_features_find_at_least_as_many_pairs(found):
    for corpus, weighting in product(("own", "own, grown"), WEIGHTINGS):
        rows = rows_of(found.measurements["features"], corpus=corpus, weighting=weighting)
        for few, more in pairwise(rows):
            assert few["pairs_found"] <= more["pairs_found"]
            assert few["comparisons"] <= more["comparisons"]
        same = rows_of(found.measurements["grams"], corpus=corpus, weighting=weighting, setting="3")[0]
        assert rows[published.GRAM]["pairs_found"] == same["pairs_found"]
        assert rows[published.GRAM]["comparisons"] == same["comparisons"]


def test_skipping_saves_comparisons_and_keeps_clusters(found):
    kept, collapsed = rows_of(found.measurements["optimisation"], corpus="own, grown", weighting="ours")
    assert (kept["copies"], collapsed["copies"]) == ("kept", "collapsed")
    assert kept["texts"] > collapsed["texts"]
    assert kept["comparisons"] > collapsed["comparisons"] > collapsed["comparisons_skipping"]
    assert kept["saved"] > collapsed["saved"] > 0
    assert all(row["same_clusters"] and row["counted"] == "exactly" for row in found.measurements["optimisation"])


def test_share_of_potential_pairs_below_threshold_is_in_its_interval(found):
    rows = {
        (row["copies"], row["links_between"]): row
        for row in rows_of(found.measurements["potential"], corpus="own, grown", weighting="ours")
    }
    for row in rows.values():
        assert row["drawn"] == min(row["potential_pairs"], published.POTENTIAL_PAIRS)
        assert row["below"] <= row["drawn"]
        assert row["low"] <= row["share"] <= row["high"]
    assert rows["kept", "two"]["share"] <= rows["collapsed", "two"]["share"]


def test_judged_pairs_are_counted_by_degree():
    rows = list(judge_pairs(PAIRS))
    equal = {row["degree"]: row for row in rows_of(rows, equation="3")}
    # The shares of common words are 4/6, 1, 2/4 and 0; the pair with an empty text is left out.
    assert [(degree, row["pairs"], row["alike"]) for degree, row in equal.items() if row["pairs"]] == [
        ("0.55", 1, 0),
        ("0.70", 1, 1),
        ("1.00", 1, 1),
        (ABOVE, 2, 2),
    ]
    assert isnan(equal["0.95"]["precision"])
    # The words "here" and "there" have small weights.
    weighted = {row["degree"]: row["pairs"] for row in rows_of(rows, equation="4 ours")}
    assert weighted["0.70"] == 0
    assert weighted[ABOVE] == 2


def test_identical_copies_are_separate_nodes_only_if_kept():
    texts = ["one two three four", "one two three four", "", "five six seven"]
    assert open_collection(texts).nodes.tolist() == [0, 0, -1, 1]
    kept = open_collection(texts, copies=True)
    assert kept.nodes.tolist() == [0, 1, -1, 2]
    pairs = find_pairs(kept, FINGERPRINTS)
    assert list(zip(pairs.a, pairs.b, pairs.degrees, strict=True)) == [(0, 1, 1.0)]


def test_run_in_separate_process_gives_same_counts(tmp_path):
    texts = write_messages("english", 1, 2000)
    assert write_texts(tmp_path / "texts.arrow", texts) == sum(len(text.encode()) for text in texts)
    apart = measure_in_process(tmp_path / "texts.arrow", {"candidates": "prefix"}, 2)
    assert apart["seconds"] > 0
    assert apart["bytes"] > 0
    here = measure(tmp_path / "texts.arrow", {"candidates": "prefix"}, 1)
    assert here["counts"] == apart["counts"]
    assert here["counts"]["documents"] == 2000


def test_same_seed_gives_same_measurements(found, small_scale):
    source = Source("own", grow(write_messages("english", 2, 150), 2, 600).texts)
    again = run_experiments([source], [PAIRS], 7, size=700)
    for name in TABLES[:-1]:
        assert str(again.measurements[name]) == str(found.measurements[name]), name


def test_folder_contains_report_tables_json_and_figures(found, tmp_path):
    names = {path.name for path in write_reproduction(present(found), tmp_path / "made")}
    assert {path.name for path in (tmp_path / "made").iterdir()} == names
    assert {"report.md", "figures.json", "precision.csv", "figures1-2.png", "figures9-10.svg"} <= names
    assert (tmp_path / "made" / "figures3-4.png").read_bytes().startswith(b"\x89PNG")
    content = json.loads((tmp_path / "made" / "figures.json").read_text("utf-8"))
    assert (content["seed"], len(content["grams"])) == (7, len(found.measurements["grams"]))
    with (tmp_path / "made" / "optimisation.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["corpus"] for row in csv.DictReader(stream)] == [
            row["corpus"] for row in found.measurements["optimisation"]
        ]
    report = (tmp_path / "made" / "report.md").read_text("utf-8")
    for printed in ("642,404,813", "120,725,627", "81.2%", "0.23%", "12,000,000", published.UNREADABLE):
        assert printed in report
    assert "(figures5-6.svg)" in report


def test_judged_pairs_without_corpus_give_only_precision(tmp_path):
    found = run_experiments([], [PAIRS], 1, size=100)
    assert [table.title.split(":")[0] for table in list_tables(found)] == ["Figures 1 and 2"]
    names = {path.name for path in write_reproduction(present(found), tmp_path)}
    assert names == {"precision.csv", "figures.json", "report.md", "figures1-2.png", "figures1-2.svg"}


def test_corpus_without_duplicates_gives_empty_results(small_scale, tmp_path):
    source = Source("alone", [f"word{number} other{number} third{number}" for number in range(120)])
    found = run_experiments([source], [], 1, size=100)
    alone = rows_of(found.measurements["grams"], corpus="alone", setting="3")[0]
    assert (alone["texts_found"], alone["comparisons"]) == (0, 0)
    assert isnan(alone["recall_baseline"])
    assert rows_of(found.measurements["potential"], corpus="alone")[0]["drawn"] == 0
    write_reproduction(present(found), tmp_path / "made")
    assert "nan" not in (tmp_path / "made" / "report.md").read_text("utf-8")


def test_command_reads_corpus_and_pairs_from_files(small_scale, tmp_path):
    texts = grow(write_messages("chinese", 1, 100), 1, 300).texts
    with (tmp_path / "notes.csv").open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["text"], *([text] for text in texts)])
    (tmp_path / "judged.csv").write_text("a,b,label\nsee you soon,see you soon!,1\n", "utf-8")
    given = ("--corpus", str(tmp_path / "notes.csv"), "--pairs", str(tmp_path / "judged.csv"))
    done = invoke(*given, "--size", "300", "-o", str(tmp_path / "made"))
    assert done.exception is None, done.exception
    assert "notes, grown" in done.output
    assert "eq. 4 as printed" in done.output
    assert "642,404,813" in done.output
    assert (tmp_path / "made" / "report.md").exists()


def test_messages_are_generated_without_input(small_scale):
    found = run_experiments([], [], 1, size=120)
    assert [row["corpus"] for row in found.measurements["corpora"]] == ["english, grown", "chinese, grown"]
    assert {row["corpus"] for row in found.measurements["scale"]} == {"english", "chinese"}


def test_tables_are_written_without_matplotlib(found, tmp_path, monkeypatch):
    monkeypatch.setattr("neardup.reproduce.figures.find_spec", lambda name: None)
    monkeypatch.setattr(study, "run_experiments", lambda *_, **__: found)
    done = invoke("-o", str(tmp_path / "made"))
    assert isinstance(done.exception, MissingExtra)
    assert not list((tmp_path / "made").glob("*.png"))
    assert "figures1-2.svg" not in (tmp_path / "made" / "report.md").read_text("utf-8")


def test_unusable_options_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # long paths are shortened in messages
    for arguments, kind, message in (
        (["--size", "3"], SettingsError, "at least 100"),
        (["--corpus", "none.csv"], InputError, "none.csv"),
    ):
        done = invoke(*arguments, "-o", str(tmp_path / "made"))
        assert isinstance(done.exception, kind)
        assert message in str(done.exception)
    (tmp_path / "empty.csv").write_text("text\n \n", "utf-8")
    done = invoke("--corpus", str(tmp_path / "empty.csv"), "-o", str(tmp_path / "made"))
    assert isinstance(done.exception, InputError)
