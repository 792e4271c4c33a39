"""What studies read: the texts of documents, and the examples in a clone of the project."""

from __future__ import annotations

from pathlib import Path

from neardup.errors import InputError
from neardup.records import Documents


def list_texts(documents: Documents) -> list[str]:
    """Return the texts as strings; a document that could not be read has an empty one."""
    return documents.texts.to_list()


def find_examples(pattern: str, what: str, option: str) -> list[str]:
    """Return the project's examples that match a pattern, if this is a clone."""
    for root in (Path(), Path(__file__).parents[3]):
        found = sorted((root / "examples").glob(pattern))
        if (root / "src" / "neardup").is_dir() and found:
            return list(map(str, found))
    raise InputError(f"there are no {what}: name some with {option} (a clone of the project contains examples)")
