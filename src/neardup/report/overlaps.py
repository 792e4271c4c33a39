"""Show overlapping clusters in the terminal: the clusters of a document, and those a cluster shares members with."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc
from rich.console import RenderableType
from rich.text import Text

from neardup.printable import make_printable
from neardup.records import Result
from neardup.report.layout import QUIET, columns, format_count, format_share, heading, indented


def render_overlaps(result: Result, cluster: str, document: str | None, limit: int | None) -> Iterator[RenderableType]:
    """Yield the clusters that contain a document, and those that share members with a cluster, if there are any.

    `limit` is the number of clusters to show in each list.
    """
    memberships = result.memberships
    if memberships is None:
        return
    sizes = {row["values"]: row["counts"] for row in pc.value_counts(memberships["cluster"]).to_pylist()}
    if document is not None:
        own = memberships.filter(pc.equal(memberships["id"], document))
        if own.num_rows > 1:
            yield from _list_own(own, document, sizes, limit)
    members = memberships["id"].filter(pc.equal(memberships["cluster"], cluster))
    shared = memberships.filter(
        pc.and_(
            pc.is_in(memberships["id"], value_set=members.combine_chunks()),
            pc.not_equal(memberships["cluster"], cluster),
        )
    )
    if shared.num_rows:
        yield from _list_shared(shared["cluster"], sizes, limit)


def count_overlaps(memberships: pa.Table) -> tuple[int, int]:
    """Return how many documents are in a cluster, and how many of these are in more than one."""
    counts = pc.value_counts(memberships["id"].combine_chunks()).field("counts").to_numpy()
    return len(counts), int((counts > 1).sum())


def _list_own(own: pa.Table, document: str, sizes: dict[str, int], limit: int | None) -> Iterator[RenderableType]:
    yield Text()
    yield heading(f"{make_printable(document)} is in {format_count(own.num_rows, 'cluster')}")
    table = columns()
    for row in own.slice(0, limit).to_pylist():
        size, units = format_count(sizes[row["cluster"]], "text"), format_count(row["units"], "unit")
        relation = (
            "its reference"
            if row["relation"] == "reference"
            else f"{row['relation']} {format_share(row['similarity'])}"
        )
        table.add_row(Text(make_printable(row["cluster"])), Text(relation), Text(f"{size} that share {units}", QUIET))
    yield indented(table)
    yield from _count_rest(own.num_rows, limit)


def _list_shared(names: pa.ChunkedArray, sizes: dict[str, int], limit: int | None) -> Iterator[RenderableType]:
    counted = pc.value_counts(names).to_pylist()
    counted.sort(key=lambda row: -row["counts"])  # stable, so the larger of two clusters with the same count is first
    yield Text()
    yield heading(f"Members in common with {format_count(len(counted), 'other cluster')}")
    table = columns()
    for row in counted[:limit]:
        shared = f"{row['counts']:,} of its {format_count(sizes[row['values']], 'text')}"
        table.add_row(Text(make_printable(row["values"])), Text(shared, QUIET))
    yield indented(table)
    yield from _count_rest(len(counted), limit)


def _count_rest(count: int, limit: int | None) -> Iterator[RenderableType]:
    if limit is not None and count > limit:
        yield Text(f"  and {count - limit:,} more", QUIET)
