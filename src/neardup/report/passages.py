"""Show passages in the terminal: the summary, a list, or one passage with all its occurrences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow.compute as pc
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from neardup.errors import InputError
from neardup.printable import make_printable, one_line
from neardup.records import Passages
from neardup.report.layout import (
    QUIET,
    Surface,
    View,
    columns,
    format_bytes,
    format_count,
    format_seconds,
    format_share,
    headed,
    heading,
    indented,
)

LISTED_CHARACTERS = 200
SHOWN_CHARACTERS = 2000


def render_passage_summary(found: Passages) -> RenderableType:
    """Return the summary: a sentence, and a table of figures with a remark on each."""
    counts = found.summary.get("counts") or {}
    table = columns()
    table.add_column(style=QUIET, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style=QUIET, overflow="fold")
    for name, figure, remark in _figures(found.summary):
        table.add_row(Text(name), Text(make_printable(figure)), Text(make_printable(remark)))
    documents = format_count(counts.get("documents", 0), "document")
    inside = f"{counts.get('documents_with_passages', 0):,} of them share {format_count(len(found), 'passage')}"
    return Group(
        heading(f"{documents}: {inside}" if len(found) else f"{documents}, no passages"), Text(), indented(table)
    )


def _figures(summary: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    counts = summary.get("counts") or {}
    yield "passages", f"{counts.get('passages', 0):,}", format_count(counts.get("occurrences", 0), "occurrence")
    if counts.get("boilerplate"):
        occurrences = format_count(counts.get("boilerplate_occurrences", 0), "occurrence")
        yield "boilerplate", f"{counts['boilerplate']:,}", f"in too many documents, {occurrences} not listed"
    if counts.get("in_too_few_documents"):
        yield "left out", f"{counts['in_too_few_documents']:,}", "in fewer documents than min_documents"
    guards = [
        f"{number:,} {name.replace('_', ' ')}" for name, number in (summary.get("guards") or {}).items() if number
    ]
    if guards:
        yield "guards", "", "cut off: " + ", ".join(guards)
    settings = {name: value for name, value in (summary.get("settings") or {}).items() if value is not None}
    yield "settings", "", ", ".join(f"{name} {value}" for name, value in settings.items())
    seconds = summary.get("seconds") or {}
    yield (
        "time",
        format_seconds(sum(seconds.values())),
        ", ".join(f"{name} {format_seconds(value)}" for name, value in seconds.items() if value >= 0.001),
    )
    if summary.get("peak_memory_bytes"):
        yield "memory", format_bytes(summary["peak_memory_bytes"]), "at the peak"


def render_passages(found: Passages, limit: int | None = 10) -> RenderableType:
    """Return the passages in most documents as a list, or all of them if the limit is None."""
    rows = found.passages.slice(0, limit).to_pylist()
    if not rows:
        return Text(_explain_none(found.summary.get("counts") or {}))
    more = len(found) - len(rows)
    parts: list[RenderableType] = [
        heading("Passages in most documents" if more else "Passages"),
        Text(),
        View(lambda surface: indented(_list(rows, surface))),
    ]
    if more:
        parts += [Text(), Text(f"  and {more:,} more", QUIET)]
    return Group(*parts)


def _explain_none(counts: dict[str, int]) -> str:
    if counts.get("boilerplate") or counts.get("in_too_few_documents"):
        return "No passages to list: all are in too many or too few documents."
    return "No passages: no two places share enough words."


def _list(rows: list[dict[str, Any]], surface: Surface) -> Table:
    names = ("passage", "documents", "places", "words")
    figures = [tuple(f"{row[name]:,}" for name in ("passage", "documents", "occurrences", "words")) for row in rows]
    width = surface.width - 2 - sum(2 + max(map(len, column)) for column in zip(names, *figures, strict=True))
    table = headed(*names)
    table.add_column("begins with", no_wrap=True)
    for row, figure in zip(rows, figures, strict=True):
        text = Text(one_line(row["text"], LISTED_CHARACTERS), QUIET)
        text.truncate(max(width, 1), overflow="ellipsis")
        table.add_row(*map(Text, figure), text)
    return table


def render_passage(found: Passages, passage: str, *, limit: int | None = 20) -> RenderableType:
    """Return one passage with its text and its occurrences; `limit` is the number of occurrences to show."""
    row = _find(found, passage)
    number = row["passage"]
    places = found.occurrences.filter(pc.equal(found.occurrences["passage"], number))
    shown = places.slice(0, limit).to_pylist()
    figures = (
        f"{format_count(row['words'], 'word')}, {format_count(row['occurrences'], 'occurrence')} "
        f"in {format_count(row['documents'], 'document')}"
    )
    text = make_printable(row["text"]) if limit is None else one_line(row["text"], SHOWN_CHARACTERS)
    parts: list[RenderableType] = [
        heading(f"Passage {number}"),
        Text(figures, QUIET),
        Text(),
        indented(Text(text)),
        Text(),
        indented(_list_places(shown)),
    ]
    if places.num_rows > len(shown):
        parts.append(Text(f"  and {places.num_rows - len(shown):,} more", QUIET))
    return Group(*parts)


def _find(found: Passages, passage: str) -> dict[str, Any]:
    rows = found.passages.slice(int(passage) - 1, 1).to_pylist() if passage.isdecimal() and int(passage) else []
    if not rows:
        raise InputError(f"no passage has the number {passage}: the run has {format_count(len(found), 'passage')}")
    first: dict[str, Any] = rows[0]
    return first


def _list_places(rows: list[dict[str, Any]]) -> Table:
    table = headed("start", "end", "similarity")
    table.add_column("document", overflow="fold")
    table.add_column("", style=QUIET)
    for row in rows:
        figures = (f"{row['start']:,}", f"{row['end']:,}", format_share(row["similarity"]))
        table.add_row(*map(Text, figures), Text(make_printable(row["id"])), Text("first" if row["first"] else ""))
    return table
