"""JSON objects and mappings in memory, whose keys are the columns."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pyarrow as pa

from neardup.read.columns.batches import string_array
from neardup.read.columns.plan import Picks, Plan, plan_columns
from neardup.read.reading import Reading


def to_record(value: Any) -> Mapping[str, Any] | None:
    """Return the fields of an object, including those under `attributes`; a string is a text; None if neither.

    The US regulations portal, like other interfaces of the JSON:API kind, returns everything but the id there.
    """
    if isinstance(value, str):
        return {"text": value}
    if not isinstance(value, Mapping):
        return None
    inner = value.get("attributes")
    if isinstance(inner, Mapping) and "id" in value:
        return {**inner, **{key: item for key, item in value.items() if key != "attributes"}}
    return value


def plan_objects(records: Sequence[Mapping[str, Any]], reading: Reading, where: str) -> Plan:
    """Choose the columns from the keys of some records."""
    keys = dict.fromkeys(key for record in records for key in record if isinstance(key, str))
    names = [key for key in keys if key.isprintable()]

    def longest(candidates: Sequence[str]) -> str | None:
        lengths = {
            name: sum(len(value) for record in records if isinstance(value := record.get(name), str))
            for name in candidates
        }
        best = max(lengths, key=lambda name: lengths[name], default=None)
        return best if best is not None and lengths[best] else None

    plan = plan_columns(names, reading, where, longest)
    attributes = {name: picks for name, picks in plan.attributes.items() if _are_strings(records, picks)}
    return replace(plan, attributes=attributes)


def _are_strings(records: Sequence[Mapping[str, Any]], picks: Picks) -> bool:
    values = (record.get(name) for record in records for names in picks for name in names)
    return all(value is None or isinstance(value, str) for value in values)


def make_table(records: Sequence[Mapping[str, Any] | None], names: Sequence[str], counts: dict[str, int]) -> pa.Table:
    """Return some keys of records as a table of strings, null where absent; replaced characters are counted."""
    columns = []
    for name in names:
        values = [None if record is None else spell(record.get(name)) for record in records]
        columns.append(string_array(values, pa.large_string(), counts))
    return pa.table(columns, list(names))


def spell(value: Any) -> str | None:
    """Convert a value of any type to a string; null and NaN give None."""
    match value:
        case None | str():
            spelled = value
        case float():
            whole = value.is_integer() and abs(value) < 2**53
            spelled = None if math.isnan(value) else str(int(value)) if whole else str(value)
        case bytes():
            spelled = value.decode("utf-8", "replace")
        case date():
            spelled = value.isoformat()
        case list() | tuple() if all(isinstance(item, str) for item in value):
            spelled = "\n".join(value)
        case list() | tuple() | Mapping():
            spelled = _dump(value)
        case _:
            spelled = str(value)
    return spelled


def _dump(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, TypeError, ValueError):  # nested too deeply, keys that are not strings, or circular
        return ""


def iterate_in_batches(records: Iterator[Any], size: int) -> Iterator[list[Any]]:
    """Yield the items of an iterator in lists of at most `size`."""
    batch = []
    for record in records:
        batch.append(record)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
