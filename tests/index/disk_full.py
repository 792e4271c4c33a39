"""A PostgreSQL server whose disk becomes full: `python tests/index/disk_full.py`. It needs the right to mount.

The tables of an index are in a tablespace on a small file system in memory. A load runs until the disk is full. The
documents that were acknowledged must be stored then, and the load must continue when there is space again.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from crash import check_index
from index_documents import make_documents

from neardup.errors import OutputError
from neardup.index import Index
from neardup.index.changes import batches

DOCUMENTS, BATCH, MORE = 20_000, 200, 1_000


def main() -> None:
    from servers import postgres  # noqa: PLC0415 - in the folder above

    batches.BATCH_DOCUMENTS = BATCH
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


def fill(url: str, folder: str) -> None:
    """Load until the disk is full, check the index, enlarge the disk and continue."""
    acknowledged = [0]
    documents = make_documents(DOCUMENTS)
    with Index(url, method="jaccard", threshold=0.5, shingle=2) as index:
        for attempt in (1, 2):
            with pytest.raises(
                OutputError, match=r"has no space left.*nothing of this change was kept: free some space"
            ) as refused:
                index.add(documents, existing="skip", progress=lambda _, done, total: acknowledged.append(done))
            print(f"attempt {attempt}: {refused.value}")
            last = max(acknowledged)
            print(f"{last:,} acknowledged, {check_index(url, last):,} there")
            assert check_index(url, last) == last
        subprocess.run(["mount", "-o", "remount,size=400m", folder], check=True)
        done = index.add(documents.slice(0, last + MORE), existing="skip")
        print(f"after the disk was enlarged: {done.added:,} added to {done.skipped:,}")
        assert (done.added, done.skipped) == (MORE, last)
        assert check_index(url, last + MORE) == last + MORE


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    main()
