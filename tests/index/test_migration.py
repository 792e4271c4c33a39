"""Migration of an index to another one while both are in use."""

import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from crash import check_tables

from neardup import FormatError, Lexicon, OutputError, SettingsError
from neardup.index import Index
from neardup.index.migration.numbers import number_clusters

CONRAD = {"method": "conrad", "terms": 8, "reliable": 1, "days": 2, "header": "keep"}
JACCARD = {"method": "jaccard", "threshold": 0.5, "shingle": 2}
WORDS = [f"{first}{second}{third}" for first in "bklmt" for second in "aeiou" for third in "nrs"]
DAY = 86_400_000_000


class RandomDocuments:
    """Random additions, updates and removals of documents."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.originals = [self.rng.choices(WORDS, k=14) for _ in range(12)]
        self.next = 0
        self.gone: list[str] = []
        self.there: set[str] = set()

    def text(self) -> str:
        words = list(self.rng.choice(self.originals))
        for _ in range(self.rng.choice([0, 0, 1, 1, 2, 4])):
            words[self.rng.randrange(len(words))] = self.rng.choice(WORDS)
        return self.rng.choice(["", "?!"]) if self.rng.random() < 0.03 else " ".join(words)

    def table(self, names: list[str]) -> pa.Table:
        times = [self.rng.randrange(6 * DAY) if self.rng.random() < 0.8 else None for _ in names]
        texts = [self.text() for _ in names]
        return pa.table({"id": names, "text": texts, "time": pa.array(times, pa.timestamp("us", "UTC"))})

    def fill(self, index: Index, count: int) -> None:
        names = [f"d{self.next + index}" for index in range(count)]
        self.rng.shuffle(names)
        self.next += count
        self.there |= set(names)
        index.add(self.table(names))

    def change(self, index: Index) -> None:
        known = sorted(self.there)
        match self.rng.choice(["add", "update", "remove", "return"]):
            case "add":
                self.fill(index, self.rng.randint(1, 5))
            case "update":
                index.update(self.table(self.rng.sample(known, 4)))
            case "remove":
                self.gone = self.rng.sample(known, 4)
                self.there -= set(self.gone)
                index.remove(self.gone)
            case "return" if self.gone:
                index.add(self.table(self.gone))
                self.there |= set(self.gone)
                self.gone = []


def state(index):
    """Return all answers of an index about its documents, without cluster numbers."""
    table = index.documents().to_pydict()
    answers = {}
    for name, reference, status in zip(table["id"], table["reference"], table["status"], strict=True):
        found = index.get(name)
        matches = [(match.id, match.similarity, match.relation) for match in index.query(id=name, limit=1000)]
        answers[name] = (found.text, found.time, found.reference, reference, status, matches)
    return answers


def contents(index):
    """Return the documents in the order of their numbers, as a table to add."""
    found = [index.get(name) for name in index.documents()["id"].to_pylist()]
    times = pa.array([each.time for each in found], pa.timestamp("us", "UTC"))
    return pa.table({"id": [each.id for each in found], "text": [each.text for each in found], "time": times})


def clusters(index):
    table = index.documents().to_pydict()
    return dict(zip(table["id"], table["cluster"], strict=True))


def answers_about_itself(index):
    """Return whether a query with a stored text finds it."""
    found = (index.get(name) for name in index.documents()["id"].to_pylist())
    worded = next(each for each in found if each.status == "ok")
    return worded.id in {match.id for match in index.query(worded.text, time=worded.time, limit=1000)}


@pytest.fixture(params=["sqlite to sqlite", "sqlite to postgres", "postgres to sqlite"])
def urls(request, tmp_path):
    """Return the URLs of a source and a target."""
    kinds = request.param.split(" to ")
    return [
        str(tmp_path / f"{number}.db") if kind == "sqlite" else request.getfixturevalue("postgres_server").schema()
        for number, kind in enumerate(kinds)
    ]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr("neardup.index.migration.source.BATCH_DOCUMENTS", 15)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("made", "settings"),
    [
        (CONRAD, {"relearn": True}),
        (CONRAD, {"relearn": True, "days": 1, "keep": "first"}),
        ({**JACCARD, "keep": "first"}, {}),
        (JACCARD, {"threshold": 0.4, "keep": "latest"}),
        (JACCARD, {**CONRAD}),
    ],
    ids=str,
)
def test_migrated_index_equals_a_new_index_of_the_same_documents(urls, tmp_path, made, settings):
    documents, stages = RandomDocuments(len(str(settings))), Counter()
    with Index(urls[0], **made) as source:
        documents.fill(source, 90)
        for _ in range(10):
            documents.change(source)

        def disturb(stage, done, total):
            stages[stage] += 1
            if stage != "number" and stages[stage] < 12:
                documents.change(source)
            with Index(urls[1], read_only=True) as begun:
                assert answers_about_itself(begun)
            assert answers_about_itself(source)

        done = source.migrate(urls[1], progress=disturb, **settings)
        assert stages["copy"] >= 5
        assert stages["follow"] >= 3
        assert done.last_event == source.stats()["last_event"]
        with Index(urls[1]) as target, Index(tmp_path / "fresh.db", **chosen(target)) as fresh:
            fresh.add(contents(source))
            assert state(target) == state(fresh)
            assert contents(target) == contents(source)
            assert set(clusters(target).values()) <= set(range(1, source.stats()["last_event"]))
            check_tables(urls[1])
            # It catches up again later.
            for _ in range(30):
                documents.change(source)
        done = source.migrate(urls[1])
        assert done.added + done.updated + done.removed > 0
        assert source.migrate(urls[1]) == type(done)(last_event=done.last_event)
        with Index(urls[1]) as target, Index(tmp_path / "fresher.db", **chosen(target)) as fresh:
            fresh.add(contents(source))
            assert state(target) == state(fresh)
            if not settings:
                assert clusters(target) == clusters(source)
            assert target.add([{"text": "one without an id"}], existing="refuse").last_event > done.last_event
        check_tables(urls[1])


def chosen(index):
    """Return the method and the settings of an index."""
    settings = {name: value for name, value in index.settings.items() if name != "lexicon"}
    own = {} if index.lexicon is None else {"lexicon": index.lexicon}
    return {"method": index.method, **settings, **own}


CHILD = """
import sys
sys.path.insert(0, {tests!r})
from neardup.index import Index
from neardup.index.migration import source
source.BATCH_DOCUMENTS = 20
with Index({source!r}, read_only=True) as index:
    index.migrate({target!r}, relearn=True, progress=lambda stage, done, total: print(stage, done, flush=True))
"""


def migrate_until_killed(source: str, target: str, after: int) -> bool:
    """Kill a child that migrates after `after` lines of progress; return whether it finished before."""
    code = CHILD.format(tests=str(Path(__file__).parent), source=source, target=target)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    for _ in range(after):
        child.stdout.readline()
    child.send_signal(signal.SIGKILL)
    child.stdout.close()
    return child.wait() == 0


@pytest.mark.slow
def test_killed_migration_continues_where_it_stopped(urls):
    documents = RandomDocuments(3)
    with Index(urls[0], **CONRAD) as source:
        documents.fill(source, 120)
        for after in (0, 1, 4, 2):
            migrate_until_killed(*urls, after)
            documents.change(source)
            documents.change(source)
        with Index(urls[1], read_only=True) as begun:
            there = begun.stats()["documents"]
        assert there > 60
        done = source.migrate(urls[1], relearn=True)
        assert done.added <= source.stats()["documents"] - there + done.removed
        with Index(urls[1]) as target, Index(":memory:", **chosen(target)) as fresh:
            fresh.add(contents(source))
            assert state(target) == state(fresh)
    check_tables(urls[1])


def test_migrated_clusters_keep_their_numbers(tmp_path):
    texts = ["a b c d e f", "a b c d e g", "a b c d h i", "m n o p q r", "m n o p q s", "x y z", "x y z"]
    docs = [{"id": str(number), "text": text} for number, text in enumerate(texts)]
    with Index(tmp_path / "old.db", method="jaccard", shingle=1, threshold=0.7) as source:
        for number in (5, 6, 3, 4, 0, 1, 2):
            source.add(docs[number : number + 1])
        source.add([{"id": "gone", "text": "m n o p q r s"}])
        source.remove(["gone"])
        before = clusters(source)
        assert before == {"5": 1, "6": 1, "3": 2, "4": 2, "0": 3, "1": 3, "2": 4}
        source.migrate(tmp_path / "looser.db", threshold=0.3)
        with Index(tmp_path / "looser.db") as looser:
            now = clusters(looser)
            assert now == before | {"2": before["0"]}
            assert looser.cluster(before["2"]).number == before["0"]
            assert before["2"] in looser.cluster(before["0"]).former
            assert looser.events() == ()
            assert looser.stats()["last_event"] == source.stats()["last_event"]
        source.migrate(tmp_path / "stricter.db", threshold=0.99)
        with Index(tmp_path / "stricter.db") as stricter:
            now = clusters(stricter)
            assert now == before | {"4": 5, "1": 6}


def test_cluster_numbers_go_to_the_part_with_most_documents():
    before = np.array([7, 7, 7, 3, 3, 9, 9, 5])
    now = np.array([1, 2, 2, 2, 4, 6, 8, 4])
    # 7 goes to 2 with two of its three documents; 3 goes to 2, the older of 2 and 4; 9 is divided; 5 goes to 4.
    names, lost = number_clusters(before, now, 20)
    assert names == {2: 3, 4: 5, 6: 9, 1: 20, 8: 21}
    assert lost == {7: 3}
    assert number_clusters(before[:0], now[:0], 4) == ({}, {})


@pytest.mark.slow
def test_target_that_does_not_belong_to_the_source_is_refused(tmp_path, postgres_server):
    docs = [
        {"id": str(number), "text": f"{WORDS[number]} {WORDS[number + 1]} {WORDS[number + 2]}"} for number in range(9)
    ]
    lexicon = Lexicon.build([f"{first} {second}" for first in WORDS for second in WORDS])
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    with Index(old, **CONRAD) as source, Index(tmp_path / "another.db", **CONRAD) as another:
        with pytest.raises(FormatError, match="no documents to learn"):
            source.migrate(new, relearn=True)
        source.add(docs)
        another.add(docs)
        for url, settings, message in (
            (old, {}, "itself or a copy"),
            (tmp_path / "another.db", {}, "not the target of a migration"),
            (":memory:", {}, "in memory"),
            (new, {"term": 3}, "no setting 'term'"),
            (new, {"relearn": True, "lexicon": lexicon}, "either given or learned"),
            (new, {"relearn": True, "method": "jaccard"}, "uses no lexicon"),
            (tmp_path / "no folder" / "new.db", {}, "cannot be opened"),
        ):
            with pytest.raises((FormatError, SettingsError, OutputError), match=message):
                source.migrate(url, **settings)
        source.migrate(new, lexicon=lexicon)
        with pytest.raises(FormatError, match="migration of another index"):
            another.migrate(new)
        for settings, message in (
            ({"relearn": True}, "without learning a lexicon"),
            ({"terms": 9}, "created with terms 8, not 9"),
            ({"lexicon": Lexicon.build(["a b", "b c"])}, "created with lexicon"),
            ({"method": "jaccard"}, "created with method 'conrad'"),
        ):
            with pytest.raises(FormatError, match=message):
                source.migrate(new, **settings)
        assert source.migrate(new, lexicon=lexicon, terms=8).added == 0
        copy = source.backup(tmp_path / "copy.db")
        source.remove(["1"])
        source.migrate(new)
        with Index(copy) as restored:
            with pytest.raises(FormatError, match="another history"):
                restored.migrate(new)
            restored.add([{"id": "later", "text": "another text"}])
            with pytest.raises(FormatError, match="another history"):
                restored.migrate(new)
        with Index(new) as target:
            assert target.lexicon.fingerprint == lexicon.fingerprint
            target.remove(["2"])
        source.remove(["3"])
        with pytest.raises(FormatError, match="was changed since"):
            source.migrate(new)
        target_url = postgres_server.schema()
        source.migrate(target_url)
        with Index(target_url) as target, pytest.raises(FormatError, match="itself"):
            target.migrate(target_url)


def test_second_migration_to_the_same_target_is_refused(tmp_path):
    documents = RandomDocuments(5)
    with Index(tmp_path / "old.db", **JACCARD) as source:
        documents.fill(source, 80)

        def go_ahead(stage, done, total):
            with Index(tmp_path / "old.db", read_only=True) as again:
                again.migrate(tmp_path / "new.db")

        with pytest.raises(OutputError, match="another process is migrating"):
            source.migrate(tmp_path / "new.db", progress=go_ahead)
        assert source.migrate(tmp_path / "new.db").added == 0
        with Index(tmp_path / "new.db") as target:
            assert state(target) == state(source)
            assert clusters(target) == clusters(source)


def test_migrated_documents_without_ids_keep_their_order(tmp_path):
    texts = [f"{WORDS[number % 5]} {WORDS[number % 7]} {WORDS[number % 3]}" for number in range(30)]
    with Index(tmp_path / "old.db", **JACCARD) as source:
        source.add(texts)
        source.migrate(tmp_path / "new.db")
        with Index(tmp_path / "new.db") as target:
            assert state(target) == state(source)
            assert clusters(target) == clusters(source)
            for index in (source, target):
                index.add(["kan kar kas"])
            assert clusters(target) == clusters(source)
            assert "30" in clusters(target)


def test_relearned_lexicon_covers_all_documents(tmp_path):
    documents = RandomDocuments(8)
    with Index(tmp_path / "old.db", **CONRAD) as source:
        source.add([{"id": "first", "text": "one text is not enough"}])
        assert source.stats()["lexicon_documents"] == 1
        assert "learned from one text" in source.stats()["warnings"][0]
        assert "--relearn" in source.stats()["warnings"][0]
        documents.fill(source, 200)
        source.migrate(tmp_path / "same.db")
        source.migrate(tmp_path / "new.db", relearn=True)
        with Index(tmp_path / "same.db") as same:
            assert same.lexicon.fingerprint == source.lexicon.fingerprint
            assert same.stats()["warnings"] != []
        with Index(tmp_path / "new.db") as target, Index(tmp_path / "fresh.db", **CONRAD) as fresh:
            fresh.add(contents(source))
            assert target.lexicon.fingerprint == fresh.lexicon.fingerprint
            assert target.stats()["lexicon_documents"] == target.stats()["distinct"] > 100
            assert target.stats()["warnings"] == []
