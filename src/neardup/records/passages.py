"""The passages of a collection, and the run folder in which they are saved."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.outputs import replacing_folder
from neardup.records.result import Result, check_run_folder, load_result, read_run, read_tables
from neardup.records.schemas import PASSAGE_TABLES

METHOD = "passages"
"""What run.json names as the method of a run of passages."""


class Passages:
    """The passages that documents share: two Arrow tables, and what run.json contains.

    `tables` maps `passages`, `occurrences` and `boilerplate` to their tables.
    """

    def __init__(self, tables: Mapping[str, pa.Table], run: Mapping[str, Any]) -> None:
        self._tables = dict(tables)
        self._run = dict(run)

    @property
    def passages(self) -> pa.Table:
        """One row per passage: in most documents first, then the longest first."""
        return self._tables["passages"]

    @property
    def occurrences(self) -> pa.Table:
        """One row per occurrence of a passage: the first one leads, the others follow in the order of `keep`."""
        return self._tables["occurrences"]

    @property
    def boilerplate(self) -> pa.Table:
        """The passages in more documents than `max_documents`; their occurrences are counted, not listed."""
        return self._tables["boilerplate"]

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of the run."""
        return tuple(self._tables)

    def table(self, name: str) -> pa.Table:
        """Return a table of the run by name."""
        return self._tables[name]

    @property
    def summary(self) -> dict[str, Any]:
        """Counts, timings, peak memory and settings, as in run.json."""
        return dict(self._run)

    def count(self, **numbers: int) -> None:
        """Add to the counts of the summary."""
        self._run["counts"] = {**self._run.get("counts", {}), **numbers}

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the run folder completely or not at all, and return its path."""
        target = check_run_folder(folder)
        with replacing_folder(target, "the run") as made:
            start = time.perf_counter()
            for name, table in self._tables.items():
                pq.write_table(table, made / f"{name}.parquet", compression="zstd")
            self._run["seconds"] = {**self._run.get("seconds", {}), "save": time.perf_counter() - start}
            (made / "run.json").write_text(json.dumps(self._run, indent=2, ensure_ascii=False) + "\n", "utf-8")
        return target

    def __len__(self) -> int:
        return int(self.passages.num_rows)

    def __repr__(self) -> str:
        counts = self._run.get("counts", {})
        return (
            f"<neardup.Passages: {len(self)} passages, {self.occurrences.num_rows} occurrences, "
            f"{counts.get('documents', '?')} documents>"
        )


def load_run(folder: str | os.PathLike[str]) -> Result | Passages:
    """Open a run folder written by `save`: a Result, or Passages if the run was one of passages."""
    path = Path(folder)
    run = read_run(path)
    if run.get("method") != METHOD:
        return load_result(path)
    return Passages(read_tables(path, PASSAGE_TABLES, {}), run)
