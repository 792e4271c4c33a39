"""Read the user's constraints: a CSV file, or mappings, with a, b and kind (must, cannot or family)."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.records import Documents
from neardup.stages import Constraints

KINDS = ("must", "cannot", "family")


@dataclass(frozen=True, slots=True)
class Constraint:
    """Two documents, by id, and the kind of link between them."""

    a: str
    b: str
    kind: str


def read_constraints(source: str | os.PathLike[str] | Iterable[Mapping[str, Any]]) -> list[Constraint]:
    """Read constraints from a CSV file or from mappings with a, b and kind."""
    if not isinstance(source, str | os.PathLike):
        return [_constraint(_mapping(row, number), f"constraint {number}") for number, row in enumerate(source, 1)]
    path = Path(source)
    try:
        with path.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            missing = {"a", "b", "kind"} - set(rows.fieldnames or ())
            if missing:
                raise InputError(f"{path} has no column {', '.join(sorted(missing))}: constraints are a,b,kind")
            return [_constraint(row, f"{path}, line {rows.line_num}") for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"{path} cannot be read as constraints: {problem}") from None


def resolve_constraints(constraints: Sequence[Constraint], documents: Documents) -> tuple[Constraints, tuple[str, ...]]:
    """Find the documents that constraints name; return the links by row, and a note if some are not found."""
    names = pa.array([name for constraint in constraints for name in (constraint.a, constraint.b)], pa.string())
    rows = pc.index_in(names, value_set=documents.id_column().combine_chunks()).to_pylist()
    known: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    for constraint, a, b in zip(constraints, rows[::2], rows[1::2], strict=True):
        if a is not None and b is not None:
            known[constraint.kind].append((a, b))
    unknown = len(constraints) - sum(map(len, known.values()))
    note = f"{unknown} of {len(constraints)} constraints name documents that are not in the collection"
    return Constraints(**{kind: tuple(pairs) for kind, pairs in known.items()}), (note,) if unknown else ()


def _mapping(row: Any, number: int) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise InputError(f"constraint {number} is {type(row).__name__}, but must be a mapping with a, b and kind")
    return row


def _constraint(row: Mapping[str | Any, Any], where: str) -> Constraint:
    kind = str(row.get("kind") or "").strip().lower()
    if kind not in KINDS:
        raise InputError(f"{where}: kind is {row.get('kind')!r}, but must be one of {', '.join(KINDS)}")
    if row.get("a") in (None, "") or row.get("b") in (None, ""):
        raise InputError(f"{where}: a constraint names two documents, a and b")
    return Constraint(str(row["a"]), str(row["b"]), kind)
