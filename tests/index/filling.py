"""A PostgreSQL server whose disk runs full: `python tests/index/filling.py`, which needs the right to mount.

The tables of an index stand in a tablespace on a small file system in memory. A load runs until nothing fits any more;
what it was told must be true then, and the load must go on when there is room again.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from crashing import check_sound
from index_documents import make_documents

from neardup.errors import OutputError
from neardup.index import Index, preparing

DOCUMENTS, BATCH, MORE = 20_000, 200, 1_000


def main() -> None:
    from servers import postgres  # noqa: PLC0415 - a neighbour of this folder

    preparing.BATCH_DOCUMENTS = BATCH
    folder = tempfile.mkdtemp(prefix="neardup-full-")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12m,mode=777", "tmpfs", folder], check=True)
    try:
        with postgres() as server:
            space = f"{folder}/space"
            subprocess.run(["install", "-d", "-o", "postgres", "-g", "postgres", space], check=True)
            server.run(f"CREATE TABLESPACE small LOCATION '{space}'")
            fill(server.schema() + "%20-cdefault_tablespace%3Dsmall", folder)
    finally:
        subprocess.run(["umount", folder], check=True)
        Path(folder).rmdir()


def fill(place: str, folder: str) -> None:
    """Load until the disk is full, look at what is there, make room and go on."""
    acknowledged = [0]
    documents = make_documents(DOCUMENTS)
    with Index(place, method="jaccard", threshold=0.5, shingle=2) as index:
        for attempt in (1, 2):
            with pytest.raises(
                OutputError, match=r"has no room.*nothing of this change was kept: make room"
            ) as refused:
                index.add(documents, existing="skip", progress=lambda _, done, total: acknowledged.append(done))
            print(f"attempt {attempt}: {refused.value}")
            last = max(acknowledged)
            print(f"{last:,} acknowledged, {check_sound(place, last):,} there")
            assert check_sound(place, last) == last
        subprocess.run(["mount", "-o", "remount,size=400m", folder], check=True)
        done = index.add(documents.slice(0, last + MORE), existing="skip")
        print(f"after room was made: {done.added:,} added to {done.skipped:,}")
        assert (done.added, done.skipped) == (MORE, last)
        assert check_sound(place, last + MORE) == last + MORE


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
