"""What the terminal views share: laying out by the room that there is, and numbers as people read them."""

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
    """Where a view is shown: its width in cells, and whether it has colours."""

    width: int
    colour: bool


@dataclass(frozen=True, slots=True)
class View:
    """A renderable that is laid out once its surface is known."""

    build: Callable[[Surface], RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        colour = console.color_system is not None and not console.no_color
        yield self.build(Surface(options.max_width, colour))


def columns() -> Table:
    """Return an empty table without lines, its columns two cells apart."""
    return Table(box=None, show_header=False, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0))


def headed(*names: str) -> Table:
    """Return an empty table of right-aligned columns under quiet headings."""
    table = Table(box=None, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def indented(renderable: RenderableType) -> Padding:
    """Return the renderable two cells to the right."""
    return Padding(renderable, (0, 0, 0, 2), expand=False)


def heading(text: str) -> Text:
    """Return a line that stands out."""
    return Text(text, HEADING)


def say_count(number: int, thing: str, things: str | None = None) -> str:
    """Return a number with its noun, as in 1 cluster, 2 clusters."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"


def say_share(value: float | None, digits: int = 2) -> str:
    """Return a similarity or a measure; a dash where there is none, and never 1.00 for what is less than one."""
    if value is None or isnan(value):
        return "-"
    said = f"{value:.{digits}f}"
    return f"{1 - 10**-digits:.{digits}f}" if value < 1 and float(said) == 1 else said


def say_seconds(seconds: float) -> str:
    """Return a duration."""
    if seconds < 0.095:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {rest} s"


def say_bytes(number: float) -> str:
    """Return an amount of memory."""
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"
