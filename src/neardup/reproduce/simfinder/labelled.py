"""Pairs of short texts that people have judged: a, b, and whether they are near-duplicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from neardup import api
from neardup.errors import InputError
from neardup.evaluate.contingency import Booleans
from neardup.records import Documents
from neardup.reproduce.folder import Progress

YES = frozenset(("1", "1.0", "true", "yes", "y", "duplicate"))
NO = frozenset(("0", "0.0", "false", "no", "n", "different"))


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Pairs of texts under the name of where they come from; `alike` is what was judged."""

    name: str
    a: Sequence[str]
    b: Sequence[str]
    alike: Booleans


def read_pairs(path: Path, progress: Progress | None = None) -> LabelledPairs:
    """Read pairs from a table of any kind that can be read, with columns a, b and label."""
    a, b, labels = (list_texts(api.read(path, text=column, progress=progress)) for column in ("a", "b", "label"))
    words = [label.strip().lower() for label in labels]
    for number, word in enumerate(words, 1):
        if word not in YES and word not in NO:
            raise InputError(
                f"{path}, pair {number}: label is {labels[number - 1]!r}, but must be 1 or 0, true or false"
            )
    return LabelledPairs(path_name(path), a, b, np.array([word in YES for word in words], bool))


def list_texts(documents: Documents) -> list[str]:
    """Return the texts of documents as strings; what could not be read is empty."""
    return documents.texts.to_list()


def path_name(path: Path) -> str:
    """Return what a corpus is called in tables: its file's name, or its folder's where the file says nothing."""
    stem = path.name.split(".")[0]
    said = stem not in ("docs", "documents", "pairs", "data", "texts", "messages")
    return stem if said or not path.absolute().parent.name else path.absolute().parent.name
