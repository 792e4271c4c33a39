"""neardup find."""

import gzip
import json

import pyarrow.parquet as pq
import pytest

FILES = ["clusters.parquet", "documents.parquet", "pairs.parquet", "run.json"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_without_output_the_clusters_are_printed_and_nothing_is_written(neardup, letters, finding):
    done = neardup("find", "letters.csv", *finding)
    assert (done.returncode, done.stderr) == (0, "")
    assert "8 documents: 4 duplicates in 3 clusters" in done.stdout
    assert "Comment" in done.stdout.splitlines()[0]
    assert "L1  " in done.stdout
    assert "Dear Administrator" in done.stdout
    assert "-o RUN to save the result" in done.stdout
    assert names(letters) == ["letters.csv"]


def test_run_is_saved_in_the_output_folder(neardup, letters, finding):
    done = neardup("find", "letters.csv", "-o", "deep/run", *finding)
    assert done.returncode == 0
    assert "Written: deep/run" in done.stdout
    assert "Next: neardup show deep/run L1" in done.stdout
    assert names(letters / "deep") == ["run"]
    assert names(letters / "deep" / "run") == FILES
    documents = pq.read_table(letters / "deep/run/documents.parquet").to_pylist()
    assert [(row["id"], row["cluster"]) for row in documents[:5]] == [
        ("L1", "L1"),
        ("L2", "L1"),
        ("L3", "L1"),
        ("T1", "T1"),
        ("T2", "T1"),
    ]
    run = json.loads((letters / "deep/run/run.json").read_text("utf-8"))
    assert run["method"] == "jaccard"
    assert (run["settings"]["threshold"], run["settings"]["shingle"]) == (0.6, 2)


def test_piped_output_is_plain_and_control_characters_are_escaped(neardup, finding):
    done = neardup("find", "letters.csv", *finding)
    assert "\x1b" not in done.stdout
    assert "\u202e" not in done.stdout
    assert "[red]Evil[/red] ␛[31mtext␛[0m <U+202E>" in done.stdout
    assert all(line == line.rstrip() for line in done.stdout.splitlines())


def test_quiet_prints_nothing(neardup, letters, finding):
    done = neardup("find", "letters.csv", "-o", "run", "--quiet", *finding)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert names(letters / "run") == FILES


def test_values_of_set_are_parsed_as_numbers(neardup, letters):
    done = neardup("find", "letters.csv", "-o", "run", "-m", "jaccard", "--set", "shingle=2", "--set", "threshold=0.6")
    assert done.returncode == 0, done.stderr
    settings = json.loads((letters / "run/run.json").read_text("utf-8"))["settings"]
    assert (settings["shingle"], settings["threshold"]) == (2, 0.6)


def test_find_exports_the_result(neardup, letters, finding):
    done = neardup("find", "letters.csv", "--export", "out.jsonl", *finding)
    assert done.returncode == 0
    assert "Written: out.jsonl" in done.stdout
    first = json.loads((letters / "out.jsonl").read_text("utf-8").splitlines()[0])
    assert (first["id"], first["relation"]) == ("L1", "reference")


def test_fail_on_duplicates_exits_with_1_only_if_there_are_duplicates(neardup, letters, finding):
    assert neardup("find", "letters.csv", "--fail-on-duplicates", *finding).returncode == 1
    (letters / "one.csv").write_text("id,text\na,one text alone is no duplicate of anything\n")
    assert neardup("find", "one.csv", "--fail-on-duplicates", *finding).returncode == 0


def test_unreadable_input_exits_with_3_or_with_2_under_strict(neardup, letters, finding):
    (letters / "broken.csv.gz").write_bytes(gzip.compress(b"id,text\n" + b"a,b\n" * 5000)[:-20])
    done = neardup("find", "letters.csv", "broken.csv.gz", *finding)
    assert done.returncode == 3, done.stderr
    assert "1 unreadable" in done.stdout
    strict = neardup("find", "letters.csv", "broken.csv.gz", "--strict", *finding)
    assert strict.returncode == 2
    assert "broken.csv.gz" in strict.stderr


def test_against_finds_only_duplicates_between_the_collections(neardup, letters, finding, rows):
    # Without --text, which also applies to the other collection, the column "text" would be guessed.
    (letters / "other.csv").write_text(f'id,Comment,text\no1,"{rows[3][1]}",wrong\n', "utf-8")
    done = neardup("find", "letters.csv", "--against", "other.csv", "--text", "Comment", *finding)
    assert done.returncode == 0, done.stderr
    assert "Dear Administrator" not in done.stdout
    assert "We drank two cups" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.csv"], "nowhere.csv"),
        (["letters.csv", "--text", "Nope"], "Nope"),
        (["letters.csv", "--method", "minhush"], "minhash"),
        (["letters.csv", "--set", "treshold=0.5"], "threshold"),
        (["letters.csv", "-m", "jaccard", "--threshold", "1.5"], "threshold"),
        (["letters.csv", "--threshold", "high"], "'high' is not a number"),
        (["letters.csv", "--threads", "0"], "--threads"),
        (["letters.csv", "--shingel", "3"], "--shingle"),
        (["letters.csv", "--engine", "steam"], "steam"),
        (["letters.csv", "-o", "letters.csv"], "letters.csv is a file"),
        (["letters.csv", "-o", "letters.csv/run"], "letters.csv"),
        (["letters.csv", "-o", "."], "contains something other than a run"),
        (["letters.csv", "--export", "out.doc"], "unknown output format of out.doc"),
        ([], "INPUT"),
    ],
)
def test_errors_are_at_most_two_lines_and_name_the_problem(neardup, letters, arguments, message):
    done = neardup("find", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("neardup: ")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert names(letters) == ["letters.csv"]


@pytest.mark.slow
def test_format_of_standard_input_is_detected(neardup, letters, finding):
    table = (letters / "letters.csv").read_text("utf-8")
    by_name = neardup("find", "letters.csv", "-o", "by_name", "-q", *finding)
    piped = neardup("find", "-", "-o", "piped", "-q", *finding, input=table)
    assert (by_name.returncode, piped.returncode) == (0, 0), piped.stderr
    for name in ("documents", "clusters", "pairs"):
        files = [letters / run / f"{name}.parquet" for run in ("by_name", "piped")]
        assert pq.read_table(files[0]).equals(pq.read_table(files[1]))


@pytest.mark.parametrize(
    "arguments", [("find", "-", "-"), ("find", "-", "--against", "-"), ("dedup", "-", "-o", "out")]
)
def test_standard_input_named_twice_is_refused(neardup, letters, arguments):
    done = neardup(*arguments)
    assert (done.returncode, "only once" in done.stderr) == (2, True)
    assert not (letters / "out").exists()
