"""Build the corpora of the benchmarks, each from a pool of real texts, a size and a seed.

The pool is a folder of real corpora (`--corpora`) or the project's `examples/`. A corpus is built once and stored in
`build/benchmarks/` as an Arrow file with a column `text` and, if the answer is known, a column `label`.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "benchmarks"
SEED = 20061
MIXED = (
    "emails_clinton",
    "reuters21578",
    "public_comments_epa",
    "public_comments_iceb2015",
    "debian_descriptions",
    "licences_spdx",
    "licence_notices_scancode",
)
"""The corpora of the folder that make up `mixed`: mail, news, public comments, package descriptions, licences."""

Corpus = tuple[list[str], list[int] | None]


@dataclass(frozen=True)
class Pool:
    """Real texts, and the name of their source."""

    name: str
    texts: list[str]

    @cached_property
    def words(self) -> list[str]:
        """The words of the texts, at most three million; paragraphs with the same beginning count once."""
        openings: set[str] = set()
        words: list[str] = []
        for text in random.Random(SEED).sample(self.texts, len(self.texts)):
            for paragraph in text.split("\n\n"):
                row = [word for word in paragraph.split() if word.isascii() and word.rstrip(".,;:").isalnum()]
                opening = " ".join(row[:8])
                if opening not in openings and len(words) < 3_000_000:
                    openings.add(opening)
                    words.extend(row)
        return words

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the texts and of this file."""
        digest = hashlib.sha256(Path(__file__).read_bytes())
        for text in self.texts:
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        return digest.hexdigest()[:12]


def load_pool(folder: Path | None) -> Pool:
    """Read the pool from a folder of gzipped JSON-lines corpora, or from the project's examples."""
    if folder is None:
        files = sorted(path for path in (ROOT / "examples").rglob("*") if is_readable(path))
        texts = [text for path in files for text in read_texts(path)]
        if not texts:
            sys.exit("no JSON-lines or CSV file with a column `text` in examples/; give a folder with --corpora")
        return Pool("examples", texts)
    return Pool("mixed", [text for name in MIXED for text in read_texts(folder / name / "docs.jsonl.gz")])


def is_readable(path: Path) -> bool:
    """Return whether a file is a table with a column `text`."""
    return path.name.removesuffix(".gz").endswith((".jsonl", ".csv")) and next(read_texts(path), None) is not None


def read_texts(path: Path) -> Iterator[str]:
    """Yield the column `text` of a JSON-lines or CSV file, gzipped or not."""
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    lines = io.StringIO(raw.decode(), newline="")
    rows = csv.DictReader(lines) if ".csv" in path.suffixes else map(json.loads, lines)
    return (row["text"] for row in rows if "text" in row)


def splice(words: list[str], count: int, chance: random.Random) -> list[str]:
    """Return new text made of real phrases of eight words."""
    starts = chance.choices(range(len(words) - 8), k=-(-count // 8))
    return [word for start in starts for word in words[start : start + 8]][:count]


def replace_words(row: list[str], words: list[str], edits: int, chance: random.Random) -> list[str]:
    """Return a copy with the given number of words replaced."""
    edited = list(row)
    for position in chance.sample(range(len(row)), edits):
        edited[position] = chance.choice(words)
    return edited


def build_mixed(pool: Pool, size: int) -> Corpus:
    """Return the pool if it is large enough, else the pool and edited copies of it, up to `size`; no known answer."""
    chance = random.Random(SEED)
    texts = pool.texts[:]
    while len(texts) < size:
        row = chance.choice(pool.texts).split()
        texts.append(" ".join(replace_words(row, pool.words, int(chance.random() * 0.08 * len(row)), chance)))
    return texts, None


def build_growth(pool: Pool, size: int) -> Corpus:
    """Build documents of which seven in ten are new, one an exact copy, one a near copy and one half a copy.

    A near copy has at most one word in 65 replaced, each of which costs at most five 5-grams on either side, so that
    its Jaccard similarity with the original is above 0.85; a half copy has about a third. So the answer is known.
    """
    chance, words = random.Random(SEED), pool.words
    texts: list[str] = []
    labels: list[int] = []
    for number in range(size):
        kind = number % 10
        original = chance.randrange(number // 10 + 1) * 10 + chance.randrange(7)  # only new documents are copied
        row = texts[original].split() if kind >= 7 else []
        if kind < 7:
            row = splice(words, min(800, max(40, int(chance.lognormvariate(4.5, 0.7)))), chance)
        elif kind == 8:
            row = replace_words(row, words, len(row) // 70, chance)
        elif kind == 9:
            row = row[: len(row) // 2] + splice(words, len(row) - len(row) // 2, chance)
        texts.append(" ".join(row))
        labels.append(labels[original] if kind in (7, 8) else number)
    return texts, labels


def build_copies(pool: Pool, size: int) -> Corpus:
    """Build copies of one text."""
    return [" ".join(splice(pool.words, 400, random.Random(SEED)))] * size, [0] * size


def build_boilerplate(pool: Pool, size: int) -> Corpus:
    """Build documents that share one paragraph and have another of their own."""
    chance = random.Random(SEED)
    shared = " ".join(splice(pool.words, 80, chance))
    return [f"{' '.join(splice(pool.words, 80, chance))}\n\n{shared}" for _ in range(size)], list(range(size))


def build_letters(pool: Pool, size: int) -> Corpus:
    """Build copies of one letter, each with one word replaced and another signature: all similar, none identical."""
    chance = random.Random(SEED)
    letter = splice(pool.words, 250, chance)
    rows = (replace_words(letter, pool.words, 1, chance) for _ in range(size))
    return [f"{' '.join(row)}\n\nSincerely,\nJo{number} Doe{number}" for number, row in enumerate(rows)], [0] * size


def build_one_word(_pool: Pool, size: int) -> Corpus:
    """Build texts of one word each, from a vocabulary of a twentieth of their number."""
    labels = random.Random(SEED).choices(range(size // 20), k=size)
    return [f"word{label}" for label in labels], labels


def build_giant(pool: Pool, size: int) -> Corpus:
    """Build one document of `size` bytes among a hundred of ordinary length."""
    chance = random.Random(SEED)
    ordinary = [" ".join(splice(pool.words, 100, chance)) for _ in range(100)]
    return [" ".join(splice(pool.words, size // 5, chance))[:size], *ordinary], list(range(101))


def build_chain(pool: Pool, size: int) -> Corpus:
    """Build a chain in which each document is the previous one with a twentieth of its words replaced."""
    chance = random.Random(SEED)
    rows = [splice(pool.words, 400, chance)]
    while len(rows) < size:
        rows.append(replace_words(rows[-1], pool.words, 20, chance))
    return [" ".join(row) for row in rows], [0] * size


BUILDERS: dict[str, Callable[[Pool, int], Corpus]] = {
    "mixed": build_mixed,
    "growth": build_growth,
    "copies": build_copies,
    "boilerplate": build_boilerplate,
    "letters": build_letters,
    "one_word": build_one_word,
    "giant": build_giant,
    "chain": build_chain,
}


def prepare(name: str, size: int, pool: Pool) -> Path:
    """Return the path of a corpus; build it if it does not exist."""
    if name == "mixed":
        size = max(size, len(pool.texts))  # real texts are never cut short
    path = BUILD / f"{name}-{size}-{pool.name}-{pool.fingerprint}.arrow"
    if not path.exists():
        texts, labels = BUILDERS[name](pool, size)
        BUILD.mkdir(parents=True, exist_ok=True)
        column = pa.array(labels, pa.int64()) if labels is not None else pa.nulls(len(texts), pa.int64())
        table = pa.table({"text": pa.array(texts, pa.large_string()), "label": column})
        with pa.ipc.new_file(path.with_suffix(".tmp"), table.schema) as sink:
            sink.write_table(table)
        path.with_suffix(".tmp").rename(path)
    return path


def load(path: Path) -> pa.Table:
    """Map the file of a corpus into memory."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()
