"""What was acknowledged is there, whatever happens to the process or the disk."""

import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from crashing import check_sound, check_tables, load_until_killed
from index_documents import make_documents

import neardup
from neardup.index import Index

pytestmark = pytest.mark.slow

JACCARD = {"method": "jaccard", "threshold": 0.5, "shingle": 2}


@pytest.mark.parametrize("rounds", [4])
def test_a_killed_load_loses_nothing_that_was_acknowledged(place, rounds):
    rng, finished = random.Random(7), False
    for _ in range(rounds):
        acknowledged, finished = load_until_killed(place, rng.randint(0, 8), rng.uniform(0, 0.05), 1200)
        there = check_sound(place, acknowledged)
        assert there >= acknowledged
    if not finished:
        acknowledged, finished = load_until_killed(place, 20, 600, 1200)
        assert (acknowledged, finished) == (1200, True)
    assert check_sound(place, 1200) == 1200
    with Index(place) as index:
        table = index.documents()
        batch = neardup.find(make_documents(1200), **JACCARD)
        wanted = dict(zip(batch.documents["id"].to_pylist(), batch.documents["cluster"].to_pylist(), strict=True))
        assert dict(zip(table["id"].to_pylist(), table["reference"].to_pylist(), strict=True)) == wanted


FULL = """
import resource, sys
sys.path.insert(0, {tests!r})
from index_documents import make_documents
import neardup
from neardup.index import preparing
preparing.BATCH_DOCUMENTS = 100
# As on a full disk, writing fails from some point on.
resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes}, resource.RLIM_INFINITY))
index = neardup.Index({place!r}, method="jaccard", threshold=0.5, shingle=2)
try:
    index.add(make_documents(20000), progress=lambda _, done, total: print(done, flush=True))
except neardup.OutputError as error:
    print("refused", error, flush=True)
    print("there", index.stats()["documents"], flush=True)
"""


@pytest.mark.parametrize("limit", [400_000, 1_500_000, 4_000_000])
def test_a_full_disk_is_a_clear_error_and_leaves_a_sound_file(tmp_path, limit):
    place = str(tmp_path / "index.db")
    code = FULL.format(tests=str(Path(__file__).parent), place=place, bytes=limit)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *acknowledged, refused, there = done.stdout.splitlines()
    assert "index.db cannot be written" in refused
    assert "make room" in refused
    last = int(acknowledged[-1]) if acknowledged else 0
    assert there == f"there {last}"
    assert check_sound(place, last) == last
    with Index(place) as index:
        assert index.add(make_documents(last + 50), existing="skip").added == 50
    check_tables(place)


def test_the_file_is_flushed_before_a_change_is_acknowledged(tmp_path):
    with Index(tmp_path / "index.db", **JACCARD) as index:
        assert index._database.rows("PRAGMA synchronous") == [(2,)]
        assert index._database.rows("PRAGMA journal_mode") == [("wal",)]


class Undone(Exception):  # noqa: N818 - named for what happened
    """A change that is not made after all."""


READER = """
import json, sys
import neardup
with neardup.Index({place!r}, read_only=True) as index:
    for line in sys.stdin:
        table = index.documents()
        references = set(table["reference"].to_pylist())
        print(json.dumps([len(table), references <= set(table["id"].to_pylist())]), flush=True)
"""


def test_another_process_reads_while_one_writes(place):
    with Index(place, **JACCARD) as index:
        index.add(make_documents(100))
        reader = subprocess.Popen(
            [sys.executable, "-c", READER.format(place=place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

        def ask():
            reader.stdin.write("\n")
            reader.stdin.flush()
            return json.loads(reader.stdout.readline())

        assert ask() == [100, True]
        with suppress(Undone), index._database.writing():
            index._database.run("DELETE FROM documents WHERE number < ?", [(50,)])
            assert index._database.rows("SELECT count(*) FROM documents") == [(50,)]
            assert ask() == [100, True]
            raise Undone
        assert ask() == [100, True]
        index.remove(["d1", "d2"])
        assert ask() == [98, True]
        reader.stdin.close()
        reader.stdout.close()
        assert reader.wait() == 0
