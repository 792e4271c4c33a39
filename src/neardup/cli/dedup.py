"""`neardup dedup`: write a collection without its duplicates, in its own format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.find import exit_code, print_notes
from neardup.cli.options import Detection, Inputs, Quiet, takes_detection
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.records import Result
from neardup.report import render_summary


@takes_detection
def dedup(
    inputs: Inputs,
    detection: Detection,
    output: Annotated[
        Path, Option("--output", "-o", metavar="OUT", show_default=False, help="The file or folder to write.")
    ],
    fail_on_duplicates: Annotated[
        bool, Option("--fail-on-duplicates", help="Exit with 1 if there were duplicates.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Write a collection without its duplicates.

    INPUT is a file, a folder or a glob. The documents that are kept are written to OUT, unchanged and in the format of
    the input.
    """
    arguments = detection.reading() | detection.finding()
    with show_progress(quiet=quiet) as progress:
        result = api.dedup([Path(name) for name in inputs], output, progress=progress, **arguments)
    written_paths.append(str(output))
    if not quiet:
        print_notes(result)
        print_output(render_summary(result), Text(), *_count_kept(result, detection), f"Written: {output}")
    return exit_code(result, fail_on_duplicates=fail_on_duplicates)


def _count_kept(result: Result, detection: Detection) -> Iterator[str]:
    counts = result.summary.get("counts") or {}
    if "kept" in counts:
        yield f"{counts['kept']:,} kept, {counts['removed']:,} removed"
    elif detection.against is None:
        # With --against, the result also contains the other collection's documents, and the flags do not tell which.
        yield f"{int(result.kept.sum()):,} kept, {int((~result.kept).sum()):,} removed"
