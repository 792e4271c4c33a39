"""Pairs of short texts that people have judged to be near-duplicates or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from neardup import api
from neardup.errors import InputError
from neardup.evaluate.contingency import Booleans
from neardup.reproduce.inputs import list_texts
from neardup.reproduce.study import Progress

YES = frozenset(("1", "1.0", "true", "yes", "y", "duplicate"))
NO = frozenset(("0", "0.0", "false", "no", "n", "different"))
GENERAL_NAMES = frozenset(("docs", "documents", "pairs", "data", "texts", "messages"))


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Pairs of texts under the name of their source; `alike` is the judgement."""

    name: str
    a: Sequence[str]
    b: Sequence[str]
    alike: Booleans


def read_pairs(path: Path, progress: Progress | None = None) -> LabelledPairs:
    """Read pairs from a table in any format that can be read, with the columns a, b and label."""
    a, b, labels = (list_texts(api.read(path, text=column, progress=progress)) for column in ("a", "b", "label"))
    words = [label.strip().lower() for label in labels]
    for number, word in enumerate(words, 1):
        if word not in YES and word not in NO:
            raise InputError(
                f"{path}, pair {number}: label is {labels[number - 1]!r}, but must be 1 or 0, true or false"
            )
    return LabelledPairs(name_path(path), a, b, np.array([word in YES for word in words], bool))


def name_path(path: Path) -> str:
    """Return the name of a corpus in tables: that of its file, or that of its folder if the file has a general name."""
    stem, folder = path.name.split(".")[0], path.absolute().parent.name
    return folder if stem in GENERAL_NAMES and folder else stem
