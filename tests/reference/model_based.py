"""Random sequences of changes and queries, applied to an index and to its reference implementation.

`python tests/reference/model_based.py [--steps 100000] [--postgres] [--short-segments]` applies many of them. The
answers must be equal after every step, and at the end equal to those of a batch run.
"""

import argparse
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))

from neardup.index import Index
from neardup.index.store.databases import segments
from reference.examples import as_documents, run
from reference.indexes import ASKED, PlainIndex
from reference.runs import Record

WORDS = [f"{first}{second}" for first in ("ba", "ko", "lu", "mi") for second in "aeiou"]
LONG = (
    ("jaccard", {"threshold": 0.5, "shingle": 2}, True),
    ("jaccard", {"threshold": 0.5, "shingle": 2}, False),
    ("jaccard", {"threshold": 0.4, "shingle": 1, "linkage": "components"}, True),
    ("conrad", {"terms": 8, "reliable": 1, "days": 2, "header": "keep"}, True),
    ("minhash", {"threshold": 0.5, "shingle": 2}, True),
)


class RandomSteps:
    """A random sequence of changes and queries, applied to an index and to its reference implementation."""

    def __init__(self, index: Index, method: str, chosen: dict, seed: int, *, timed: bool) -> None:
        self.index, self.rng, self.timed = index, random.Random(seed), timed
        self.reference = PlainIndex(method, chosen)
        self.originals = [self._sentence() for _ in range(4)]
        self.next_id = 0

    def _sentence(self) -> list[str]:
        return self.rng.choices(WORDS, k=self.rng.randint(3, 14))

    def text(self) -> str:
        words = list(self.rng.choice(self.originals))
        for _ in range(self.rng.choice([0, 0, 0, 1, 1, 2, 5])):
            words[self.rng.randrange(len(words))] = self.rng.choice(WORDS)
        if self.rng.random() < 0.1:
            words += self._sentence()
        if self.rng.random() < 0.04:
            return self.rng.choice(["", " ", "?!"])
        return " ".join(words) + self.rng.choice(["", ".", "!"])

    def record(self, name: str | None = None) -> Record:
        if name is None:
            name = f"{self.rng.choice('abc')}{self.next_id}"
            self.next_id += 1
        day = 86_400_000_000
        time = self.rng.randint(0, 9 * day) if self.timed and self.rng.random() < 0.9 else None
        return Record(name, self.text(), time)

    def some_ids(self, most: int) -> list[str]:
        known = list(self.reference.records)
        return self.rng.sample(known, min(len(known), self.rng.randint(1, most)))

    def step(self) -> None:
        kind = self.rng.choice(["add", "add", "add", "update", "remove", "remove", "expire", "ask", "ask", "group"])
        getattr(self, kind)()

    def add(self) -> None:
        records = [self.record() for _ in range(self.rng.choice([1, 1, 1, 2, 6]))]
        changes = self.index.add(as_documents(records))
        assert changes.added == len(records)
        self.reference.lexicon = self.index.lexicon
        self.reference.change(records)
        self.check()

    def update(self) -> None:
        names = self.some_ids(3)
        records = [self.record(name) for name in names]
        if not records:
            return
        assert self.index.update(as_documents(records)).updated == len(records)
        self.reference.change(records)
        self.check()

    def remove(self) -> None:
        names = self.some_ids(6 if len(self.reference.records) > 25 else 2)
        assert self.index.remove(names).removed == len(names)
        self.reference.change([], names)
        self.check()

    def expire(self) -> None:
        if self.rng.random() < 0.7:
            return
        before = self.rng.randint(0, 9) * 86_400_000_000 // 2
        gone = [r.id for r in self.reference.records.values() if r.time is not None and r.time < before]
        time = "1970-01-01T00:00:00Z" if before == 0 else _iso(before)
        assert self.index.expire(time).removed == len(gone)
        self.reference.change([], gone)
        self.check()

    def ask(self) -> None:
        names = self.some_ids(1)
        if names:
            record = self.reference.records[names[0]]
            self.compare(self.index.query(id=names[0], limit=1000), self.reference.like(record, itself=True))
        query = self.record(ASKED)
        found = self.index.query(query.text, time=_iso(query.time), limit=1000)
        self.compare(found, self.reference.like(query, itself=False))

    def compare(self, found, wanted) -> None:
        assert {match.id for match in found} == set(wanted)
        assert len(found) == len(wanted)
        for match in found:
            assert wanted[match.id] is None or match.similarity == pytest.approx(wanted[match.id], abs=1e-12)
            assert match.cluster == self.reference.numbers[match.id]
        assert [-match.similarity for match in found] == sorted(-match.similarity for match in found)

    def group(self) -> None:
        names = self.some_ids(12)
        groups = self.index.group(names)
        leaders: list[str] = []
        wanted: dict[str, list[str]] = {}
        for name in names:
            like = self.reference.like(self.reference.records[name], itself=True)
            leader = next((leader for leader in leaders if leader in like), None)
            if leader is None:
                leaders.append(name)
            wanted.setdefault(leader or name, []).append(name)
        assert {group.leader: [result.id for result in group.results] for group in groups.groups} == wanted

    def check(self) -> None:
        """Compare the partition, the references and the numbers of the clusters."""
        table = self.index.documents().to_pydict()
        assert dict(zip(table["id"], table["reference"], strict=True)) == self.reference.references
        assert dict(zip(table["id"], table["cluster"], strict=True)) == self.reference.numbers


def _iso(micros: int | None) -> str | None:
    if micros is None:
        return None
    seconds, rest = divmod(micros, 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    return f"1970-01-{days + 1:02}T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:06}Z"


def run_steps(url: str, method: str, chosen: dict, steps: int, *, timed: bool, seed: int) -> None:
    """Apply random steps, then compare with a batch run."""
    with Index(url, method=method, **chosen) as index:
        random_steps = RandomSteps(index, method, chosen, seed, timed=timed)
        for number in range(steps):
            random_steps.step()
            if number % 10_000 == 9_999:
                print(f"{number + 1:8,} steps, {len(random_steps.reference.records)} documents", flush=True)
        records = list(random_steps.reference.records.values())
        batch = run(method, records, **random_steps.reference.chosen())
        assert batch.documents["cluster"].to_pylist() == [
            random_steps.reference.references[record.id] for record in records
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--short-segments", action="store_true", help="store keys in segments of a few rows")
    options = parser.parse_args()
    if options.short_segments:
        segments.SEGMENT_ROWS, segments.RECENT_ROWS, segments.BLOCKS_AT_ONCE, segments.FEW_KEYS = 6, 12, 1, 3
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if options.postgres:
            from servers import postgres  # noqa: PLC0415 - only for --postgres

            server = stack.enter_context(postgres())
        share = [0.5, 0.3, 0.1, 0.05, 0.05]
        for number, ((method, chosen, timed), part) in enumerate(zip(LONG, share, strict=True)):
            steps, started = round(options.steps * part), time.perf_counter()
            url = server.schema() if options.postgres else str(folder / f"{number}.db")
            run_steps(url, method, chosen, steps, timed=timed, seed=options.seed + number)
            print(f"{steps:8,} steps of {method} {chosen}: equal, {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
