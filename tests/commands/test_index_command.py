"""neardup index."""

import json

import pytest

BUILD = ("--method", "jaccard", "--set", "threshold=0.6", "--set", "shingle=2")


@pytest.fixture
def built(neardup, letters):
    done = neardup("index", "build", "letters.db", "letters.csv", *BUILD)
    assert (done.returncode, done.stderr) == (0, "")
    assert "8 added; the last event is 8." in done.stdout
    return letters


def lines(done):
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.slow
def test_query_takes_a_file_a_document_or_standard_input(neardup, built):
    text = json.loads(neardup("index", "cluster", "letters.db", "--document", "T1", "--json").stdout)
    assert [member["id"] for member in text["members"]] == ["T1", "T2"]
    (built / "question.txt").write_text("We drank two cups of tea in the garden of the old house.")
    assert lines(neardup("index", "query", "letters.db", "question.txt")) == ["No similar documents."]
    found = lines(neardup("index", "query", "letters.db", "--document", "L1"))
    assert [line.split()[-1] for line in found] == ["L2", "L3"]
    asked = neardup("index", "query", "letters.db", "-", "--json", "--limit", "1", input="nothing at all")
    assert json.loads(asked.stdout) == []


def test_documents_are_added_updated_and_removed(neardup, built):
    (built / "more.jsonl").write_text('{"id": "M1", "text": "one more letter"}\n{"id": "L1", "text": "another text"}\n')
    refused = neardup("index", "add", "letters.db", "more.jsonl")
    assert refused.returncode == 2
    assert "'L1'" in refused.stderr
    assert "1 added, 1 skipped" in neardup("index", "add", "letters.db", "more.jsonl", "--existing", "skip").stdout
    assert "2 updated" in neardup("index", "update", "letters.db", "more.jsonl").stdout
    assert "1 removed" in neardup("index", "remove", "letters.db", "M1").stdout
    assert neardup("index", "update", "letters.db", "more.jsonl").returncode == 2
    (built / "ids.txt").write_text("L1\nunknown\n")
    assert neardup("index", "remove", "letters.db", "--ids", "ids.txt").returncode == 2
    done = neardup("index", "remove", "letters.db", "--ids", "ids.txt", "--missing", "skip")
    assert "1 removed, 1 skipped" in done.stdout
    assert "Nothing to do" in neardup("index", "expire", "letters.db", "2001-01-01").stdout
    kinds = [json.loads(line)["kind"] for line in lines(neardup("index", "events", "letters.db", "--since", "8"))]
    assert (kinds[0], kinds.count("updated"), kinds.count("removed")) == ("added", 2, 2)
    assert json.loads(neardup("index", "stats", "letters.db", "--json").stdout)["documents"] == 7
    assert sorted(path.name for path in built.glob("letters.db*")) == ["letters.db"]


def test_result_list_is_grouped_by_page(neardup, built):
    shown = lines(neardup("index", "group", "letters.db", "L3", "X1", "L1", "nobody", "--limit", "2"))
    assert shown == ["L3", "    L1", "X1", "4 results in 3 groups; the next page starts at --offset 2."]
    (built / "ids.txt").write_text("L3\nX1\nL1\n")
    options = ("--offset", "1", "--leader", "longest", "--json")
    page = json.loads(neardup("index", "group", "letters.db", "--ids", "ids.txt", *options).stdout)
    assert [group["leader"] for group in page["groups"]] == ["X1"]


def test_backup_is_an_index_and_can_be_compacted(neardup, built):
    assert lines(neardup("index", "backup", "letters.db", "copy.db")) == ["Written: copy.db"]
    assert lines(neardup("index", "compact", "copy.db"))[0].endswith("now.")
    assert "documents    8" in lines(neardup("index", "stats", "copy.db"))
    again = neardup("index", "backup", "letters.db", "copy.db")
    assert (again.returncode, "already" in again.stderr) == (2, True)


@pytest.mark.slow
def test_migration_copies_an_index_and_follows_its_changes(neardup, built):
    done = lines(neardup("index", "migrate", "letters.db", "next.db", "--set", "threshold=0.5"))
    assert done == ["8 added; next.db has caught up with event 8 of letters.db."]
    neardup("index", "remove", "letters.db", "L1")
    assert lines(neardup("index", "migrate", "letters.db", "next.db"))[0].startswith("1 removed; next.db")
    assert lines(neardup("index", "migrate", "letters.db", "next.db", "--quiet")) == []
    stats = json.loads(neardup("index", "stats", "next.db", "--json").stdout)
    assert (stats["documents"], stats["settings"]["threshold"], stats["warnings"]) == (7, 0.5, [])
    refused = neardup("index", "migrate", "letters.db", "next.db", "--set", "threshold=0.7")
    assert (refused.returncode, "threshold 0.5, not 0.7" in refused.stderr) == (2, True)
    neardup("lexicon", "build", "letters.csv", "-o", "words.lexicon")
    assert lines(neardup("index", "migrate", "letters.db", "news.db", "--method", "conrad", "--relearn"))
    assert lines(neardup("index", "migrate", "letters.db", "other.db", "-m", "conrad", "--lexicon", "words.lexicon"))
    lexicons = [
        json.loads(neardup("index", "stats", name, "--json").stdout)["settings"]["lexicon"]
        for name in ("news.db", "other.db")
    ]
    assert lexicons[0] != lexicons[1]


def test_lexicon_learned_from_few_documents_is_warned_about(neardup, letters):
    done = neardup("index", "build", "news.db", "letters.csv")
    assert done.returncode == 0
    assert "learned from" in done.stderr
    assert "--relearn" in done.stderr
    assert "warnings" in neardup("index", "stats", "news.db").stdout
    assert neardup("index", "update", "news.db", "letters.csv", "--quiet").stderr == ""
    assert "learned from" in neardup("index", "update", "news.db", "letters.csv").stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("migrate", "letters.db", "letters.db"), "itself"),
        (("migrate", "nowhere.db", "new.db"), "index build"),
        (("migrate", "letters.db", "new.db", "--relearn"), "uses no lexicon"),
        (("migrate", "letters.db", "new.db", "--lexicon", "letters.csv"), "no setting 'lexicon'"),
        (("migrate", "letters.db", "new.db", "--set", "threshhold=1"), "threshold"),
        (("build", "letters.db", "letters.csv"), "exists already"),
        (("stats", "nowhere.db"), "index build"),
        (("query", "letters.db"), "FILE"),
        (("query", "letters.db", "missing.txt"), "cannot be read"),
        (("query", "letters.db", "--document", "nobody"), "'nobody'"),
        (("cluster", "letters.db"), "number"),
        (("cluster", "letters.db", "99"), "99"),
        (("group", "letters.db"), "--ids"),
        (("group", "letters.db", "L1", "--leader", "best"), "rank"),
        (("expire", "letters.db", "soon"), "not a time"),
        (("build", "new.db", "letters.csv", "--method", "durian"), "pair by pair"),
        (("build", "new.db", "letters.csv", "--set", "threshhold=1"), "threshold"),
        (("stats", "letters.csv"), "damaged or not an index"),
    ],
    ids=str,
)
def test_index_errors_name_the_problem(neardup, built, arguments, message):
    done = neardup("index", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (built / "new.db").exists()
