"""Acknowledged documents survive a killed process and a full disk."""

import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from crash import check_index, check_tables, load_until_killed
from index_documents import make_documents

import neardup
from neardup.index import Index

pytestmark = pytest.mark.slow

JACCARD = {"method": "jaccard", "threshold": 0.5, "shingle": 2}


@pytest.mark.parametrize("rounds", [4])
def test_killed_load_keeps_every_acknowledged_document(url, rounds):
    rng, finished = random.Random(7), False
    for _ in range(rounds):
        acknowledged, finished = load_until_killed(url, rng.randint(0, 8), rng.uniform(0, 0.05), 1200)
        there = check_index(url, acknowledged)
        assert there >= acknowledged
    if not finished:
        acknowledged, finished = load_until_killed(url, 20, 600, 1200)
        assert (acknowledged, finished) == (1200, True)
    assert check_index(url, 1200) == 1200
    with Index(url) as index:
        table = index.documents()
        batch = neardup.find(make_documents(1200), **JACCARD)
        wanted = dict(zip(batch.documents["id"].to_pylist(), batch.documents["cluster"].to_pylist(), strict=True))
        assert dict(zip(table["id"].to_pylist(), table["reference"].to_pylist(), strict=True)) == wanted


FULL = """
import resource, sys
sys.path.insert(0, {tests!r})
from index_documents import make_documents
import neardup
from neardup.index.changes import batches
batches.BATCH_DOCUMENTS = 100
# Writing fails beyond this size, as on a full disk.
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, resource.RLIM_INFINITY))
index = neardup.Index({url!r}, method="jaccard", threshold=0.5, shingle=2)
try:
    index.add(make_documents(20000), progress=lambda _, done, total: print(done, flush=True))
except neardup.OutputError as error:
    print("refused", error, flush=True)
    print("there", index.stats()["documents"], flush=True)
"""


@pytest.mark.parametrize("limit", [400_000, 1_500_000, 4_000_000])
def test_full_disk_is_reported_and_leaves_a_valid_file(tmp_path, limit):
    url = str(tmp_path / "index.db")
    code = FULL.format(tests=str(Path(__file__).parent), url=url, bytes=limit)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *acknowledged, refused, there = done.stdout.splitlines()
    assert "index.db cannot be written" in refused
    assert "free some space" in refused
    last = int(acknowledged[-1]) if acknowledged else 0
    assert there == f"there {last}"
    assert check_index(url, last) == last
    with Index(url) as index:
        assert index.add(make_documents(last + 50), existing="skip").added == 50
    check_tables(url)


def test_changes_are_flushed_before_they_are_acknowledged(tmp_path):
    with Index(tmp_path / "index.db", **JACCARD) as index:
        assert index._store.database.query("PRAGMA synchronous") == [(2,)]
        assert index._store.database.query("PRAGMA journal_mode") == [("wal",)]


class Undone(Exception):  # noqa: N818 - named for what happened
    """Raised to undo a change."""


READER = """
import json, sys
import neardup
with neardup.Index({url!r}, read_only=True) as index:
    for line in sys.stdin:
        table = index.documents()
        references = set(table["reference"].to_pylist())
        print(json.dumps([len(table), references <= set(table["id"].to_pylist())]), flush=True)
"""


def test_reader_sees_the_last_state_while_another_process_writes(url):
    with Index(url, **JACCARD) as index:
        index.add(make_documents(100))
        reader = subprocess.Popen(
            [sys.executable, "-c", READER.format(url=url)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

        def ask():
            reader.stdin.write("\n")
            reader.stdin.flush()
            return json.loads(reader.stdout.readline())

        assert ask() == [100, True]
        with suppress(Undone), index._store.database.writing():
            index._store.database.execute_many("DELETE FROM documents WHERE number < ?", [(50,)])
            assert index._store.database.query("SELECT count(*) FROM documents") == [(50,)]
            assert ask() == [100, True]
            raise Undone
        assert ask() == [100, True]
        index.remove(["d1", "d2"])
        assert ask() == [98, True]
        reader.stdin.close()
        reader.stdout.close()
        assert reader.wait() == 0
