"""`neardup export`: export a run as CSV, JSON lines or a workbook."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import print_output, written_paths
from neardup.report import check_export, write_export


def export(
    run: Run,
    output: Annotated[
        str,
        Option(
            "--output",
            "-o",
            metavar="FILE",
            show_default=False,
            help="The file to write: .csv, .jsonl, .xlsx, or a folder.",
        ),
    ],
) -> int:
    """Export a run as CSV, JSON lines or a workbook.

    RUN is a folder written by neardup find -o or neardup passages -o. A CSV or JSON lines file contains the documents
    or the passages. A workbook or a folder of CSV files also contains the clusters and the pairs, or the occurrences.
    """
    check_export(output)
    written_paths.extend(map(str, write_export(api.load(run), output)))
    print_output(*(f"Written: {path}" for path in written_paths))
    return 0
