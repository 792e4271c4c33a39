"""Clusters and their members, built from the tables of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc


@dataclass(frozen=True, slots=True)
class Member:
    """One document of a cluster and how it differs from the reference copy or the consensus.

    `also` lists other clusters of which it has a good part, `points` the points of a menu that it has, from 1.
    """

    id: str
    relation: str
    similarity: float
    added: str
    removed: str
    also: tuple[str, ...] = ()
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Cluster:
    """Documents of one origin; the reference copy is the first member and gives the cluster its id.

    Where no document is the original, `consensus` is the text that most members keep, and the reference is the member
    nearest to it. `points` are the passages from which the members choose, if the campaign is a menu.
    """

    id: str
    reference: str
    members: tuple[Member, ...]
    excerpt: str
    consensus: str | None = None
    points: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.members)


class Clusters(Sequence[Cluster]):
    """The clusters of a result, largest first; each is built from the tables when it is accessed.

    Where clusters overlap, `memberships` lists the members of each. The documents table describes a document in its
    largest cluster only; in its other clusters, relation and similarity come from `memberships`, and the added and
    removed text is unknown.
    """

    def __init__(self, clusters: pa.Table, documents: pa.Table, memberships: pa.Table | None = None) -> None:
        self._clusters = clusters
        self._documents = documents
        self._memberships = memberships
        names = clusters["cluster"].combine_chunks()
        rows, codes = _find_members(documents["cluster"], names)
        self._listings = np.full(len(rows), -1, np.int64)
        if memberships is not None and memberships.num_rows:
            others = ~np.isin(codes, np.unique(pc.index_in(memberships["cluster"], value_set=names).to_numpy()))
            ids = documents["id"].combine_chunks()
            members = pc.index_in(memberships["id"], value_set=ids).to_numpy(zero_copy_only=False)
            listings = np.arange(memberships.num_rows)
            rows = np.concatenate([rows[others], members])
            listed = pc.index_in(memberships["cluster"], value_set=names).to_numpy(zero_copy_only=False)
            codes = np.concatenate([codes[others], listed])
            self._listings = np.concatenate([self._listings[others], listings])
        by_cluster = np.argsort(codes, kind="stable")
        self._rows = rows[by_cluster]
        self._listings = self._listings[by_cluster]
        self._starts = np.concatenate([[0], np.cumsum(clusters["size"].to_numpy())]).astype(np.int64)

    def __len__(self) -> int:
        return int(self._clusters.num_rows)

    @overload
    def __getitem__(self, index: int) -> Cluster: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Cluster]: ...
    def __getitem__(self, index: int | slice) -> Cluster | Sequence[Cluster]:
        """Build the cluster at this index, or those of a slice."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if not 0 <= index < len(self):
            raise IndexError(index)
        head = self._clusters.slice(index, 1).to_pylist()[0]
        members = self._members(slice(self._starts[index], self._starts[index + 1]), head["cluster"])
        points = tuple(head.get("points") or ())
        return Cluster(head["cluster"], members[0].id, tuple(members), head["excerpt"], head.get("consensus"), points)

    def _members(self, span: slice, cluster: str) -> list[Member]:
        """Build the members of a cluster, the reference first."""
        rows = self._documents.take(pa.array(self._rows[span])).to_pylist()
        if self._memberships is not None and span.stop > span.start and self._listings[span.start] >= 0:
            for row, known in zip(
                rows, self._memberships.take(pa.array(self._listings[span])).to_pylist(), strict=True
            ):
                if row["cluster"] != cluster:
                    row |= {"added": "", "removed": ""}
                row |= {"relation": known["relation"], "similarity": known["similarity"]}
        rows.sort(key=lambda row: row["relation"] != "reference")
        return [_make_member(row) for row in rows]

    def __iter__(self) -> Iterator[Cluster]:
        return (self[i] for i in range(len(self)))


def _make_member(row: dict[str, Any]) -> Member:
    also, points = tuple(row.get("also") or ()), tuple(row.get("points") or ())
    return Member(row["id"], row["relation"], row["similarity"], row["added"] or "", row["removed"] or "", also, points)


def _find_members(column: pa.ChunkedArray, names: pa.Array) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows whose cluster is among the names, and the index of its name."""
    rows = np.flatnonzero(pc.is_in(column, value_set=names).to_numpy(zero_copy_only=False))
    codes = pc.index_in(column.take(pa.array(rows)), value_set=names)
    return rows, codes.to_numpy(zero_copy_only=False)
