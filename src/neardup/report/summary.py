"""The summary of a run for the terminal: what was read, what was found, how, at what cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from neardup.records import Result
from neardup.report.layout import (
    QUIET,
    columns,
    heading,
    indented,
    say_bytes,
    say_count,
    say_seconds,
    say_share,
)
from neardup.report.overlaps import count_overlaps
from neardup.report.visible import visible

Row = tuple[str, str, str]


def render_summary(result: Result) -> RenderableType:
    """Return the summary: a sentence, and a table of figures each with its remark."""
    summary = result.summary
    counts = summary.get("counts") or {}
    table = columns()
    table.add_column(style=QUIET, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style=QUIET, overflow="fold")
    for name, figure, remark in (*_rows(summary, counts), *_overlaps(result), *_cost(summary)):
        table.add_row(Text(name), Text(visible(figure)), Text(visible(remark)))
    return Group(heading(_sentence(result, counts)), Text(), indented(table))


def _sentence(result: Result, counts: Mapping[str, int]) -> str:
    documents = say_count(counts.get("documents", len(result.labels)), "document")
    clusters, duplicates = counts.get("clusters", 0), counts.get("duplicates", 0)
    if not clusters:
        return f"{documents}, no duplicates"
    return f"{documents}: {say_count(duplicates, 'duplicate')} in {say_count(clusters, 'cluster')}"


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
    settings = [f"{name} {_say(value)}" for name, value in (summary.get("settings") or {}).items() if value is not None]
    if settings:
        yield "settings", "", ", ".join(settings)


def _found(counts: Mapping[str, int]) -> Iterator[Row]:
    if "documents" in counts:
        yield "documents", f"{counts['documents']:,}", _join(counts, "distinct", "empty", "unreadable", "too_short")
    if counts.get("documents") and "duplicates" in counts:
        share = 100 * counts["duplicates"] / counts["documents"]
        yield "duplicates", f"{counts['duplicates']:,}", f"{share:.1f} % of the documents"
    if "clusters" in counts:
        yield "clusters", f"{counts['clusters']:,}", ""
    if "pairs" in counts:
        # Not "of": the pairs of exact copies were never candidates.
        candidates = f"; {say_count(counts['candidates'], 'candidate')} compared" if "candidates" in counts else ""
        yield "pairs", f"{counts['pairs']:,}", f"verified{candidates}"


def _audit(audit: Mapping[str, Any] | None) -> Iterator[Row]:
    if not audit or audit.get("recall") is None:
        return
    remark = "of the true pairs were found"
    if "sampled_documents" in audit:
        remark += f", measured on a sample of {audit['sampled_documents']:,}"
    if audit.get("low") is not None and audit.get("high") is not None:
        remark += f" (95 % interval {say_share(audit['low'], 4)} to {say_share(audit['high'], 4)})"
    yield "recall", say_share(audit["recall"], 4), remark


def _overlaps(result: Result) -> Iterator[Row]:
    if result.memberships is not None and result.memberships.num_rows:
        inside, several = count_overlaps(result.memberships)
        yield "overlap", f"{several:,}", f"of {say_count(inside, 'document')} in clusters are in more than one"


def _cost(summary: Mapping[str, Any]) -> Iterator[Row]:
    seconds = {name: value for name, value in (summary.get("seconds") or {}).items() if isinstance(value, int | float)}
    total = seconds.pop("total", None)
    if total is None:
        total = sum(seconds.values())
    if seconds or total:
        slow = [f"{name} {say_seconds(value)}" for name, value in seconds.items() if value >= 0.001]
        yield "time", say_seconds(total), ", ".join(slow)
    if summary.get("peak_memory_bytes"):
        yield "memory", say_bytes(summary["peak_memory_bytes"]), "at the peak"


def _join(counts: Mapping[str, int], *names: str) -> str:
    return ", ".join(f"{counts[name]:,} {name.replace('_', ' ')}" for name in names if counts.get(name))


def _say(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
