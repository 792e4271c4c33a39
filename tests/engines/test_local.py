import pytest

from neardup.detectors import make_detector
from neardup.engines import Job, run_local
from neardup.errors import OutputError
from neardup.records import Documents
from reference.examples import make_collection, run
from reference.runs import Record

LETTER = "please save the whales from the nets and the ships that hunt them in the cold sea of the north now"


@pytest.mark.parametrize(("denominator", "follows"), [("reference", False), ("document", True)])
def test_denominator_is_that_of_the_reference_copy(denominator, follows):
    # The longer text has two copies, so it leads although its id is later. It contains `a`, which is a quarter of it.
    longer = f"{LETTER} {' '.join(f'w{number}' for number in range(3 * len(LETTER.split())))}"
    records = [Record("a", LETTER), Record("b", longer), Record("c", longer)]
    result = run("full", records, denominator=denominator, threshold=0.5)
    assert result.documents["cluster"].to_pylist() == (["b", "b", "b"] if follows else ["a", "b", "b"])


def test_stages_are_timed_and_reported():
    events = []
    result = run_local(
        make_detector("jaccard", {}), Job(Documents(["a b", "c"])), progress=lambda *event: events.append(event)
    )
    first, *names = result.summary["seconds"]
    assert (first, names[0]) == ("read", "collapse")
    assert [name for name, _, _ in events[::2]] == [name for name, _, _ in events[1::2]] == names
    assert all(done == 0 for _, done, _ in events[::2])
    assert all(done == total for _, done, total in events[1::2])


def test_summary_contains_notes_and_reason():
    documents = Documents(["a"], notes=("the text column is body",), inputs=("x.csv",), counts={"records": 3})
    summary = run_local(make_detector("exact", {}), Job(documents, notes=("first",), reason="because")).summary
    assert summary["notes"] == ["first", "the text column is body"]
    assert summary["reason"] == "because"
    assert summary["inputs"] == ["x.csv"]
    assert summary["counts"]["records"] == 3


def test_audit_runs_when_the_result_is_saved(tmp_path):
    result = run("minhash", make_collection(61))
    assert "audit" not in result.summary
    result.save(tmp_path / "run")
    assert result.summary["audit"]["recall"] is not None


def test_cluster_times_span_their_members():
    records = [
        Record("a", "same text", 5),
        Record("b", "same text", 3),
        Record("c", "same text"),
        Record("d", "alone", 1),
    ]
    row = run("exact", records).table("clusters").to_pylist()[0]
    assert (row["first_time"].microsecond, row["last_time"].microsecond) == (3, 5)
    assert row["cluster"] == "b"


def test_clusters_are_sorted_by_size_then_by_reference(tmp_path):
    texts = ["x x", "x x", "y y", "y y", "z z", "z z", "z z"]
    records = [Record(f"{9 - number}", text) for number, text in enumerate(texts)]
    assert [cluster.id for cluster in run("exact", records).clusters] == ["3", "6", "8"]


def test_run_does_not_overwrite_other_files(tmp_path):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "letter.txt").write_text("dear")
    (tmp_path / "file").write_text("dear")
    result = run("exact", make_collection(62))
    for name in ("taken", "file"):
        with pytest.raises(OutputError):
            result.save(tmp_path / name)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "taken"]
    assert (tmp_path / "taken" / "letter.txt").read_text() == "dear"


def test_run_overwrites_an_earlier_run(tmp_path):
    run("exact", make_collection(63)).save(tmp_path / "run")
    run("jaccard", make_collection(64)).save(tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == [
        "clusters.parquet",
        "documents.parquet",
        "pairs.parquet",
        "run.json",
    ]
    assert '"method": "jaccard"' in (tmp_path / "run" / "run.json").read_text()
