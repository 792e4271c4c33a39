"""Migrates an index to another one, made with another lexicon, other settings or in another database."""

from neardup.index.migration.migration import migrate
from neardup.index.migration.target import TargetSettings

__all__ = ["TargetSettings", "migrate"]
