"""The result of a run and the run folder in which it is saved.

A Result holds Arrow tables that are computed when first asked for; only `labels` is always there. `save` writes the
folder under a temporary name and renames it, so that an interrupted run leaves nothing half-written.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from neardup.errors import FormatError
from neardup.outputs import check_folder, replacing_folder
from neardup.records.clusters import Clusters
from neardup.records.schemas import OPTIONAL_TABLES, TABLES

RUN_FORMAT = 1
LATER_COLUMNS = {"documents": ("also", "points"), "clusters": ("consensus", "points")}
"""The columns that version 0.1.0 did not write."""
FORMER_SETTINGS = {"frames": "boilerplate"}
"""Settings that version 0.1 stored under other names."""


class Result:
    """The result of a run: the labels at once, the tables when they are first used.

    `tables` maps `documents`, `clusters` and `pairs` to a table or to a function that computes it. `run` is the content
    of run.json, with functions for the parts that are computed on demand (the recall audit).
    """

    def __init__(
        self,
        labels: npt.NDArray[np.int64],
        tables: Mapping[str, pa.Table | Callable[[], pa.Table]],
        run: Mapping[str, Any],
        kept: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        self.labels = labels
        self._kept = kept
        self._tables = dict(tables)
        self._run = dict(run)

    def table(self, name: str) -> pa.Table:
        """Return a table of the run by name, and compute it if necessary."""
        table = self._tables[name]
        if callable(table):
            with self._timed("explain"):
                table = self._tables[name] = table()
        return table

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables of the run."""
        return tuple(self._tables)

    @property
    def documents(self) -> pa.Table:
        """One row per input document, in input order."""
        return self.table("documents")

    @property
    def pairs(self) -> pa.Table:
        """The verified pairs."""
        return self.table("pairs")

    @cached_property
    def clusters(self) -> Clusters:
        """The clusters of two members or more, largest first."""
        return Clusters(self.table("clusters"), self.documents, self.memberships)

    @property
    def memberships(self) -> pa.Table | None:
        """Which document is in which cluster, where clusters overlap; None where they do not."""
        return self.table("memberships") if "memberships" in self._tables else None

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """A flag per document: true for the reference copy of each cluster and for documents without duplicates."""
        if self._kept is None:
            self._kept = self.documents["reference"].to_numpy(zero_copy_only=False)
        return self._kept

    @property
    def audit(self) -> dict[str, Any] | None:
        """The recall of candidate search, measured on a sample by the exact join; None for exact methods."""
        self._resolve("audit")
        return self._run.get("audit")

    @property
    def summary(self) -> dict[str, Any]:
        """Counts, timings, peak memory and settings, as in run.json; the recall audit once it has been computed."""
        return {name: value for name, value in self._run.items() if not callable(value)}

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the run folder completely or not at all, and return its path."""
        for name in list(self._run):
            self._resolve(name)
        tables = {name: self.table(name) for name in self._tables}
        target = check_run_folder(folder)
        with replacing_folder(target, "the run") as made:
            with self._timed("save"):
                for name, table in tables.items():
                    pq.write_table(table, made / f"{name}.parquet", compression="zstd")
            (made / "run.json").write_text(json.dumps(self._run, indent=2, ensure_ascii=False) + "\n", "utf-8")
        return target

    def count(self, **numbers: int) -> None:
        """Add to the counts of the summary."""
        self._run["counts"] = {**self._run.get("counts", {}), **numbers}

    def _resolve(self, name: str) -> None:
        value = self._run.get(name)
        if callable(value):
            with self._timed(name):
                self._run[name] = value()

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        """Add the time that the block takes to the seconds of a stage."""
        start = time.perf_counter()
        yield
        seconds = self._run.setdefault("seconds", {})
        seconds[stage] = seconds.get(stage, 0.0) + time.perf_counter() - start

    def __repr__(self) -> str:
        counts = self._run.get("counts", {})
        return (
            f"<neardup.Result {self._run.get('method')}: {counts.get('documents', len(self.labels))} documents, "
            f"{counts.get('clusters', '?')} clusters, {counts.get('duplicates', '?')} duplicates>"
        )


def load_result(folder: str | os.PathLike[str]) -> Result:
    """Open a run folder written by `save`; a folder of another format version is refused."""
    path = Path(folder)
    run = read_run(path)
    if run.get("method") == "passages":
        raise FormatError(f"{path} is a run of passages, which has no clusters: name a run of neardup find")
    run["settings"] = rename_settings(run.get("settings") or {})
    tables = read_tables(path, TABLES, OPTIONAL_TABLES)
    return Result(number_by_appearance(tables["documents"]["cluster"]), tables, run)


def read_run(path: Path) -> dict[str, Any]:
    """Read run.json of a run folder; a folder of another format version is refused."""
    try:
        run = json.loads((path / "run.json").read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise FormatError(
            f"{path} is not a run folder: it has no run.json (create one with neardup find INPUT -o RUN)"
        ) from None
    except (OSError, ValueError) as problem:
        raise FormatError(f"{path / 'run.json'} cannot be read: {problem}") from None
    if not isinstance(run, dict) or run.get("format") != RUN_FORMAT:
        found = run.get("format") if isinstance(run, dict) else None
        raise FormatError(f"{path} has run format {found}, this version reads {RUN_FORMAT}: run neardup find again")
    return run


def read_tables(
    path: Path, required: Mapping[str, pa.Schema], optional: Mapping[str, pa.Schema]
) -> dict[str, pa.Table]:
    """Read the tables of a run folder and check that they have their columns.

    Columns that runs of earlier versions do not have are null.
    """
    tables = {file.stem: _read_table(file) for file in sorted(path.glob("*.parquet"))}
    for name in LATER_COLUMNS.keys() & tables.keys():
        tables[name] = _add_columns(tables[name], required[name], LATER_COLUMNS[name])
    present = {name: schema for name, schema in optional.items() if name in tables}
    for name, schema in (dict(required) | present).items():
        if name not in tables or not set(schema.names) <= set(tables[name].schema.names):
            raise FormatError(f"{path / name}.parquet is missing or lacks columns: run neardup again")
    return tables


def _add_columns(table: pa.Table, schema: pa.Schema, names: tuple[str, ...]) -> pa.Table:
    for name in names:
        if name not in table.column_names:
            table = table.append_column(schema.field(name), pa.nulls(table.num_rows, schema.field(name).type))
    return table


def rename_settings(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return stored settings under their present names."""
    return {FORMER_SETTINGS.get(name, name): value for name, value in stored.items()}


def number_by_appearance(names: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Number equal names 0, 1, … in the order of their first appearance; every null gets its own number."""
    codes = names.combine_chunks().dictionary_encode().indices
    numbers = codes.to_numpy(zero_copy_only=False).astype(np.float64)
    lone = np.isnan(numbers)
    numbers[lone] = np.nanmax(numbers, initial=-1) + 1 + np.arange(lone.sum())
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first, kind="stable")] = np.arange(len(first))
    return rank[inverse]


def _read_table(file: Path) -> pa.Table:
    try:
        return pq.read_table(file)
    except (OSError, pa.ArrowInvalid) as problem:
        raise FormatError(f"{file} cannot be read: {problem}") from None


def check_run_folder(folder: str | os.PathLike[str]) -> Path:
    """Raise OutputError if a run cannot be saved to this folder; an existing run may be replaced, nothing else."""
    return check_folder(folder, "the run", _refuse_to_replace)


def _refuse_to_replace(folder: Path) -> str | None:
    return None if (folder / "run.json").exists() else "contains something other than a run"
