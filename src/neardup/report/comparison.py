"""Two texts compared, for the terminal: the measures, the relation, and the differences where they stand.

With colours, what was removed is red and struck through, what was added green, what moved cyan; without colours the
same is marked as [-removed-] {+added+} {~moved~}.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from neardup.records import Comparison
from neardup.report.layout import (
    ADDED,
    MOVED,
    QUIET,
    REMOVED,
    Surface,
    View,
    columns,
    heading,
    indented,
    say_count,
    say_share,
)
from neardup.report.visible import visible

CONTEXT = {"equal": 160, "added": 2000, "removed": 2000, "moved": 400, "repeated": 400}
"""Characters of a stretch that are shown at either end of it."""

STYLES = {"added": ADDED, "removed": f"{REMOVED} strike", "moved": MOVED, "repeated": MOVED}
MARKS = {"added": ("{+", "+}"), "removed": ("[-", "-]"), "moved": ("{~", "~}"), "repeated": ("{=", "=}")}

KIND_IN_B = {"replaced": "added"}

Piece = tuple[str, str]


def render_comparison(comparison: Comparison, *, full: bool = False) -> RenderableType:
    """Return the measures and the woven texts, long equal stretches shortened unless `full` asks for all."""
    table = columns()
    table.add_column(style=QUIET, no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    for name, value in comparison.similarities.items():
        table.add_row(Text(visible(name).replace("_", " ")), Text(say_share(value, 4)))
    return Group(
        heading(visible(comparison.relation).replace("_", " ")),
        Text(),
        indented(table),
        Text(),
        View(lambda surface: indented(_weave(comparison, surface, full))),
    )


def _weave(comparison: Comparison, surface: Surface, full: bool) -> Text:
    woven = Text()
    for kind, text in _pieces(comparison):
        beginning, left_out, end = (text, 0, "") if full else _shorten(text, CONTEXT[kind])
        style = STYLES.get(kind, "") if surface.colour else ""
        before, after = ("", "") if surface.colour else MARKS.get(kind, ("", ""))
        woven.append(before + visible(beginning), style)
        if left_out:
            woven.append(f" … {say_count(left_out, 'character')} … ", QUIET)
        woven.append(visible(end) + after, style)
    return woven


def _shorten(text: str, context: int) -> tuple[str, int, str]:
    """Return the beginning, the number of characters left out, and the end; cut between words where there are any."""
    if len(text) <= 2 * context + 40:
        return text, 0, ""
    beginning, end = text[:context], text[-context:]
    beginning = beginning.rsplit(None, 1)[0] if len(beginning.split()) > 1 else beginning
    end = end.split(None, 1)[1] if len(end.split()) > 1 else end
    return beginning, len(text) - len(beginning) - len(end), end


def _pieces(comparison: Comparison) -> Iterator[Piece]:
    """Yield kind and text of each stretch, set apart by a space where its own text had one and the weaving lost it."""
    previous, previous_kind = "", "equal"
    for kind, source, start, end in _stretches(comparison):
        if end <= start:
            continue
        parted = (start > 0 and source[start - 1].isspace()) or (previous_kind, kind) == ("removed", "added")
        if parted and previous and not (previous[-1].isspace() or source[start].isspace()):
            yield "equal", " "
        previous, previous_kind = source[start:end], kind
        yield kind, previous


def _stretches(comparison: Comparison) -> Iterator[tuple[str, str, int, int]]:
    """Yield kind, text, start and end of each stretch in the order of b, with what no change covers as equal."""
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
