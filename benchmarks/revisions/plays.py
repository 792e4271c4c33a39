"""A play: a fixed pseudo-random sequence of changes to an index and questions to it, with every answer.

The sequence depends on the method alone, never on an answer, so both sides make the same calls. Refusals are part of
the play: an id that is not there, or is there already, answers with the class of its error.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import neardup
from revisions.worker import describe_error

STEPS = 90
MIGRATIONS = (STEPS // 2, STEPS - 1)
SOURCES = ("docket.csv", "licence_notices.csv", "messages.csv", "reference_pages.xml.gz")
POOL = 220
"""Documents that are drawn from each of the examples, at most."""

Document = dict[str, Any]


def load_pool() -> list[str]:
    """Return texts of the examples: letters, notices, messages and pages."""
    collections = [neardup.read(f"inputs/examples/{name}") for name in SOURCES]
    return [documents.text(number) for documents in collections for number in range(min(POOL, len(documents)))]


class Play:
    """A sequence of calls of one index, and of the index that it is migrated to."""

    def __init__(self, method: str, settings: dict[str, Any], source: str, target: str) -> None:
        self.method, self.settings = method, settings
        self.source, self.target = source, target
        self.chance = random.Random(f"play of {method}")
        self.pool = load_pool()
        self.answers: list[Any] = []
        self.index = neardup.Index(source, method=method, **settings)

    def run(self) -> None:
        """Make all calls; the index is opened again now and then, and migrated in the middle and at the end."""
        try:
            self.call("add", self.draw_documents(120))
            for step in range(STEPS):
                self.chance.choice(self.moves())()
                if step % 30 == 29:
                    self.reopen()
                if step in MIGRATIONS:
                    self.migrate()
            self.dump(self.index)
        finally:
            self.index.close()
        with neardup.Index(self.target) as other:
            self.dump(other)

    def moves(self) -> list[Callable[[], None]]:
        """Return what may be done at a step; what is listed twice is done more often."""
        changes = [self.add, self.add, self.update, self.remove, self.expire]
        questions = [self.query, self.query_stored, self.group, self.group_documents, self.cluster, self.look_up]
        return [*changes, *questions]

    def call(self, name: str, *arguments: Any, index: Any = None, **options: Any) -> None:
        """Call a method of the index and note its answer, or the class of its error."""
        try:
            answer = getattr(self.index if index is None else index, name)(*arguments, **options)
        except neardup.NeardupError as problem:
            answer = {"error": describe_error(problem)["error"]}
        self.answers.append({"call": name, "answer": answer})

    def reopen(self) -> None:
        """Close the index and open it with what it has stored."""
        self.index.close()
        self.index = neardup.Index(self.source)

    def migrate(self) -> None:
        """Migrate to another rule for the reference copy, with a lexicon learned anew where there is one."""
        relearn = self.method in ("imatch", "conrad")
        self.call("migrate", self.target, relearn=relearn, keep="longest")

    def draw_id(self) -> str:
        """Return an id that is often there."""
        return f"d{self.chance.randrange(400)}"

    def draw_text(self) -> str:
        """Return a text of the pool, often with some of its words left out or replaced."""
        words = self.chance.choice(self.pool).split(" ")
        for _ in range(self.chance.choice((0, 0, 1, 3, len(words) // 8))):
            words[self.chance.randrange(len(words))] = self.chance.choice(("", "another", "12", "…"))
        return " ".join(words)

    def draw_documents(self, count: int) -> list[Document]:
        """Return documents with different ids, most of them with a time."""
        start = datetime(2024, 1, 1, tzinfo=UTC)
        times = [start + timedelta(hours=self.chance.randrange(2_000)) for _ in range(count)]
        ids = dict.fromkeys(self.draw_id() for _ in range(count))
        pairs = zip(ids, times, strict=False)
        return [
            {"id": name, "text": self.draw_text(), "time": None if self.chance.random() < 0.1 else time.isoformat()}
            for name, time in pairs
        ]

    def add(self) -> None:
        """Add documents."""
        existing = self.chance.choice(("refuse", "skip", "replace"))
        self.call("add", self.draw_documents(self.chance.choice((1, 5, 25))), existing=existing)

    def update(self) -> None:
        """Replace documents."""
        missing = self.chance.choice(("refuse", "skip", "add"))
        self.call("update", self.draw_documents(self.chance.choice((1, 5, 25))), missing=missing)

    def remove(self) -> None:
        """Remove documents."""
        ids = [self.draw_id() for _ in range(self.chance.choice((1, 4, 12)))]
        self.call("remove", ids, missing=self.chance.choice(("refuse", "skip", "skip")))

    def expire(self) -> None:
        """Remove the documents of the first days."""
        day = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=self.chance.randrange(200))
        self.call("expire", day.isoformat())

    def query(self) -> None:
        """Ask about a text."""
        time = self.chance.choice((None, "2024-02-01T00:00:00Z"))
        self.call("query", self.draw_text(), time=time, limit=self.chance.choice((3, 20)))

    def query_stored(self) -> None:
        """Ask about a stored document."""
        self.call("query", id=self.draw_id())

    def group(self) -> None:
        """Group ids, some of which may be unknown."""
        ids = list(dict.fromkeys(self.draw_id() for _ in range(40)))
        leader = self.chance.choice(("rank", "first", "last", "longest"))
        self.call("group", ids, leader=leader, offset=self.chance.choice((0, 3)), limit=self.chance.choice((None, 5)))

    def group_documents(self) -> None:
        """Group documents that need not be stored."""
        self.call("group", self.draw_documents(30), leader=self.chance.choice(("rank", "longest")))

    def cluster(self) -> None:
        """Ask for a cluster by number and by document."""
        self.call("cluster", self.chance.randrange(150))
        self.call("cluster", self.draw_id(), limit=self.chance.choice((None, 4)))

    def look_up(self) -> None:
        """Ask for a document, for events, and for the counts."""
        self.call("get", self.draw_id())
        self.call("events", self.chance.randrange(300), limit=50)
        self.call("stats")

    def dump(self, index: Any) -> None:
        """Note all that an index holds: documents with their texts, clusters, and the log."""
        table = index.documents()
        self.call("documents", index=index)
        for name in table["id"].to_pylist():
            self.call("get", name, index=index)
        for number in sorted(set(table["cluster"].to_pylist())):
            self.call("cluster", number, index=index)
        self.call("events", index=index)
        self.call("stats", index=index)
