"""The contenders: neardup and its peers, each used as in its own documentation, from texts to cluster labels.

A contender is a function that imports what it needs and returns a function of the texts; only the latter is measured.
All use word 5-grams, threshold 0.8 and 128 hashes. The peers return candidates or neighbours; clusters are the
connected components of these, as in the peers' examples.
"""

# Any of the packages may be missing: each is imported where it is used.
# ruff: noqa: PLC0415
from __future__ import annotations

import contextlib
import io
import re
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

Labels = NDArray[np.int64]
Run = Callable[[Any], Any]
HASHES = 128
SETTINGS = {"threshold": 0.8, "shingle": 5, "linkage": "components"}
WORD = re.compile(r"\w+")


def shingles(text: str) -> list[str]:
    """Return the word 5-grams, for peers that leave this to the caller; a shorter text is one shingle."""
    words = WORD.findall(text.lower())
    return [" ".join(words[start : start + 5]) for start in range(max(1, len(words) - 4))]


def join_neighbours(neighbours: Iterable[Iterable[Any]], count: int) -> Labels:
    """Return the connected components of the documents linked with their neighbours."""
    lists = [list(items) for items in neighbours]
    left = np.repeat(np.arange(count), [len(items) for items in lists])
    right = np.fromiter((int(item) for items in lists for item in items), dtype=np.int64)
    graph = coo_array((np.ones(len(left), dtype=bool), (left, right)), shape=(count, count))
    return connected_components(graph, directed=False)[1].astype(np.int64)


def neardup(settings: dict[str, Any]) -> Run:
    """Import neardup; its run returns the result, including the labels."""
    from neardup import find  # loads what `import neardup` leaves for later

    def run(texts: Any) -> Any:
        result = find(texts, **(SETTINGS | settings))
        len(result.labels)
        return result

    return run


def gaoya(_settings: dict[str, Any], bulk: bool = True) -> Run:
    """Use gaoya through its bulk calls, which run on all cores, or as in its README, one document at a time.

    The 128 hashes form 16 bands of 8: these parameters find most of the pairs at 0.8, and others are not faster.
    """
    from gaoya.minhash import MinHashStringIndex

    options = {"num_bands": 16, "band_size": 8, "analyzer": "word", "lowercase": True, "ngram_range": (5, 5)}

    def run(texts: list[str]) -> Labels:
        index = MinHashStringIndex(hash_size=32, jaccard_threshold=0.8, id_container="vec", **options)
        if bulk:
            index.par_bulk_insert_docs(list(range(len(texts))), texts)
            return join_neighbours(index.par_bulk_query(texts), len(texts))
        for number, text in enumerate(texts):
            index.insert_document(number, text)
        return join_neighbours((index.query(text) for text in texts), len(texts))

    return run


def rensa(_settings: dict[str, Any]) -> Run:
    """Use rensa's deduplicator as in its README, then query it for the duplicates of each document."""
    from rensa import RMinHash, RMinHashDeduplicator

    def run(texts: list[str]) -> Labels:
        sketches = RMinHash.from_token_sets(map(shingles, texts), num_perm=HASHES, seed=42)
        index = RMinHashDeduplicator(threshold=0.8, num_perm=HASHES, use_lsh=True)
        index.add_pairs((str(number), sketch) for number, sketch in enumerate(sketches))
        return join_neighbours(index.get_duplicate_sets(sketches), len(texts))

    return run


def rensa_lsh(_settings: dict[str, Any]) -> Run:
    """Use rensa's LSH index with 16 bands and its candidates without verification."""
    from rensa import RMinHash, RMinHashLSH

    def run(texts: list[str]) -> Labels:
        sketches = RMinHash.from_token_sets(map(shingles, texts), num_perm=HASHES, seed=42)
        index = RMinHashLSH(threshold=0.8, num_perm=HASHES, num_bands=16)
        index.insert_many(sketches)
        return join_neighbours(index.query_all(sketches), len(texts))

    return run


def datasketch(_settings: dict[str, Any]) -> Run:
    """Use datasketch's bulk MinHash and its LSH index."""
    from datasketch import MinHash, MinHashLSH

    def run(texts: list[str]) -> Labels:
        sets = ([shingle.encode() for shingle in shingles(text)] for text in texts)
        sketches = MinHash.bulk(sets, num_perm=HASHES)
        index = MinHashLSH(threshold=0.8, num_perm=HASHES)
        with index.insertion_session() as session:
            for number, sketch in enumerate(sketches):
                session.insert(number, sketch)
        return join_neighbours(map(index.query, sketches), len(texts))

    return run


def text_dedup(_settings: dict[str, Any]) -> Run:
    """Run text-dedup's command in this process; it reads its texts from a dataset on disk."""
    import datasets
    from text_dedup import minhash
    from text_dedup.utils import IOArgs, MetaArgs, MinHashArgs

    datasets.disable_progress_bars()

    def run(texts: list[str]) -> Labels:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            datasets.Dataset.from_dict({"text": texts}).save_to_disk(f"{folder}/in")
            minhash.main.callback(
                io_args=IOArgs(path=f"{folder}/in", output=f"{folder}/out", local=True),
                meta_args=MetaArgs(column="text"),
                minhash_args=MinHashArgs(threshold=0.8, num_perm=HASHES),
            )
        return np.array([minhash.uf.find(number) for number in range(len(texts))])

    return run


PEERS: dict[str, Callable[[dict[str, Any]], Run]] = {
    "gaoya": gaoya,
    "gaoya-loop": partial(gaoya, bulk=False),
    "rensa": rensa,
    "rensa-lsh": rensa_lsh,
    "datasketch": datasketch,
    "text-dedup": text_dedup,
}


def load_contender(name: str, settings: dict[str, Any]) -> Run:
    """Import a contender: a peer, or neardup with its method, `neardup-minhash` or `neardup-minhash-arrow`."""
    if name in PEERS:
        return PEERS[name](settings)
    return neardup({"method": name.split("-")[1]} | settings)
