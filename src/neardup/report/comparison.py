"""Show a comparison of two texts in the terminal: the measures, the relation, and the differences inline.

With colours, removed text is red and struck through, added text is green and moved text is cyan. Without colours the
marks are [-removed-], {+added+} and {~moved~}.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from neardup.printable import make_printable
from neardup.records import Comparison
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
    heading,
    indented,
)

CONTEXT = {"equal": 160, "added": 2000, "removed": 2000, "moved": 400, "repeated": 400}
"""Characters of a passage that are shown at each end of it."""

STYLES = {"added": ADDED, "removed": f"{REMOVED} strike", "moved": MOVED, "repeated": MOVED}
MARKS = {"added": ("{+", "+}"), "removed": ("[-", "-]"), "moved": ("{~", "~}"), "repeated": ("{=", "=}")}

KIND_IN_B = {"replaced": "added"}

Piece = tuple[str, str]


def render_comparison(comparison: Comparison, *, full: bool = False) -> RenderableType:
    """Return the measures and both texts merged into one; long equal passages are shortened unless `full` is set."""
    table = columns()
    table.add_column(style=QUIET, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    for name, value in comparison.similarities.items():
        table.add_row(Text(make_printable(name).replace("_", " ")), Text(format_share(value, 4)))
    return Group(
        heading(make_printable(comparison.relation).replace("_", " ")),
        Text(),
        indented(table),
        Text(),
        View(lambda surface: indented(_merge(comparison, surface, full))),
    )


def _merge(comparison: Comparison, surface: Surface, full: bool) -> Text:
    merged = Text()
    for kind, text in _pieces(comparison):
        beginning, left_out, end = (text, 0, "") if full else _shorten(text, CONTEXT[kind])
        style = STYLES.get(kind, "") if surface.colour else ""
        before, after = ("", "") if surface.colour else MARKS.get(kind, ("", ""))
        merged.append(before + make_printable(beginning), style)
        if left_out:
            merged.append(f" … {format_count(left_out, 'character')} … ", QUIET)
        merged.append(make_printable(end) + after, style)
    return merged


def _shorten(text: str, context: int) -> tuple[str, int, str]:
    """Return the beginning, the number of characters left out, and the end; cut between words if possible."""
    if len(text) <= 2 * context + 40:
        return text, 0, ""
    beginning, end = text[:context], text[-context:]
    beginning = beginning.rsplit(None, 1)[0] if len(beginning.split()) > 1 else beginning
    end = end.split(None, 1)[1] if len(end.split()) > 1 else end
    return beginning, len(text) - len(beginning) - len(end), end


def _pieces(comparison: Comparison) -> Iterator[Piece]:
    """Yield the kind and text of each passage, with a space before it where merging would have lost one."""
    previous, previous_kind = "", "equal"
    for kind, source, start, end in _list_passages(comparison):
        if end <= start:
            continue
        separated = (start > 0 and source[start - 1].isspace()) or (previous_kind, kind) == ("removed", "added")
        if separated and previous and not (previous[-1].isspace() or source[start].isspace()):
            yield "equal", " "
        previous, previous_kind = source[start:end], kind
        yield kind, previous


def _list_passages(comparison: Comparison) -> Iterator[tuple[str, str, int, int]]:
    """Yield the kind, text, start and end of each passage in the order of b; text outside any change is equal."""
    a, b, done = comparison.a, comparison.b, 0
    for change in comparison.changes:
        if change.b_start > done:
            yield "equal", b, done, change.b_start
            done = change.b_start
        if change.kind in ("removed", "replaced"):
            yield "removed", a, change.a_start, change.a_end
        if change.kind != "removed":
            yield KIND_IN_B.get(change.kind, change.kind), b, change.b_start, change.b_end
            done = max(done, change.b_end)
    if len(b) > done:
        yield "equal", b, done, len(b)
