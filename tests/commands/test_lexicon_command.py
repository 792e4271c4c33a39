"""neardup lexicon."""

import csv
import json

import pytest

import neardup as package

WORDS = [
    a + b
    for a in ("mer", "lak", "riv", "sto", "bri", "gla", "fen", "dor")
    for b in ("cury", "eside", "erine", "ning", "dge")
]


@pytest.fixture
def collections(letters):
    for number, rows in enumerate((60, 75, 90)):
        with (letters / f"{number}.jsonl").open("w") as stream:
            for row in range(rows):
                words = [WORDS[(row * column + column * column) % len(WORDS)] for column in range(12)]
                stream.write(json.dumps({"id": str(row), "text": " ".join(words)}) + "\n")
    return letters


def build(neardup, *numbers, output, options=()):
    done = neardup("lexicon", "build", *(f"{number}.jsonl" for number in numbers), "-o", output, *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_lexicon_of_several_inputs_adds_up_their_counts(neardup, collections):
    printed = build(neardup, 0, 1, output="both.lexicon", options=["--min-documents", "7", "--min-letters", "6"])
    kept = package.Lexicon.load(collections / "both.lexicon")
    assert (kept.documents, [source.documents for source in kept.sources]) == (135, [60, 75])
    assert f"135 documents, {len(kept)} words, {len(kept.terms)} terms, idf" in printed
    assert f"fingerprint {kept.fingerprint}" in printed
    assert (kept.choice.min_documents, kept.choice.min_letters) == (7, 6)
    built = package.Lexicon.build(collections / "0.jsonl")
    assert package.Lexicon.load(collections / "both.lexicon").document_counts.sum() > built.document_counts.sum()


def test_compare_prints_the_rank_correlation(neardup, collections):
    for number in range(3):
        build(neardup, number, output=f"{number}.lexicon")
    names = [f"{number}.lexicon" for number in range(3)]
    done = neardup("lexicon", "compare", *names)
    assert done.returncode == 0, done.stderr
    rows = json.loads(neardup("lexicon", "compare", *names, "--json").stdout)
    assert [(row["kind"], row["from"], row["to"]) for row in rows[:3]] == [
        ("alphabetic", "0.lexicon", "1.lexicon"),
        ("alphabetic", "1.lexicon", "2.lexicon"),
        ("alphabetic", "0.lexicon", "2.lexicon"),
    ]
    kept = [package.Lexicon.load(collections / name) for name in names]
    assert rows[0]["spearman"] == kept[0].compare(kept[1]).spearman
    assert f"{rows[0]['spearman']:.4f}" in done.stdout
    assert len(json.loads(neardup("lexicon", "compare", *names, "--kind", "all", "--json").stdout)) == 3


def test_stability_is_printed_and_written_as_csv(neardup, collections):
    for number in range(2):
        build(neardup, number, output=f"{number}.lexicon")
    command = ("lexicon", "stability", "0.lexicon", "1.lexicon", "--on", "0.jsonl", "--sample", "50")
    done = neardup(*command, "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    assert "of 50 documents" in done.stdout
    assert "From 0.lexicon to 1.lexicon" in done.stdout
    with (collections / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 3 * 30
    assert {row["order"] for row in rows} == {"idf", "quantised", "followed"}
    shown = json.loads(neardup(*command, "--json").stdout)
    assert [float(row["sets"]) for row in rows] == [row["sets"] for row in shown]


def test_lexicon_that_follows_another_can_be_used(neardup, collections):
    build(neardup, 0, output="first", options=["--order", "quantised", "-q"])
    assert "Written: second" in build(neardup, 1, output="second", options=["--order", "quantised", "--after", "first"])
    done = neardup("find", "letters.csv", "--method", "conrad", "--set", "lexicon=second", "--set", "reliable=5")
    assert done.returncode == 0, done.stderr
    for command in (("compare", "first", "second"), ("stability", "first", "second", "--on", "0.jsonl")):
        assert neardup("lexicon", *command).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("build", "0.jsonl", "-o", "x", "--kind", "words"),
            "'--kind': 'words' is not one of 'alphabetic', 'alphanumeric', 'all'",
        ),
        (("build", "0.jsonl", "-o", "x", "--order", "random"), "'--order': 'random' is not one of 'idf', 'quantised'"),
        (("build", "nowhere.jsonl", "-o", "x"), "nowhere.jsonl"),
        (("build", "0.jsonl", "-o", "0.jsonl/x"), "cannot write the lexicon"),
        (("build", "0.jsonl", "-o", "x", "--after", "0.jsonl"), "cannot be read as a lexicon"),
        (("compare", "0.jsonl"), "two or more"),
        (("compare", "0.jsonl", "1.jsonl"), "cannot be read as a lexicon"),
        (("stability", "a", "b"), "--on"),
    ],
)
def test_lexicon_errors_name_the_problem(neardup, collections, arguments, message):
    done = neardup("lexicon", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (collections / "x").exists()


def test_help_is_printed_without_a_subcommand(neardup):
    done = neardup("lexicon")
    assert done.returncode == 2
    assert "stability" in done.stdout
