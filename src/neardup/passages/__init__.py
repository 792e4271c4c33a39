"""Passages: text that otherwise different documents share, where it occurs, and how to remove its repetitions."""

from neardup.passages.finder import find_passages
from neardup.passages.removal import Removal, Removed, remove_repetitions
from neardup.passages.settings import PassageSettings

__all__ = ["PassageSettings", "Removal", "Removed", "find_passages", "remove_repetitions"]
