"""Dockets with known answers: form-letter campaigns, edited copies and singletons, generated from a seed.

    docket = make_docket(letters, DocketSettings(seed=7))
    docket.documents      an Arrow table with the columns of the regulations portal
    docket.gold           clusters, relations, and what each writer added and removed

The letters are real letters, as strings. The same letters, seed and settings give the same docket, byte for byte, on
every machine. `write_docket` writes a docket of any size to a folder, letter by letter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from neardup.reproduce.corpora.docket.bodies.source import read_source
from neardup.reproduce.corpora.docket.files import (
    COLUMNS,
    FORMATS,
    GOLD_COLUMNS,
    check_docket_folder,
    list_columns,
    list_gold,
    write_docket,
)
from neardup.reproduce.corpora.docket.letters import Letter, LetterWriter, summarise_mix
from neardup.reproduce.corpora.docket.settings import FRAMES, STYLES, DocketSettings

__all__ = [
    "FORMATS",
    "FRAMES",
    "STYLES",
    "Docket",
    "DocketSettings",
    "Letter",
    "LetterWriter",
    "check_docket_folder",
    "make_docket",
    "read_source",
    "summarise_mix",
    "write_docket",
]


@dataclass(frozen=True, slots=True)
class Docket:
    """A docket in memory: the documents, the gold, and a description of settings and contents."""

    documents: pa.Table
    gold: pa.Table
    description: Mapping[str, Any]


def make_docket(letters: Iterable[str], settings: DocketSettings) -> Docket:
    """Make a docket from real letters, in memory.

    >>> docket = make_docket(letters, DocketSettings(seed=7, size=300, style="ntf"))
    >>> docket.gold.column_names[:3]
    ['id', 'cluster', 'relation']
    """
    writer = LetterWriter(read_source(letters), settings)
    documents: list[tuple[str, ...]] = []
    gold: list[tuple[str, ...]] = []
    for letter in writer:
        documents.append(list_columns(letter))
        gold.append(list_gold(letter))
    return Docket(_to_table(COLUMNS, documents), _to_table(GOLD_COLUMNS, gold), writer.describe())


def _to_table(names: tuple[str, ...], rows: list[tuple[str, ...]]) -> pa.Table:
    columns = zip(*rows, strict=True)
    return pa.table({name: pa.array(column, pa.string()) for name, column in zip(names, columns, strict=True)})
