"""Shared parts of the terminal views: layout by the available width, and numbers formatted for reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isnan

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

ADDED, REMOVED, MOVED, QUIET, HEADING = "green", "red", "cyan", "dim", "bold"


@dataclass(frozen=True, slots=True)
class Surface:
    """The output that a view is shown on: its width in cells, and whether it has colours."""

    width: int
    colour: bool


@dataclass(frozen=True, slots=True)
class View:
    """A renderable that is built once its surface is known."""

    build: Callable[[Surface], RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        colour = console.color_system is not None and not console.no_color
        yield self.build(Surface(options.max_width, colour))


def columns() -> Table:
    """Return an empty table without lines, with two cells between columns."""
    return Table(box=None, show_header=False, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))


def headed(*names: str) -> Table:
    """Return an empty table of right-aligned columns with dim headings."""
    table = Table(box=None, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def indented(renderable: RenderableType) -> Padding:
    """Return the renderable indented by two cells."""
    return Padding(renderable, (0, 0, 0, 2), expand=False)


def heading(text: str) -> Text:
    """Return a line in bold."""
    return Text(text, HEADING)


def format_count(number: int, singular: str, plural: str | None = None) -> str:
    """Format a number with its noun: 1 cluster, 2 clusters."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def format_share(value: float | None, digits: int = 2) -> str:
    """Format a similarity or a measure; a dash if it is undefined, and never 1.00 for a value below one."""
    if value is None or isnan(value):
        return "-"
    rounded = f"{value:.{digits}f}"
    return f"{1 - 10**-digits:.{digits}f}" if value < 1 and float(rounded) == 1 else rounded


def format_seconds(seconds: float) -> str:
    """Format a duration."""
    if seconds < 0.095:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


def format_bytes(number: float) -> str:
    """Format an amount of memory."""
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"
