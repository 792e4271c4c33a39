"""Generate millions of messages with known answers: `python benchmarks/messages.py FOLDER COUNT --output FILE`.

Each original is composed of sequences of three to five words of real messages and titles, so that words follow each
other and repeat as they do there. `mixed` resembles the traffic of a provider: two messages in five are single; the
others belong to families of all sizes whose members are identical or have one or two words replaced, dropped or
inserted. `campaigns` is the hard case: all messages are edits of ten thousand originals. The label is the number of the
original.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

SOURCES = ("sms_nus_en", "sms_uci_spam", "titles_reddit", "titles_headlines_en")
KINDS = ("mixed", "campaigns")
SEED = 2008
ROWS = 250_000
LONGEST_ORIGINAL = 15
CAMPAIGNS = 10_000
Ids = npt.NDArray[np.int64]


def read_stream(folder: Path) -> tuple[Ids, list[bytes]]:
    """Return the words of the real texts in sequence as numbers, and the words by number."""
    numbers: dict[bytes, int] = {}
    stream: list[int] = []
    for name in SOURCES:
        with gzip.open(folder / name / "docs.jsonl.gz") as lines:
            for line in lines:
                words = json.loads(line)["text"].encode("utf-8", "replace").split()
                stream.extend(numbers.setdefault(word, len(numbers)) for word in words if len(word) <= 20)
    return np.array(stream, np.int64), list(numbers)


def choose_originals(count: int, kind: str, chance: np.random.Generator) -> Ids:
    """Return the number of the original of each message."""
    if kind == "campaigns":
        return chance.integers(0, min(CAMPAIGNS, count), count)
    families = 0.6 * count
    sizes = np.minimum(2 + chance.pareto(1.1, count // 4).astype(np.int64), 5_000)
    sizes = sizes[: int(np.searchsorted(np.cumsum(sizes), families)) + 1]
    originals = np.repeat(np.arange(len(sizes)), sizes)[:count]
    alone = np.arange(len(sizes), len(sizes) + count - len(originals))
    return chance.permutation(np.concatenate([originals, alone]))


def write_originals(originals: Ids, stream: Ids) -> tuple[Ids, npt.NDArray[np.bool_]]:
    """Return the words of the originals with these numbers, row by row, and a mask of the filled positions.

    An original depends only on its number, which determines where its sequences begin in the stream and their lengths.
    """
    rows = len(originals)
    words = np.zeros((rows, LONGEST_ORIGINAL), np.int64)
    filled = np.zeros((rows, LONGEST_ORIGINAL), bool)
    for run in range(3):
        drawn = mix(originals * 8 + run)
        start, length = drawn % (len(stream) - 8), 3 + (drawn >> 40) % 3
        for offset in range(5):
            words[:, run * 5 + offset] = stream[start + offset]
            filled[:, run * 5 + offset] = offset < length
    return words, filled


def mix(values: Ids) -> Ids:
    """Mix numbers with the finaliser of MurmurHash3; the results are non-negative."""
    mixed = values.astype(np.uint64) + np.uint64(SEED)
    for shift, factor in ((33, 0xFF51AFD7ED558CCD), (33, 0xC4CEB9FE1A85EC53), (33, 1)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(1)).astype(np.int64)


def edit(words: Ids, filled: npt.NDArray[np.bool_], stream: Ids, share: float, chance: np.random.Generator) -> None:
    """Change one or two words of a share of the rows: replace or drop them."""
    rows = len(words)
    for often in (share, share / 3):
        edited = np.flatnonzero(chance.random(rows) < often)
        columns = chance.integers(0, LONGEST_ORIGINAL, len(edited))
        dropped = chance.random(len(edited)) < 0.4
        words[edited, columns] = stream[chance.integers(0, len(stream), len(edited))]
        filled[edited, columns] = ~dropped


def spell(words: Ids, filled: npt.NDArray[np.bool_], spelled: pa.Array) -> pa.Array:
    """Return the rows as texts, with words separated by spaces."""
    taken = spelled.take(pa.array(words[filled]))
    offsets = np.concatenate([[0], np.cumsum(filled.sum(axis=1))]).astype(np.int32)
    lists = pa.ListArray.from_arrays(pa.array(offsets), taken)
    return pa.compute.binary_join(lists, " ").cast(pa.large_string())


def make(folder: Path, count: int, kind: str = "mixed", seed: int = SEED) -> Iterator[pa.Table]:
    """Yield the messages in batches."""
    chance = np.random.default_rng(seed)
    stream, words = read_stream(folder)
    spelled = pa.array([word.decode() for word in words])
    originals = choose_originals(count, kind, chance)
    for start in range(0, count, ROWS):
        chosen = originals[start : start + ROWS]
        row_words, filled = write_originals(chosen, stream)
        edit(row_words, filled, stream, 0.9 if kind == "campaigns" else 0.35, chance)
        yield pa.table({"text": spell(row_words, filled, spelled), "label": chosen})


def save(folder: Path, count: int, kind: str, target: Path) -> Path:
    """Write the messages to an Arrow or CSV file, according to the suffix."""
    target.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([("text", pa.large_string()), ("label", pa.int64())])
    if target.suffix == ".csv":
        with pa.csv.CSVWriter(target, schema) as writer:
            for piece in make(folder, count, kind):
                writer.write_table(piece)
    else:
        with pa.OSFile(str(target), "wb") as file, pa.ipc.new_file(file, schema) as writer:
            for piece in make(folder, count, kind):
                writer.write_table(piece)
    return target


def load(path: Path) -> pa.Table:
    """Read a file of messages into memory."""
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def main() -> None:
    """Write a file of messages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder of real corpora")
    parser.add_argument("count", type=int)
    parser.add_argument("--kind", choices=KINDS, default="mixed")
    parser.add_argument("--output", type=Path, required=True, help=".arrow or .csv")
    arguments = parser.parse_args()
    print(save(arguments.folder, arguments.count, arguments.kind, arguments.output))


if __name__ == "__main__":
    main()
