"""Generate any number of documents of news size with known copies, from the sentences of Reuters stories.

Each document consists of sentences drawn from the whole collection, so unrelated documents occasionally share rare
terms, as in real news. Some documents are versions of an earlier one: a sentence dropped, added or moved, some words
replaced, or only the case changed. They are in the order of their dates, over three years.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa

START = datetime(2001, 1, 1, tzinfo=UTC)
DAYS = 1096
VERSIONS = 0.2
RECENT = 2_000
SCHEMA = pa.schema([("id", pa.string()), ("text", pa.large_string()), ("time", pa.timestamp("us", "UTC"))])


def read_sentences(path: Path) -> list[str]:
    """Return the sentences of the stories."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        bodies = [json.loads(line)["text"] for line in file]
    found = (" ".join(part.split()) for body in bodies for part in re.split(r"(?<=[a-z0-9]\.)\s+(?=[A-Z])", body))
    return [sentence for sentence in dict.fromkeys(found) if 40 <= len(sentence) <= 400]


def make_news(path: Path, count: int, seed: int = 0, batch: int = 50_000) -> Iterator[pa.RecordBatch]:
    """Yield documents with id, text and time."""
    rng, sentences = random.Random(seed), read_sentences(path)
    recent: list[list[str]] = []
    for start in range(0, count, batch):
        rows = [_make(rng, sentences, recent) for _ in range(min(batch, count - start))]
        times = [START + timedelta(days=DAYS * (start + index) / count) for index in range(len(rows))]
        ids = [f"news-{start + index:08}" for index in range(len(rows))]
        yield pa.record_batch([pa.array(ids), pa.array(rows, pa.large_string()), pa.array(times)], schema=SCHEMA)


def _make(rng: random.Random, sentences: list[str], recent: list[list[str]]) -> str:
    if recent and rng.random() < VERSIONS:
        parts = _edit(rng, list(rng.choice(recent)), sentences)
    else:
        parts = rng.choices(sentences, k=rng.randint(8, 24))
    if len(recent) < RECENT:
        recent.append(parts)
    else:
        recent[rng.randrange(RECENT)] = parts
    return "\n".join(parts)


def _edit(rng: random.Random, parts: list[str], sentences: list[str]) -> list[str]:
    kind = rng.choice(("same", "drop", "add", "move", "words"))
    at = rng.randrange(len(parts))
    if kind == "drop" and len(parts) > 6:
        del parts[at]
    elif kind == "add":
        parts.insert(at, rng.choice(sentences))
    elif kind == "move":
        parts.insert(at, parts.pop())
    elif kind == "words":
        parts[at] = parts[at].replace(" said", " says").replace(" mln", " million")
    return parts
