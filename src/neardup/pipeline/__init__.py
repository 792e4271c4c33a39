"""Runs a recipe: collapse, represent, learn, keys, pairs, verify, link, and the tables of the result.

Every step is implemented here, once. Engines and the index call the steps and differ only in where keys meet.
"""

from neardup.pipeline.clock import Clock, Progress, peak_memory
from neardup.pipeline.collapse import (
    NO_NODE,
    Collection,
    collapse,
    nodes_of_documents,
    publication_days,
    take_as_distinct,
)
from neardup.pipeline.partition import (
    KeyedPartition,
    key_partition,
    stored_nodes,
    verify_features,
    verify_pairs,
    verify_texts,
)
from neardup.pipeline.results import make_result
from neardup.pipeline.steps import Run, find_links, learn, link_groups, run

__all__ = [
    "NO_NODE",
    "Clock",
    "Collection",
    "KeyedPartition",
    "Progress",
    "Run",
    "collapse",
    "find_links",
    "key_partition",
    "learn",
    "link_groups",
    "make_result",
    "nodes_of_documents",
    "peak_memory",
    "publication_days",
    "run",
    "stored_nodes",
    "take_as_distinct",
    "verify_features",
    "verify_pairs",
    "verify_texts",
]
