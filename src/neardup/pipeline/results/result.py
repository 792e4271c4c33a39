"""From a run to the result that users get: labels at once, tables and the audit on first access."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import pyarrow as pa

from neardup.detectors import Detector
from neardup.pipeline.clock import Clock, peak_memory
from neardup.pipeline.results.audit import auditor
from neardup.pipeline.results.outcome import Outcome
from neardup.pipeline.results.tables import RunTables
from neardup.pipeline.steps import Run
from neardup.records import RUN_FORMAT, Documents, Result
from neardup.stages import Fact
from neardup.version import VERSION

DOCUMENT_FACTS = ("document", "documents", "against")


def make_result(detector: Detector, run: Run, clock: Clock, *, notes: tuple[str, ...], reason: str | None) -> Result:
    """Describe a run as a result; `reason` says why `auto` chose the method."""
    outcome = Outcome(run)
    tables = RunTables(outcome)
    documents = outcome.documents
    described = {
        "format": RUN_FORMAT,
        "method": detector.name,
        "reason": reason,
        "settings": detector.settings(),
        "fingerprint": detector.fingerprint(),
        "version": VERSION,
        "inputs": list(documents.inputs),
        "counts": _count(outcome),
        "guards": dict(outcome.grouping.guards),
        **_name_documents(outcome.grouping.facts, documents),
        "notes": [*notes, *documents.notes],
        "seconds": clock.seconds,
        "peak_memory_bytes": peak_memory(),
        "audit": auditor(run),
    }
    made: dict[str, Callable[[], pa.Table]] = {
        "documents": lambda: tables.documents,
        "clusters": tables.clusters,
        "pairs": tables.pairs,
    }
    if outcome.grouping.overlapping is not None:
        made["memberships"] = tables.memberships
    return Result(outcome.labels, made, described, outcome.is_reference)


def _count(outcome: Outcome) -> dict[str, int]:
    documents, labels = outcome.documents, outcome.labels
    return {
        "documents": len(documents),
        **documents.counts,
        "replaced_characters": documents.counts.get("replaced_characters", 0) + outcome.texts.replaced,
        **outcome.count_statuses(),
        "distinct": len(outcome.nodes),
        "clusters": outcome.count_clusters(),
        "duplicates": len(labels) - int(labels.max(initial=-1)) - 1,
        "candidates": outcome.grouping.examined,
        "pairs": len(outcome.links.a) + outcome.count_exact_pairs(),
    }


def _name_documents(facts: Mapping[str, Fact], documents: Documents) -> dict[str, Fact]:
    """Replace document numbers by ids in what a component reports."""
    ids = cache(documents.id_column)

    def named(value: Fact, key: str) -> Fact:
        if isinstance(value, Mapping):
            return {name: named(item, name) for name, item in value.items()}
        if isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return str(ids()[int(value)].as_py()) if key in DOCUMENT_FACTS else value
        return [named(item, key) for item in value]

    return {name: named(value, name) for name, value in facts.items()}
