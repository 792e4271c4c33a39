"""Stores the parts of an index in a database. All SQL is in this package."""

from neardup.index.store.databases import FORMAT
from neardup.index.store.facts import Counters
from neardup.index.store.store import Store

__all__ = ["FORMAT", "Counters", "Store"]
