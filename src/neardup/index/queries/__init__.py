"""Answers queries about the documents of an index; nothing here changes it."""

from neardup.index.queries.clusters import read_cluster
from neardup.index.queries.documents import list_documents, read_document, read_events
from neardup.index.queries.groups import group_documents, group_ids, page_groups
from neardup.index.queries.matches import find_like_document, find_like_text
from neardup.index.queries.snapshot import Snapshot

__all__ = [
    "Snapshot",
    "find_like_document",
    "find_like_text",
    "group_documents",
    "group_ids",
    "list_documents",
    "page_groups",
    "read_cluster",
    "read_document",
    "read_events",
]
