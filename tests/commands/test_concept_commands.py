"""neardup lattice, and evaluate on a list of pairs."""

import json

import pytest


@pytest.mark.parametrize("name", ["L1", "L3"])
def test_lattice_prints_what_a_cluster_shares_and_draws_it(neardup, found, letters, name):
    done = neardup("lattice", found, name, "-o", "lattice.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("L1: 3 documents")
    assert "All share" in done.stdout
    assert "Written: lattice.svg" in done.stdout
    assert (letters / "lattice.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(("suffix", "begins"), [("dot", "digraph"), ("json", "{")])
def test_lattice_is_written_as_dot_and_json(neardup, found, letters, suffix, begins):
    assert neardup("lattice", found, "L1", "-o", f"lattice.{suffix}", "--limit", "50").returncode == 0
    assert (letters / f"lattice.{suffix}").read_text("utf-8").startswith(begins)


def test_lattice_reads_a_moved_collection_from_source(neardup, found, letters):
    (letters / "letters.csv").rename(letters / "moved.csv")
    done = neardup("lattice", found, "L1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "letters.csv" in done.stderr
    assert neardup("lattice", found, "L1", "--source", "moved.csv").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("nope",), "called 'nope'"), (("L1", "-o", "x.png"), ".svg, .dot or .json"), (("L1", "--limit", "0"), "limit")],
)
def test_lattice_errors_name_the_problem(neardup, found, arguments, message):
    done = neardup("lattice", found, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_evaluate_takes_a_list_of_pairs(neardup, found, letters):
    (letters / "pairs.csv").write_text("a,b\nL2,L1\nL1,X1\nX1,T1\nL1,gone\n")
    done = neardup("evaluate", found, "pairs.csv")
    assert done.returncode == 0, done.stderr
    assert "3 pairs in the gold" in done.stdout
    assert "Not compared: 1 pair of other documents" in done.stdout
    assert "1 chain break in the gold" in done.stdout
    assert "X1" in done.stdout
    scores = json.loads(neardup("evaluate", found, "pairs.csv", "--json").stdout)
    assert (scores["gold_pairs"], scores["common_pairs"], scores["only_gold_pairs"]) == (3, 1, 2)
    assert scores["chain_breaks"][0]["apart"] >= 1
