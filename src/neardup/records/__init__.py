"""The types of the project: what goes into a run (Documents), what comes out (Result), and how a run is stored."""

from neardup.records.clusters import Cluster, Clusters, Member
from neardup.records.comparison import Change, Comparison, Concept, Lattice, Passage
from neardup.records.documents import Documents
from neardup.records.passages import Passages, load_run
from neardup.records.result import (
    RUN_FORMAT,
    Result,
    check_run_folder,
    load_result,
    number_by_appearance,
    rename_settings,
)
from neardup.records.schemas import (
    CLUSTER_SCHEMA,
    DOCUMENT_SCHEMA,
    EMPTY,
    MEMBERSHIP_SCHEMA,
    NO_CONTENT,
    OCCURRENCE_SCHEMA,
    OK,
    OPTIONAL_TABLES,
    PAIR_SCHEMA,
    PASSAGE_SCHEMA,
    PASSAGE_TABLES,
    RELATIONS,
    TABLES,
    TOO_SHORT,
    UNREADABLE,
)
from neardup.records.text_column import TextColumn

__all__ = [
    "CLUSTER_SCHEMA",
    "DOCUMENT_SCHEMA",
    "EMPTY",
    "MEMBERSHIP_SCHEMA",
    "NO_CONTENT",
    "OCCURRENCE_SCHEMA",
    "OK",
    "OPTIONAL_TABLES",
    "PAIR_SCHEMA",
    "PASSAGE_SCHEMA",
    "PASSAGE_TABLES",
    "RELATIONS",
    "RUN_FORMAT",
    "TABLES",
    "TOO_SHORT",
    "UNREADABLE",
    "Change",
    "Cluster",
    "Clusters",
    "Comparison",
    "Concept",
    "Documents",
    "Lattice",
    "Member",
    "Passage",
    "Passages",
    "Result",
    "TextColumn",
    "check_run_folder",
    "load_result",
    "load_run",
    "number_by_appearance",
    "rename_settings",
]
