"""Keeps documents and keys so that one new document can be asked about now: in a SQLite file or on PostgreSQL."""

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
