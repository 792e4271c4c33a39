"""The tables of a run folder, the relations between documents and the statuses of a document."""

from __future__ import annotations

import pyarrow as pa

RELATIONS = (
    "reference",
    "exact",
    "minor_change",
    "block_added",
    "block_deleted",
    "minor_change_block_edit",
    "block_reordered",
    "repeated",
    "key_block",
    "bag_of_words",
    "other",
)
"""The relations of a member to the reference copy of its cluster; a document without duplicates is `unique`."""

OK, EMPTY, UNREADABLE, TOO_SHORT, NO_CONTENT = "ok", "empty", "unreadable", "too_short", "no_content"

DOCUMENT_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("cluster", pa.string()),
        ("reference", pa.bool_()),
        ("relation", pa.string()),
        ("similarity", pa.float64()),
        ("added", pa.string()),
        ("removed", pa.string()),
        ("status", pa.string()),
        ("also", pa.list_(pa.string())),
        ("points", pa.list_(pa.int64())),
    ]
)
"""`also` lists other clusters of which a document has a good part, `points` its points of a menu, from 1."""

CLUSTER_SCHEMA = pa.schema(
    [
        ("cluster", pa.string()),
        ("size", pa.int64()),
        ("distinct", pa.int64()),
        ("first_time", pa.timestamp("us", "UTC")),
        ("last_time", pa.timestamp("us", "UTC")),
        ("excerpt", pa.string()),
        ("weakest", pa.float64()),
        *((relation, pa.int64()) for relation in RELATIONS),
        ("template", pa.string()),
        ("consensus", pa.string()),
        ("points", pa.list_(pa.string())),
    ]
)
"""`consensus` is the common text of a campaign without an original, `points` its passages if letters choose some."""

PAIR_SCHEMA = pa.schema(
    [("a", pa.string()), ("b", pa.string()), ("similarity", pa.float64()), ("evidence", pa.string())]
)

MEMBERSHIP_SCHEMA = pa.schema(
    [
        ("cluster", pa.string()),
        ("id", pa.string()),
        ("units", pa.int64()),
        ("relation", pa.string()),
        ("similarity", pa.float64()),
    ]
)

TABLES = {"documents": DOCUMENT_SCHEMA, "clusters": CLUSTER_SCHEMA, "pairs": PAIR_SCHEMA}
OPTIONAL_TABLES = {"memberships": MEMBERSHIP_SCHEMA}
"""The tables of a run whose clusters overlap."""

PASSAGE_SCHEMA = pa.schema(
    [
        ("passage", pa.int64()),
        ("text", pa.large_string()),
        ("words", pa.int64()),
        ("occurrences", pa.int64()),
        ("documents", pa.int64()),
        ("first_time", pa.timestamp("us", "UTC")),
    ]
)

OCCURRENCE_SCHEMA = pa.schema(
    [
        ("passage", pa.int64()),
        ("id", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("similarity", pa.float64()),
        ("first", pa.bool_()),
    ]
)

PASSAGE_TABLES = {"passages": PASSAGE_SCHEMA, "occurrences": OCCURRENCE_SCHEMA, "boilerplate": PASSAGE_SCHEMA}
"""The tables of a run of `passages`."""
