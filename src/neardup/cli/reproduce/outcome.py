"""What every reproduction shows and leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text
from typer import Option

from neardup.cli.terminal import print_output, written_paths
from neardup.errors import MissingExtra
from neardup.records import Documents
from neardup.report.layout import QUIET, headed, heading, indented
from neardup.reproduce.folder import Sheet, can_draw

DONE, UNREADABLE = 0, 3

Output = Annotated[
    Path | None,
    Option(
        "--output", "-o", metavar="FOLDER", show_default=False, help="Where to write; reproduce-PAPER if not given."
    ),
]
Seed = Annotated[int, Option(metavar="N", help="The same seed and texts give the same figures.")]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reproduction gives: tables to show, files, and the documents that it read."""

    sheets: Sequence[Sheet]
    written: Sequence[Path]
    read: Sequence[Documents] = ()


def finish(outcome: Outcome, *, quiet: bool) -> int:
    """Show the tables and say what was written; return the exit code."""
    written_paths.extend(map(str, outcome.written))
    if not quiet:
        for sheet in outcome.sheets:
            print_output(*_show(sheet))
        print_output(*(f"Written: {path}" for path in outcome.written))
    if not can_draw():
        raise MissingExtra("matplotlib", "plots", "the tables are written, but drawing the figures")
    return UNREADABLE if any(documents.counts.get("unreadable") for documents in outcome.read) else DONE


def _show(sheet: Sheet) -> list[RenderableType]:
    table = headed(*sheet.headings)
    for place in (0, 1):
        if any(not cell[:1].isdigit() for cell in (row[place] for row in sheet.rows)):
            table.columns[place].justify = "left"
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return [heading(sheet.title), Text(sheet.note, QUIET), Text(), indented(table), Text()]
