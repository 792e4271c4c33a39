"""Show the summary of a run in the terminal: what was read and found, by which method, and at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from neardup.printable import make_printable
from neardup.records import Result
from neardup.report.layout import (
    QUIET,
    columns,
    format_bytes,
    format_count,
    format_seconds,
    format_share,
    heading,
    indented,
)
from neardup.report.overlaps import count_overlaps

Row = tuple[str, str, str]


def render_summary(result: Result) -> RenderableType:
    """Return the summary: a sentence, and a table of figures with a remark on each."""
    summary = result.summary
    counts = summary.get("counts") or {}
    table = columns()
    table.add_column(style=QUIET, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style=QUIET, overflow="fold")
    for name, figure, remark in (*_rows(summary, counts), *_overlaps(result), *_cost(summary)):
        table.add_row(Text(name), Text(make_printable(figure)), Text(make_printable(remark)))
    return Group(heading(_sentence(result, counts)), Text(), indented(table))


def _sentence(result: Result, counts: Mapping[str, int]) -> str:
    documents = format_count(counts.get("documents", len(result.labels)), "document")
    clusters, duplicates = counts.get("clusters", 0), counts.get("duplicates", 0)
    if not clusters:
        return f"{documents}, no duplicates"
    return f"{documents}: {format_count(duplicates, 'duplicate')} in {format_count(clusters, 'cluster')}"


def _rows(summary: Mapping[str, Any], counts: Mapping[str, int]) -> Iterator[Row]:
    yield from _found(counts)
    yield from _audit(summary.get("audit"))
    guards = (summary.get("guards") or {}).items()
    cut_off = [
        f"{'up to ' if name == 'pairs_not_compared' else ''}{number:,} {name.replace('_', ' ')}"
        for name, number in guards
        if number
    ]
    if cut_off:
        yield "guards", "", "cut off: " + ", ".join(cut_off)
    yield "method", str(summary.get("method", "?")), str(summary.get("reason") or "")
    settings = [
        f"{name} {_format(value)}" for name, value in (summary.get("settings") or {}).items() if value is not None
    ]
    if settings:
        yield "settings", "", ", ".join(settings)


def _found(counts: Mapping[str, int]) -> Iterator[Row]:
    if "documents" in counts:
        yield (
            "documents",
            f"{counts['documents']:,}",
            _join(counts, "distinct", "empty", "unreadable", "too_short", "no_content"),
        )
    if counts.get("documents") and "duplicates" in counts:
        share = 100 * counts["duplicates"] / counts["documents"]
        yield "duplicates", f"{counts['duplicates']:,}", f"{share:.1f} % of the documents"
    if "clusters" in counts:
        yield "clusters", f"{counts['clusters']:,}", ""
    if "pairs" in counts:
        # Not "of": pairs of exact copies are verified without being candidates.
        candidates = f"; {format_count(counts['candidates'], 'candidate')} compared" if "candidates" in counts else ""
        yield "pairs", f"{counts['pairs']:,}", f"verified{candidates}"


def _audit(audit: Mapping[str, Any] | None) -> Iterator[Row]:
    if not audit or audit.get("recall") is None:
        return
    remark = "of the true pairs were found"
    if "sampled_documents" in audit:
        remark += f", measured on a sample of {audit['sampled_documents']:,}"
    if audit.get("low") is not None and audit.get("high") is not None:
        remark += f" (95 % interval {format_share(audit['low'], 4)} to {format_share(audit['high'], 4)})"
    yield "recall", format_share(audit["recall"], 4), remark


def _overlaps(result: Result) -> Iterator[Row]:
    if result.memberships is not None and result.memberships.num_rows:
        inside, several = count_overlaps(result.memberships)
        yield "overlap", f"{several:,}", f"of {format_count(inside, 'document')} in clusters are in more than one"


def _cost(summary: Mapping[str, Any]) -> Iterator[Row]:
    seconds = {name: value for name, value in (summary.get("seconds") or {}).items() if isinstance(value, int | float)}
    total = seconds.pop("total", None)
    if total is None:
        total = sum(seconds.values())
    if seconds or total:
        slow = [f"{name} {format_seconds(value)}" for name, value in seconds.items() if value >= 0.001]
        yield "time", format_seconds(total), ", ".join(slow)
    if summary.get("peak_memory_bytes"):
        yield "memory", format_bytes(summary["peak_memory_bytes"]), "at the peak"


def _join(counts: Mapping[str, int], *names: str) -> str:
    return ", ".join(f"{counts[name]:,} {name.replace('_', ' ')}" for name in names if counts.get(name))


def _format(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
