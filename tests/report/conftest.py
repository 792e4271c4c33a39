"""A small result written by hand: a cluster of four letters, a pair, and a single document."""

from datetime import UTC, datetime
from io import StringIO

import numpy as np
import pyarrow as pa
import pytest
from rich.console import Console

from neardup.records import CLUSTER_SCHEMA, DOCUMENT_SCHEMA, PAIR_SCHEMA, RELATIONS, Result

SUMMARY = {
    "format": 1,
    "method": "minhash",
    "reason": "the texts have 48 words in the middle",
    "settings": {"threshold": 0.8, "shingle": 5, "linkage": "star", "lexicon": None, "paper": False},
    "version": "0.2.0",
    "inputs": ["letters.csv"],
    "counts": {
        "documents": 7,
        "empty": 0,
        "unreadable": 0,
        "distinct": 6,
        "clusters": 2,
        "duplicates": 4,
        "pairs": 5,
        "candidates": 9,
    },
    "guards": {"common_keys": 12, "large_groups": 0},
    "seconds": {"read": 0.25, "find": 61.4},
    "peak_memory_bytes": 310_000_000,
    "notes": ["text in the column Comment"],
    "audit": {"recall": 0.99996, "low": 0.9991, "high": 1.0, "sampled_documents": 1000},
}


def document(name, cluster, relation, similarity, added="", removed=""):
    return (name, cluster, relation == "reference", relation, similarity, added, removed, "ok")


DOCUMENTS = [
    document("L1", "L1", "reference", 1.0),
    document("P1", "P1", "reference", 1.0),
    document("L2", "L1", "exact", 1.0),
    document("L3", "L1", "block_added", 0.91, "My daughter has asthma.", ""),
    document("P2", "P1", "minor_change", 0.85, "=SUM(A1)", "tea"),
    document("L4", "L1", "minor_change_block_edit", 0.83, "[bold]please[/bold]", "kindly\x1b[31m \u202etxet"),
    document("U1", "U1", "unique", 1.0),
]

LETTER = "Dear Administrator, I am writing to ask you to limit mercury from power plants as far as the law allows."


def cluster(name, size, distinct, times, excerpt, weakest, template="", **relations):
    counts = (relations.get(relation, 0) for relation in RELATIONS)
    return (name, size, distinct, *times, excerpt, weakest, *counts, template)


CLUSTERS = [
    cluster(
        "L1",
        4,
        3,
        (datetime(2004, 1, 30, tzinfo=UTC), datetime(2004, 4, 12, 9, 30, tzinfo=UTC)),
        LETTER,
        0.83,
        reference=1,
        exact=1,
        block_added=1,
        minor_change_block_edit=1,
    ),
    cluster("P1", 2, 2, (None, None), "Two cups of tea", 0.85, reference=1, minor_change=1),
]

PAIRS = [("L1", "L2", 1.0, "exact"), ("L1", "L3", 0.91, "shingles"), ("P1", "P2", 0.85, "shingles")]


def make_table(rows, schema):
    """Make a table; the last columns of a row may be left out and are null."""
    rows = [(*row, *[None] * (len(schema) - len(row))) for row in rows]
    columns = zip(*rows, strict=True) if rows else [[] for _ in schema]
    return pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)


def build(documents=DOCUMENTS, clusters=CLUSTERS, pairs=PAIRS, summary=SUMMARY):
    names = [row[1] for row in documents]
    tables = {
        "documents": make_table(documents, DOCUMENT_SCHEMA),
        "clusters": make_table(clusters, CLUSTER_SCHEMA),
        "pairs": make_table(pairs, PAIR_SCHEMA),
    }
    return Result(np.array([names.index(name) for name in names], np.int64), tables, summary)


@pytest.fixture
def make_result():
    """Return the function that builds results; rows and summary default to those above."""
    return build


@pytest.fixture
def result():
    return build()


@pytest.fixture
def show():
    """Return a function that renders for a terminal of a given width, with or without colours."""

    def render(renderable, width=80, *, colour=False):
        console = Console(
            file=StringIO(),
            width=width,
            force_terminal=colour,
            color_system="standard" if colour else None,
            _environ={},
        )
        console.print(renderable)
        return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())

    return render
