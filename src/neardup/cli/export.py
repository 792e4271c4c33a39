"""`neardup export`: a run as CSV, JSON lines or a workbook."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import say, things_written
from neardup.report import check_export, write_export


def export(
    run: Run,
    output: Annotated[
        str,
        Option("--output", "-o", metavar="FILE", show_default=False, help=".csv, .jsonl, .xlsx, or a folder."),
    ],
) -> int:
    """Export a run as CSV, JSON lines or a workbook.

    RUN is the folder that neardup find -o made. A CSV or JSON lines file holds the documents; a workbook, or a folder
    of CSV files, the clusters and the pairs too.
    """
    check_export(output)
    things_written.extend(map(str, write_export(api.load(run), output)))
    say(*(f"Written: {path}" for path in things_written))
    return 0
