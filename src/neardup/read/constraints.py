"""Constraints of the user: a CSV with a, b and kind (must, cannot or family), or the same in memory."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neardup.errors import InputError

KINDS = ("must", "cannot", "family")


@dataclass(frozen=True, slots=True)
class Constraint:
    """Two documents by id and what is known of them."""

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


def _mapping(row: Any, number: int) -> Mapping[str, Any]:
    if not isinstance(row, Mapping):
        raise InputError(f"constraint {number} is {type(row).__name__}, but must be a mapping with a, b and kind")
    return row


def _constraint(row: Mapping[str | Any, Any], place: str) -> Constraint:
    kind = str(row.get("kind") or "").strip().lower()
    if kind not in KINDS:
        raise InputError(f"{place}: kind is {row.get('kind')!r}, but must be one of {', '.join(KINDS)}")
    if row.get("a") in (None, "") or row.get("b") in (None, ""):
        raise InputError(f"{place}: a constraint names two documents, a and b")
    return Constraint(str(row["a"]), str(row["b"]), kind)
