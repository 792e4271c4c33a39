"""The vocabulary: what goes into a run (Documents) and what comes out (Result, Cluster, Member), and the run folder.

A Result holds Arrow tables that are made when first asked for; only `labels` is always there. `save` writes the folder
beside its place and renames it, so that an interrupted run leaves nothing half-written.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from neardup.errors import FormatError
from neardup.outputs import check_folder, replacing_folder

RUN_FORMAT = 1

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
"""How a member relates to the reference copy of its cluster; a document without a cluster is `unique`."""

OK, EMPTY, UNREADABLE, TOO_SHORT = "ok", "empty", "unreadable", "too_short"

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
    ]
)

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
    ]
)

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
"""Only where clusters overlap."""


@dataclass(frozen=True, slots=True)
class Documents:
    """A collection in input order, column by column; what is not known of any document is None.

    `texts` is a list of strings or an Arrow large_string column with null where a record could not be read. Ids are
    unique strings; without them the position is the id. `attributes` holds further columns that some detectors use
    (sender, receiver, docket, topic, relayer); `notes` is what the reader guessed, in plain sentences; `seconds` is how
    long reading took.
    """

    texts: list[str] | pa.ChunkedArray
    ids: pa.ChunkedArray | None = None
    times: pa.ChunkedArray | None = None
    statuses: pa.ChunkedArray | None = None
    html: npt.NDArray[np.bool_] | None = None
    attributes: pa.Table | None = None
    inputs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def __len__(self) -> int:
        return len(self.texts)

    def id_column(self) -> pa.ChunkedArray:
        """Return the ids as a column, made from the positions when the input had none."""
        if self.ids is not None:
            return self.ids
        return pa.chunked_array([pc.cast(pa.array(np.arange(len(self))), pa.string())])

    def text(self, position: int) -> str:
        """Return one text; the empty string where it could not be read."""
        item = self.texts[position]
        return item if isinstance(item, str) else (item.as_py() or "")


@dataclass(frozen=True, slots=True)
class Member:
    """One document of a cluster and how it differs from the reference copy."""

    id: str
    relation: str
    similarity: float
    added: str
    removed: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts of one origin: the id of the reference copy, and all members with it, the reference first."""

    id: str
    reference: str
    members: tuple[Member, ...]
    excerpt: str

    def __len__(self) -> int:
        return len(self.members)


class Clusters(Sequence[Cluster]):
    """The clusters of a result, largest first, each built from the tables when it is looked at.

    Where clusters overlap, `memberships` says who belongs to which; a member whose largest cluster is another has its
    relation and similarity from there, and what it added and removed is not known.
    """

    def __init__(self, clusters: pa.Table, documents: pa.Table, memberships: pa.Table | None = None) -> None:
        self._clusters = clusters
        self._documents = documents
        self._memberships = memberships
        names = clusters["cluster"].combine_chunks()
        rows, codes = _find_members(documents["cluster"], names)
        self._places = np.full(len(rows), -1, np.int64)
        if memberships is not None and memberships.num_rows:
            others = ~np.isin(codes, np.unique(pc.index_in(memberships["cluster"], value_set=names).to_numpy()))
            ids = documents["id"].combine_chunks()
            members = pc.index_in(memberships["id"], value_set=ids).to_numpy(zero_copy_only=False)
            places = np.arange(memberships.num_rows)
            rows = np.concatenate([rows[others], members])
            listed = pc.index_in(memberships["cluster"], value_set=names).to_numpy(zero_copy_only=False)
            codes = np.concatenate([codes[others], listed])
            self._places = np.concatenate([self._places[others], places])
        by_cluster = np.argsort(codes, kind="stable")
        self._rows = rows[by_cluster]
        self._places = self._places[by_cluster]
        self._starts = np.concatenate([[0], np.cumsum(clusters["size"].to_numpy())]).astype(np.int64)

    def __len__(self) -> int:
        return int(self._clusters.num_rows)

    @overload
    def __getitem__(self, index: int) -> Cluster: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cluster]: ...
    def __getitem__(self, index: int | slice) -> Cluster | Sequence[Cluster]:
        """Build the cluster at this place, or those of a slice."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        head = self._clusters.slice(index, 1).to_pylist()[0]
        members = self._members(slice(self._starts[index], self._starts[index + 1]), head["cluster"])
        return Cluster(head["cluster"], members[0].id, tuple(members), head["excerpt"])

    def _members(self, span: slice, cluster: str) -> list[Member]:
        """Build the members of a cluster, the reference first."""
        rows = self._documents.take(pa.array(self._rows[span])).to_pylist()
        if self._memberships is not None and span.stop > span.start and self._places[span.start] >= 0:
            for row, known in zip(rows, self._memberships.take(pa.array(self._places[span])).to_pylist(), strict=True):
                if row["cluster"] != cluster:
                    row |= {"added": "", "removed": ""}
                row |= {"relation": known["relation"], "similarity": known["similarity"]}
        rows.sort(key=lambda row: row["relation"] != "reference")
        return [Member(r["id"], r["relation"], r["similarity"], r["added"] or "", r["removed"] or "") for r in rows]

    def __iter__(self) -> Iterator[Cluster]:
        return (self[i] for i in range(len(self)))


def _find_members(column: pa.ChunkedArray, names: pa.Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows whose name is among the names, and its place there."""
    rows = np.flatnonzero(pc.is_in(column, value_set=names).to_numpy(zero_copy_only=False))
    codes = pc.index_in(column.take(pa.array(rows)), value_set=names)
    return rows, codes.to_numpy(zero_copy_only=False)


class Result:
    """What a run found: labels at once, tables when first asked for.

    `tables` maps `documents`, `clusters` and `pairs` to a table or to a function that makes it; `run` is what goes into
    run.json, with functions for the parts that are only computed on demand (the recall audit).
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
        """Return the named table of the run, making it if need be."""
        table = self._tables[name]
        if callable(table):
            with self._timed("explain"):
                table = self._tables[name] = table()
        return table

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that there are."""
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
        """Which documents stay when duplicates go: the reference of each cluster, and whatever has no duplicate."""
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
        """Counts, timings, peak memory and settings: what run.json holds; the recall audit once it was asked for."""
        return {name: value for name, value in self._run.items() if not callable(value)}

    def save(self, folder: str | os.PathLike[str]) -> Path:
        """Write the run folder, all or nothing, and return its path."""
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
        """Add what is done to the seconds of a stage."""
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
    """Open a run folder that `save` wrote; a folder of another format version is refused."""
    path = Path(folder)
    try:
        run = json.loads((path / "run.json").read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise FormatError(
            f"{path} is not a run folder: it has no run.json (neardup find INPUT -o RUN makes one)"
        ) from None
    except (OSError, ValueError) as problem:
        raise FormatError(f"{path / 'run.json'} cannot be read: {problem}") from None
    if not isinstance(run, dict) or run.get("format") != RUN_FORMAT:
        found = run.get("format") if isinstance(run, dict) else None
        raise FormatError(f"{path} has run format {found}, this version reads {RUN_FORMAT}: run neardup find again")
    tables = {file.stem: _read_table(file) for file in sorted(path.glob("*.parquet"))}
    optional = {name: schema for name, schema in OPTIONAL_TABLES.items() if name in tables}
    for name, schema in (TABLES | optional).items():
        if name not in tables or not set(schema.names) <= set(tables[name].schema.names):
            raise FormatError(f"{path / name}.parquet is missing or lacks columns: run neardup find again")
    return Result(number_by_appearance(tables["documents"]["cluster"]), tables, run)


def number_by_appearance(names: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Number equal names 0, 1, … in the order of their first appearance; every null is its own."""
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


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of the alignment of two texts: `equal`, `added`, `removed`, `replaced`, `moved` or `repeated`.

    Offsets are code points in the original texts; what a kind does not have on one side is empty there, at the place
    where it would stand.
    """

    kind: str
    a_start: int
    a_end: int
    b_start: int
    b_end: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts side by side: how b relates to a, every similarity by name, and the changes in reading order."""

    a: str
    b: str
    relation: str
    similarities: Mapping[str, float]
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a text: its offsets, in code points of the original, and its words as they are compared."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Concept:
    """Documents that share `units` description units which no other document has all of.

    `own` are those among them that no smaller concept has. `passages` is the text that all of them share, as it stands
    in the first one; `gained` is what of it those of no larger concept share.
    """

    documents: tuple[str, ...]
    own: tuple[str, ...]
    units: int
    passages: tuple[Passage, ...]
    gained: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Lattice:
    """The concepts of a cluster by falling number of texts, and which lie next above which.

    `covers` holds numbers of concepts: one, and the next larger. `left_out` are the documents with which there would be
    more concepts than the limit allows.
    """

    reference: str
    concepts: tuple[Concept, ...]
    covers: tuple[tuple[int, int], ...]
    left_out: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the lattice as dictionaries and lists."""
        return asdict(self)


def check_run_folder(folder: str | os.PathLike[str]) -> Path:
    """Say before the work is done if the run could not be saved there; an older run is replaced, nothing else."""
    return check_folder(folder, "the run", _refuse_to_replace)


def _refuse_to_replace(folder: Path) -> str | None:
    return None if (folder / "run.json").exists() else "holds something else than a run"
