"""Show the clusters of a result in the terminal: the largest as a list, or one with what each member changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from difflib import get_close_matches
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from neardup.errors import InputError
from neardup.printable import make_printable, one_line
from neardup.records import RELATIONS, Cluster, Member, Result
from neardup.report.layout import (
    ADDED,
    MOVED,
    QUIET,
    REMOVED,
    Surface,
    View,
    columns,
    format_count,
    format_share,
    headed,
    heading,
    indented,
)
from neardup.report.overlaps import render_overlaps

EXACT = "exact"
SLOTS = re.compile(r"\{[…+]\}")
FIGURES = ("texts", "distinct", "weakest")
IDS_ON_A_LINE = 5
NARROWEST_EXCERPT = 36
LISTED_CHARACTERS = 120
SHOWN_CHARACTERS = 1000
TEMPLATE_CHARACTERS = 600


def render_clusters(result: Result, limit: int | None = 10) -> RenderableType:
    """Return the largest clusters as a list, or all of them if the limit is None."""
    table = result.table("clusters")
    rows = table.slice(0, limit).to_pylist()
    if not rows:
        none_found = "No clusters: no two texts are similar enough."
        return Text(none_found if len(result.labels) else "There is nothing to compare.")
    more = table.num_rows - len(rows)
    parts: list[RenderableType] = [
        heading("Largest clusters" if more else "Clusters"),
        Text(),
        View(lambda surface: indented(_list_clusters(rows, surface))),
    ]
    if more:
        parts += [Text(), Text(f"  and {more:,} more", QUIET)]
    return Group(*parts)


def _list_clusters(rows: list[dict[str, Any]], surface: Surface) -> Table:
    """List the clusters, with the excerpt next to the id where both fit, else below it."""
    headings = FIGURES if surface.width >= 50 else FIGURES[:1]
    figures = [
        (f"{row['size']:,}", f"{row['distinct']:,}", format_share(row["weakest"]))[: len(headings)] for row in rows
    ]
    names = [Text(make_printable(row["cluster"])) for row in rows]
    below = surface.width - 2 - sum(2 + max(map(len, column)) for column in zip(headings, *figures, strict=True))
    alongside = below - 2 - max(len("cluster"), *(name.cell_len for name in names))
    fits = alongside >= NARROWEST_EXCERPT
    table = headed(*headings)
    table.add_column("cluster", overflow="fold")
    if fits:
        table.add_column("begins with", no_wrap=True)
    for row, figure, name in zip(rows, figures, names, strict=True):
        text = Text(one_line(row["excerpt"] or "", LISTED_CHARACTERS), QUIET)
        text.truncate(alongside if fits else max(below, 1), overflow="ellipsis")
        table.add_row(*map(Text, figure), *([name, text] if fits else [Group(name, text)]))
    return table


def render_cluster(
    result: Result, cluster_id: str, texts: Mapping[str, str] | None = None, *, limit: int | None = 20
) -> RenderableType:
    """Return one cluster with what each member changed; `cluster_id` is its id or the id of any member.

    With `texts` (by id) the reference copy is shown in full. `limit` is the number of members to show.
    """
    row = _find_cluster(result, cluster_id)
    cluster = result.clusters[row]
    head = result.table("clusters").slice(row, 1).to_pylist()[0]
    text = (texts or {}).get(cluster.reference)
    parts: list[RenderableType] = [
        heading(f"Cluster {make_printable(cluster.id)}"),
        Text(_describe(head), QUIET),
        Text(),
        *_show_reference(cluster, text, head["template"] or "", limit),
        *_show_points(cluster, limit),
        Text(),
        indented(_count_relations(cluster)),
        Text(),
        indented(_list_members(cluster, limit)),
        *render_overlaps(result, cluster.id, None if cluster_id == cluster.id else cluster_id, limit),
    ]
    return Group(*parts)


def _show_reference(cluster: Cluster, text: str | None, template: str, limit: int | None) -> Iterator[RenderableType]:
    """Show the full text where it is given and the template where members differ, else the excerpt.

    Of a campaign without an original, the consensus is shown in place of the text of the reference.
    """
    varies = SLOTS.search(template) is not None
    if cluster.consensus is not None:
        yield Text("Consensus: what most members keep; none of them is the original", QUIET)
        text = cluster.consensus if text is not None or limit is None else None
    if text is not None:
        yield indented(Text(make_printable(text)))
    elif not varies:
        yield indented(Text(one_line(cluster.excerpt or "", SHOWN_CHARACTERS)))
    if text is not None and varies:
        yield Text()
    if varies:
        shown = Text(make_printable(template) if limit is None else one_line(template, TEMPLATE_CHARACTERS))
        shown.highlight_regex(SLOTS, MOVED)
        yield Text("Template: {…} changed or removed, {+} inserted, by many members", QUIET)
        yield indented(shown)


def _show_points(cluster: Cluster, limit: int | None) -> Iterator[RenderableType]:
    """List the passages of a menu with the number of members that have each."""
    if not cluster.points:
        return
    counts = Counter(point for member in cluster.members for point in member.points)
    table = columns()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    for number, text in enumerate(cluster.points[:limit], 1):
        table.add_row(Text(f"{number}"), Text(f"{counts[number]:,}", QUIET), Text(one_line(text, LISTED_CHARACTERS)))
    yield Text()
    yield Text("A menu: members choose from these points (number, members, text)", QUIET)
    yield indented(table)


def _find_cluster(result: Result, name: str) -> int:
    names = result.table("clusters")["cluster"]
    row = int(pc.index(names, pa.scalar(name, names.type)).as_py())
    if row >= 0:
        return row
    ids = result.documents["id"]
    document = int(pc.index(ids, pa.scalar(name, ids.type)).as_py())
    if document < 0:
        close = get_close_matches(name, names.slice(0, 10_000).to_pylist(), n=3)
        hint = f" (did you mean {' or '.join(close)}?)" if close else ""
        raise InputError(f"no cluster or document has the id {name}{hint}")
    own = result.documents["cluster"][document].as_py()
    row = int(pc.index(names, pa.scalar(own, names.type)).as_py()) if own is not None else -1
    if row < 0:
        raise InputError(f"the document {name} is in no cluster: no other text is similar enough")
    return row


def _describe(head: Mapping[str, Any]) -> str:
    facts = [format_count(head["size"], "text"), f"{head['distinct']:,} distinct"]
    if head["weakest"] is not None:
        facts.append(f"weakest similarity {format_share(head['weakest'])}")
    first, last = head["first_time"], head["last_time"]
    if first is not None:
        facts.append(_format_time(first) if last in (None, first) else f"{_format_time(first)} to {_format_time(last)}")
    return ", ".join(facts)


def _format_time(time: datetime) -> str:
    return f"{time:%Y-%m-%d}" if (time.hour, time.minute, time.second) == (0, 0, 0) else f"{time:%Y-%m-%d %H:%M}"


def _count_relations(cluster: Cluster) -> Text:
    counts = Counter(member.relation for member in cluster.members[1:])
    ordered = sorted(counts, key=lambda name: (RELATIONS.index(name) if name in RELATIONS else 99, name))
    return Text("   ").join(Text.assemble(f"{counts[name]:,} ", (make_printable(name), QUIET)) for name in ordered)


def _list_members(cluster: Cluster, limit: int | None) -> RenderableType:
    reference, *others = cluster.members
    copies = [member for member in others if _is_copy(member)]
    changed = sorted(
        (member for member in others if not _is_copy(member)), key=lambda member: -(member.similarity or 0)
    )
    table = columns()
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    if cluster.consensus is None:
        table.add_row(Text("reference", QUIET), Text(make_printable(reference.id), "bold"))
    else:
        table.add_row(Text("nearest", QUIET), Group(*_show_changes(reference)))
    if copies:
        table.add_row(Text("exact", QUIET), _list_ids(copies))
    for member in changed[:limit]:
        table.add_row(Text(format_share(member.similarity)), Group(*_show_changes(member)))
    if limit is not None and len(changed) > limit:
        table.add_row(Text(), Text(f"and {len(changed) - limit:,} more", QUIET))
    return table


def _is_copy(member: Member) -> bool:
    return member.relation == EXACT and not member.added and not member.removed


def _list_ids(members: list[Member]) -> Text:
    named = ", ".join(make_printable(member.id) for member in members[:IDS_ON_A_LINE])
    rest = len(members) - IDS_ON_A_LINE
    return Text.assemble(named, (f" and {rest:,} more", QUIET) if rest > 0 else "")


def _show_changes(member: Member) -> Iterator[RenderableType]:
    facts = [make_printable(member.relation)]
    if member.points:
        facts.append(f"points {', '.join(map(str, member.points))}")
    if member.also:
        facts.append(f"also in {', '.join(map(make_printable, member.also))}")
    yield Text.assemble(make_printable(member.id), "  ", ("; ".join(facts), QUIET))
    changes = Table.grid(padding=(0, 1, 0, 0))
    for mark, text, style in (("+", member.added, ADDED), ("-", member.removed, REMOVED)):
        if text:
            changes.add_row(Text(mark, style), Text(one_line(text, SHOWN_CHARACTERS), style))
    if changes.row_count:
        yield changes
