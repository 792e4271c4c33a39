"""A fixed pseudo-random sequence of changes to an index and queries, with every answer.

The sequence depends on the method alone, never on an answer, so both sides make the same calls. Some calls are
refused, because an id is unknown or already stored: the answer is then the class of the error.
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
"""The greatest number of documents that are drawn from each example."""

Document = dict[str, Any]


def load_pool() -> list[str]:
    """Return texts of the examples: letters, notices, messages and pages."""
    collections = [neardup.read(f"inputs/examples/{name}") for name in SOURCES]
    return [documents.text(number) for documents in collections for number in range(min(POOL, len(documents)))]


class IndexCalls:
    """A sequence of calls to an index and to the index that it is migrated to."""

    def __init__(self, method: str, settings: dict[str, Any], source: str, target: str) -> None:
        self.method, self.settings = method, settings
        self.source, self.target = source, target
        self.rng = random.Random(f"play of {method}")
        self.pool = load_pool()
        self.answers: list[Any] = []
        self.index = neardup.Index(source, method=method, **settings)

    def run(self) -> None:
        """Make all calls; the index is reopened every 30 steps, and migrated in the middle and at the end."""
        try:
            self.call("add", self.draw_documents(120))
            for step in range(STEPS):
                self.rng.choice(self.steps())()
                if step % 30 == 29:
                    self.reopen()
                if step in MIGRATIONS:
                    self.migrate()
            self.dump(self.index)
        finally:
            self.index.close()
        with neardup.Index(self.target) as other:
            self.dump(other)

    def steps(self) -> list[Callable[[], None]]:
        """Return the possible steps; a step that is listed twice is made more often."""
        changes = [self.add, self.add, self.update, self.remove, self.expire]
        queries = [self.query, self.query_stored, self.group, self.group_documents, self.cluster, self.look_up]
        return [*changes, *queries]

    def call(self, name: str, *arguments: Any, index: Any = None, **options: Any) -> None:
        """Call a method of the index and record its answer, or the class of its error."""
        try:
            answer = getattr(self.index if index is None else index, name)(*arguments, **options)
        except neardup.NeardupError as problem:
            answer = {"error": describe_error(problem)["error"]}
        self.answers.append({"call": name, "answer": answer})

    def reopen(self) -> None:
        """Close the index and open it again with its stored settings."""
        self.index.close()
        self.index = neardup.Index(self.source)

    def migrate(self) -> None:
        """Migrate to another rule for the reference copy, with a new lexicon if the method has one."""
        relearn = self.method in ("imatch", "conrad")
        self.call("migrate", self.target, relearn=relearn, keep="longest")

    def draw_id(self) -> str:
        """Return an id that is likely to be stored."""
        return f"d{self.rng.randrange(400)}"

    def draw_text(self) -> str:
        """Return a text of the pool, often with some of its words removed or replaced."""
        words = self.rng.choice(self.pool).split(" ")
        for _ in range(self.rng.choice((0, 0, 1, 3, len(words) // 8))):
            words[self.rng.randrange(len(words))] = self.rng.choice(("", "another", "12", "…"))
        return " ".join(words)

    def draw_documents(self, count: int) -> list[Document]:
        """Return documents with different ids, most of them with a time."""
        start = datetime(2024, 1, 1, tzinfo=UTC)
        times = [start + timedelta(hours=self.rng.randrange(2_000)) for _ in range(count)]
        ids = dict.fromkeys(self.draw_id() for _ in range(count))
        pairs = zip(ids, times, strict=False)
        return [
            {"id": name, "text": self.draw_text(), "time": None if self.rng.random() < 0.1 else time.isoformat()}
            for name, time in pairs
        ]

    def add(self) -> None:
        """Add documents."""
        existing = self.rng.choice(("refuse", "skip", "replace"))
        self.call("add", self.draw_documents(self.rng.choice((1, 5, 25))), existing=existing)

    def update(self) -> None:
        """Replace documents."""
        missing = self.rng.choice(("refuse", "skip", "add"))
        self.call("update", self.draw_documents(self.rng.choice((1, 5, 25))), missing=missing)

    def remove(self) -> None:
        """Remove documents."""
        ids = [self.draw_id() for _ in range(self.rng.choice((1, 4, 12)))]
        self.call("remove", ids, missing=self.rng.choice(("refuse", "skip", "skip")))

    def expire(self) -> None:
        """Remove the documents of the first days."""
        day = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(hours=self.rng.randrange(200))
        self.call("expire", day.isoformat())

    def query(self) -> None:
        """Query by text."""
        time = self.rng.choice((None, "2024-02-01T00:00:00Z"))
        self.call("query", self.draw_text(), time=time, limit=self.rng.choice((3, 20)))

    def query_stored(self) -> None:
        """Query by the id of a stored document."""
        self.call("query", id=self.draw_id())

    def group(self) -> None:
        """Group ids, some of which may be unknown."""
        ids = list(dict.fromkeys(self.draw_id() for _ in range(40)))
        leader = self.rng.choice(("rank", "first", "last", "longest"))
        self.call("group", ids, leader=leader, offset=self.rng.choice((0, 3)), limit=self.rng.choice((None, 5)))

    def group_documents(self) -> None:
        """Group documents that need not be stored."""
        self.call("group", self.draw_documents(30), leader=self.rng.choice(("rank", "longest")))

    def cluster(self) -> None:
        """Look up a cluster by number and by document."""
        self.call("cluster", self.rng.randrange(150))
        self.call("cluster", self.draw_id(), limit=self.rng.choice((None, 4)))

    def look_up(self) -> None:
        """Look up a document, events and the counts."""
        self.call("get", self.draw_id())
        self.call("events", self.rng.randrange(300), limit=50)
        self.call("stats")

    def dump(self, index: Any) -> None:
        """Record the whole content of an index: documents with their texts, clusters, and the log."""
        table = index.documents()
        self.call("documents", index=index)
        for name in table["id"].to_pylist():
            self.call("get", name, index=index)
        for number in sorted(set(table["cluster"].to_pylist())):
            self.call("cluster", number, index=index)
        self.call("events", index=index)
        self.call("stats", index=index)
