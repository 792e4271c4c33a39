"""Figures of a report. Matplotlib is an optional dependency and is imported when a figure is drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

FORMATS = ("png", "svg")

BLUE, ORANGE, GREEN, PINK = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
YELLOW, SKY, BLACK = "#e69f00", "#56b4e9", "#333333"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure by the name of its files; `heading` opens a section of the report before it."""

    name: str
    title: str
    draw: Callable[[], Drawing]
    heading: str = ""

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files, one per format."""
        return tuple(f"{self.name}.{suffix}" for suffix in FORMATS)

    def to_markdown(self) -> Iterator[str]:
        """Yield the lines that show the figure in a report."""
        if self.heading:
            yield from ("", f"## {self.heading}")
        yield from ("", f"![{self.title}]({self.name}.svg)")

    def save(self, folder: Path) -> None:
        """Draw the figure and write its files; the same measurements give the same bytes."""
        import matplotlib as mpl  # noqa: PLC0415 - optional dependency

        drawing = self.draw()
        for name in self.files:
            # A fixed salt and no date make the files reproducible.
            with mpl.rc_context({"svg.hashsalt": "neardup"}):
                drawing.savefig(folder / name, dpi=150, metadata={"Date": None} if name.endswith(".svg") else None)


def can_draw() -> bool:
    """Return whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def make_axes(
    count: int, size: tuple[float, float], *, across: int | None = None, share_y: bool = False
) -> tuple[Drawing, list[Axes]]:
    """Return a drawing of this size in inches with `count` graphs, in rows of `across` (one row if not given)."""
    from matplotlib.figure import Figure as Drawing  # noqa: PLC0415 - optional dependency

    columns = across or count
    drawing = Drawing(figsize=size, layout="constrained")
    graphs = drawing.subplots(-(-count // columns), columns, sharey=share_y, squeeze=False).ravel().tolist()
    for unused in graphs[count:]:
        drawing.delaxes(unused)
    return drawing, graphs[:count]
