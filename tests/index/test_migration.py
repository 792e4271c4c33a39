"""An index goes over to another one, with another lexicon or elsewhere, while both serve."""

import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from crashing import check_tables

from neardup import FormatError, Lexicon, SettingsError
from neardup.index import Index
from neardup.index.migrating import name_clusters

CONRAD = {"method": "conrad", "terms": 8, "reliable": 1, "days": 2, "header": "keep"}
JACCARD = {"method": "jaccard", "threshold": 0.5, "shingle": 2}
WORDS = [f"{first}{second}{third}" for first in "bklmt" for second in "aeiou" for third in "nrs"]
DAY = 86_400_000_000


class Newsroom:
    """Documents that come, change and go by chance."""

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
        names = [f"d{self.next + place}" for place in range(count)]
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
    """Everything that an index says of its documents but the numbers of its clusters."""
    table = index.documents().to_pydict()
    said = {}
    for name, reference, status in zip(table["id"], table["reference"], table["status"], strict=True):
        found = index.get(name)
        matches = [(match.id, match.similarity, match.relation) for match in index.query(id=name, limit=1000)]
        said[name] = (found.text, found.time, found.reference, reference, status, matches)
    return said


def contents(index):
    """The documents in the order of their numbers, to be added elsewhere."""
    found = [index.get(name) for name in index.documents()["id"].to_pylist()]
    times = pa.array([each.time for each in found], pa.timestamp("us", "UTC"))
    return pa.table({"id": [each.id for each in found], "text": [each.text for each in found], "time": times})


def clusters(index):
    table = index.documents().to_pydict()
    return dict(zip(table["id"], table["cluster"], strict=True))


@pytest.fixture(params=["sqlite to sqlite", "sqlite to postgres", "postgres to sqlite"])
def ways(request, tmp_path):
    """The places of an index and of another that is to take over from it."""
    kinds = request.param.split(" to ")
    return [
        str(tmp_path / f"{number}.db") if kind == "sqlite" else request.getfixturevalue("postgres_server").schema()
        for number, kind in enumerate(kinds)
    ]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    for module in ("beginning", "migrating"):
        monkeypatch.setattr(f"neardup.index.{module}.BATCH_DOCUMENTS", 25)


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
def test_the_new_index_is_what_a_fresh_one_would_be(ways, tmp_path, made, settings):
    newsroom, stages = Newsroom(len(str(settings))), Counter()
    with Index(ways[0], **made) as source:
        newsroom.fill(source, 150)
        for _ in range(10):
            newsroom.change(source)

        def disturb(stage, done, total):
            stages[stage] += 1
            if stages[stage] < 12:
                newsroom.change(source)
            with Index(ways[1], read_only=True) as begun:
                some = begun.documents()["id"][0].as_py()
                assert begun.query(begun.get(some).text, time=begun.get(some).time)[0].similarity == 1.0
            assert source.query(id=source.documents()["id"][0].as_py()) is not None

        done = source.migrate(ways[1], progress=disturb, **settings)
        assert stages["copy"] >= 5
        assert stages["follow"] >= 3
        assert done.last_event == source.stats()["last_event"]
        with Index(ways[1]) as target, Index(tmp_path / "fresh.db", **chosen(target)) as fresh:
            fresh.add(contents(source))
            assert state(target) == state(fresh)
            assert contents(target) == contents(source)
            assert set(clusters(target).values()) <= set(range(1, source.stats()["last_event"]))
            check_tables(ways[1])
            # Later it catches up once more.
            for _ in range(30):
                newsroom.change(source)
        done = source.migrate(ways[1])
        assert done.added + done.updated + done.removed > 0
        assert source.migrate(ways[1]) == type(done)(last_event=done.last_event)
        with Index(ways[1]) as target, Index(tmp_path / "fresher.db", **chosen(target)) as fresh:
            fresh.add(contents(source))
            assert state(target) == state(fresh)
            if not settings:
                assert clusters(target) == clusters(source)
            assert target.add([{"text": "one without an id"}], existing="refuse").last_event > done.last_event
        check_tables(ways[1])


def chosen(index):
    """Return what an index is made with."""
    settings = {name: value for name, value in index.settings.items() if name != "lexicon"}
    return (
        {"method": index.method, "lexicon": index.lexicon, **settings}
        if index.lexicon
        else {"method": index.method, **settings}
    )
