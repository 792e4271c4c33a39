"""The command `passages`, and what `show` and `export` do with its runs."""

import json

SHARED = "the proposed limit would apply to every hull on the water from the first day of the coming year and not later"


def write_documents(folder):
    texts = [f"One. {SHARED}", f"Two is different. {SHARED}", "Three has nothing."]
    lines = [json.dumps({"id": f"d{number}", "text": text}) for number, text in enumerate(texts)]
    (folder / "docs.jsonl").write_text("\n".join(lines), "utf-8")


def test_passages_are_printed_saved_shown_and_exported(neardup, tmp_path):
    write_documents(tmp_path)
    made = neardup("passages", "docs.jsonl", "--min-words", "20", "-o", "run")
    assert "3 documents: 2 of them share 1 passage" in made.stdout
    assert {path.name for path in (tmp_path / "run").iterdir()} == {
        "run.json",
        "passages.parquet",
        "occurrences.parquet",
        "boilerplate.parquet",
    }
    assert "the proposed limit" in neardup("show", "run").stdout
    assert "d1" in neardup("show", "run", "1").stdout
    neardup("export", "run", "-o", "passages.csv")
    assert (tmp_path / "passages.occurrences.csv").read_text("utf-8").count("\n") == 3


def test_passages_that_are_all_boilerplate_are_not_called_missing(neardup, tmp_path):
    write_documents(tmp_path)
    made = neardup("passages", "docs.jsonl", "--min-words", "20", "--max-documents", "1")
    assert "all are in too many or too few documents" in made.stdout


def test_an_export_never_replaces_the_input(neardup, tmp_path):
    write_documents(tmp_path)
    before = (tmp_path / "docs.jsonl").read_bytes()
    assert "is an input" in neardup("passages", "docs.jsonl", "--export", "./docs.jsonl").stderr
    assert (tmp_path / "docs.jsonl").read_bytes() == before


def test_an_unknown_passage_is_an_error(neardup, tmp_path):
    write_documents(tmp_path)
    neardup("passages", "docs.jsonl", "-q", "-o", "run")
    failed = neardup("show", "run", "7")
    assert failed.returncode == 2
    assert "no passage has the number 7" in failed.stderr


def test_a_run_of_passages_has_no_clusters_to_evaluate(neardup, tmp_path):
    write_documents(tmp_path)
    neardup("passages", "docs.jsonl", "-q", "-o", "run")
    (tmp_path / "gold.csv").write_text("id,cluster\nd0,a\nd1,a\n", "utf-8")
    assert "run of passages" in neardup("evaluate", "run", "gold.csv").stderr


def test_dedup_cuts_repeated_passages(neardup, tmp_path):
    write_documents(tmp_path)
    done = neardup("dedup", "docs.jsonl", "--passages", "--min-words", "20", "--mask", "[cut]", "-o", "out.jsonl")
    assert "1 repetition removed from 1 document" in done.stdout
    texts = [json.loads(line)["text"] for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert texts == [f"One. {SHARED}", "Two is different. [cut]", "Three has nothing."]


def test_options_of_passages_need_it(neardup, tmp_path):
    write_documents(tmp_path)
    assert "--passages" in neardup("dedup", "docs.jsonl", "--mask", "x", "-o", "out.jsonl").stderr
    assert "threshold" in neardup("dedup", "docs.jsonl", "--passages", "--threshold", "0.9", "-o", "out.jsonl").stderr
