"""Maintains an index of documents in a SQLite file or on PostgreSQL, and queries it for near-duplicates."""

from neardup.index.answers import (
    Changes,
    Event,
    Group,
    Groups,
    Match,
    Result,
    StoredCluster,
    StoredDocument,
)
from neardup.index.index import Index

__all__ = ["Changes", "Event", "Group", "Groups", "Index", "Match", "Result", "StoredCluster", "StoredDocument"]
