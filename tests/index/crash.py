"""Bulk loads that are killed at random times: `python tests/index/crash.py [--rounds 50] [--postgres]`.

A child process loads documents into an index and prints which batches are acknowledged. It is killed without warning,
and the index is checked. The next round continues with the same index.
"""

import argparse
import itertools
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from neardup.index import Index
from neardup.index.store import Store

TESTS = Path(__file__).parent.parent
DOCUMENTS = 3_000
BATCH = 60
SERVER_SHARE = 0.3

CHILD = """
import sys
import neardup
from neardup.index.changes import batches
from neardup.index.store.databases import segments
batches.BATCH_DOCUMENTS = {batch}
segments.SEGMENT_ROWS, segments.RECENT_ROWS, segments.BLOCKS_AT_ONCE = 100, 300, 5
sys.path.insert(0, {tests!r})
from index_documents import make_documents
with neardup.Index({url!r}, method="jaccard", threshold=0.5, shingle=2) as index:
    print("ready", flush=True)
    index.add(make_documents({documents}), existing="skip", progress=lambda _, done, total: print(done, flush=True))
print("finished", flush=True)
"""


def load_until_killed(url: str, after: int, seconds: float, documents: int = DOCUMENTS) -> tuple[int, bool]:
    """Let a child load until it is killed, `seconds` after `after` acknowledged batches.

    Return how many documents it acknowledged, and whether it finished.
    """
    code = CHILD.format(batch=BATCH, tests=str(Path(__file__).parent), url=url, documents=documents)
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    lines = [child.stdout.readline().strip() for _ in range(after)]
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
    lines += child.stdout.read().split()
    child.stdout.close()
    assert child.wait() in (0, -signal.SIGKILL)
    return max((int(word) for word in lines if word.isdigit()), default=0), "finished" in lines


def check_index(url: str, acknowledged: int) -> int:
    """Check that every acknowledged document is stored once, and that all tables agree; return the documents."""
    with Index(url) as index:
        ids = index.documents()["id"].to_pylist()
        assert len(set(ids)) == len(ids)
        assert {f"d{number}" for number in range(acknowledged)} <= set(ids)
    check_tables(url)
    return len(ids)


def check_tables(url: str) -> None:
    """Check that tables that store the same fact agree."""
    store = Store.open(url)
    rows = store.database.query
    if "://" not in url:
        assert rows("PRAGMA integrity_check") == [("ok",)]
    nothing = {
        "a document without a text": "SELECT d.number FROM documents d LEFT JOIN texts t ON t.number = d.number "
        "WHERE t.number IS NULL",
        "a text without a document": "SELECT t.number FROM texts t LEFT JOIN documents d ON t.number = d.number "
        "WHERE d.number IS NULL",
        "a node of other copies": "SELECT n.node FROM nodes n LEFT JOIN documents d ON d.node = n.node "
        "GROUP BY n.node, n.copies HAVING count(d.number) <> n.copies",
        "a node of other partners": "SELECT n.node FROM nodes n LEFT JOIN links l ON l.a = n.node "
        "GROUP BY n.node, n.partners HAVING count(l.b) <> n.partners",
        "a document without a node": "SELECT d.node FROM documents d LEFT JOIN nodes n ON d.node = n.node "
        "WHERE n.node IS NULL",
        "a follower of no leader": "SELECT n.node FROM nodes n LEFT JOIN nodes l ON l.node = n.leader "
        "WHERE l.node IS NULL OR l.leader <> l.node OR l.cluster IS NULL",
        "a cluster of another size": "SELECT c.cluster FROM clusters c LEFT JOIN nodes n ON n.leader = c.leader "
        "GROUP BY c.cluster, c.size HAVING sum(n.copies) <> c.size OR sum(n.copies) IS NULL",
        "a leader without a cluster": "SELECT n.node FROM nodes n LEFT JOIN clusters c ON c.cluster = n.cluster "
        "AND c.leader = n.node WHERE n.leader = n.node AND c.cluster IS NULL",
        "a one-sided link": "SELECT l.a FROM links l LEFT JOIN links m ON m.a = l.b AND m.b = l.a WHERE m.a IS NULL",
    }
    for what, statement in nothing.items():
        assert rows(statement) == [], what
    counted = {
        "documents": "SELECT count(*) FROM documents",
        "distinct": "SELECT count(*) FROM nodes WHERE words > 0",
        "clusters": "SELECT count(*) FROM clusters WHERE size > 1",
        "duplicates": "SELECT coalesce(sum(size) - count(*), 0) FROM clusters",
        "timed": "SELECT count(*) FROM documents WHERE time IS NOT NULL",
        "links": "SELECT count(*) / 2 FROM links",
        "common": "SELECT count(*) FROM common",
    }
    counters = asdict(store.facts.read_counters())
    keys = np.concatenate(
        [np.stack(columns) for columns in store.keys.read_all()] or [np.zeros((4, 0), np.int64)], axis=1
    )
    assert keys.shape[1] == len(np.unique(keys[:3], axis=1).T) == counters["keys"]
    assert {node for (node,) in rows("SELECT node FROM nodes")} >= set(keys[2].tolist()), "a key without a node"
    assert {name: rows(statement)[0][0] for name, statement in counted.items()} == {n: counters[n] for n in counted}
    store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--postgres", action="store_true", help="on a server, which is sometimes killed too")
    options = parser.parse_args()
    rng, killed, acknowledged = random.Random(options.seed), 0, 0
    with ExitStack() as stack:
        urls, server = _urls(stack, postgres=options.postgres)
        url = next(urls)
        while killed < options.rounds:
            done, finished = load_until_killed(url, rng.randint(0, DOCUMENTS // BATCH), rng.uniform(0.0, 0.1))
            if server is not None and rng.random() < SERVER_SHARE:
                server.crash()
            there = check_index(url, done)
            killed += not finished
            acknowledged += done
            if finished or there > DOCUMENTS * 0.9:
                url = next(urls)
            print(f"{killed:3} killed, {done:6,} acknowledged in this round, {there:6,} there", flush=True)
    print(f"{killed} kills, {acknowledged:,} acknowledgements, nothing lost, nothing stored twice, every index valid")
    if server is not None:
        print(f"the server itself was killed {server.crashes} times")


def _urls(stack: ExitStack, *, postgres: bool) -> tuple[Iterator[str], Any]:
    """Return an endless iterator of URLs for indexes, and the server they are on."""
    if postgres:
        import servers  # noqa: PLC0415 - only for --postgres

        server = stack.enter_context(servers.postgres())
        return iter(server.schema, ""), server
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    return (str(folder / f"index{number}.db") for number in itertools.count()), None


if __name__ == "__main__":
    sys.path.insert(0, str(TESTS))
    started = time.perf_counter()
    main()
    print(f"{time.perf_counter() - started:.0f} s")
