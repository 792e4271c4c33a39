"""Draw the pictures of the terminal that the pages show, from a real run on an example: `python docs/pictures.py`."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import neardup
from neardup.report import render_cluster
from neardup.report.lattices import to_svg

HERE = Path(__file__).parent
EXAMPLE = HERE.parent / "examples" / "licence_notices.csv"
CLUSTER = "bsd-new_or_gpl-2.0_12"
PAGES = HERE.parent / "examples" / "manual_pages.xml.gz"
PAGE = "13/jit-decision.html"
WIDTH = 96

THEME = TerminalTheme(
    (250, 250, 248),
    (40, 42, 46),
    [
        (40, 42, 46),
        (176, 32, 32),
        (24, 120, 60),
        (150, 110, 0),
        (30, 80, 170),
        (130, 50, 140),
        (0, 120, 130),
        (90, 90, 90),
    ],
)

# The frame of Rich without its web fonts: the picture loads nothing from anywhere.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
<rect fill="#fafaf8" width="100%" height="100%" rx="8"/>{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g></g></svg>
"""


def draw_cluster() -> str:
    """Return what `neardup show RUN CLUSTER` prints on a terminal, as SVG."""
    result = neardup.find(EXAMPLE, threshold=0.7)
    console = Console(
        file=io.StringIO(),
        record=True,
        width=WIDTH,
        force_terminal=True,
        color_system="truecolor",
        highlight=False,
        legacy_windows=False,
        _environ={},
    )
    console.print(f"$ neardup show run {CLUSTER}\n", markup=False)
    console.print(render_cluster(result, CLUSTER))
    picture = console.export_svg(title="", theme=THEME, code_format=FORMAT, unique_id="neardup")
    return re.sub(r"[ \t]+$", "", picture, flags=re.MULTILINE)


def draw_lattice() -> str:
    """Return what `neardup lattice RUN CLUSTER -o lattice.svg` draws."""
    result = neardup.find(PAGES, "concepts", units=0.6)
    return to_svg(neardup.lattice(result, PAGE))


PICTURES = {"show.svg": draw_cluster, "lattice.svg": draw_lattice}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / "pictures" / name).write_text(draw(), "utf-8")
