"""`neardup dedup`: a collection without its duplicates, in its own format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.find import exit_code, say_notes
from neardup.cli.options import Detection, Inputs, Quiet, takes_detection
from neardup.cli.terminal import say, show_progress, things_written
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

    INPUT is a file, a folder or a glob; what is kept is written to OUT in its own format and otherwise unchanged.
    """
    arguments = detection.reading() | detection.finding()
    with show_progress(quiet=quiet) as progress:
        result = api.dedup([Path(name) for name in inputs], output, progress=progress, **arguments)
    things_written.append(str(output))
    if not quiet:
        counts = result.summary.get("counts") or {}
        removed = counts.get("removed", counts.get("duplicates", 0))
        kept = counts.get("kept", counts.get("documents", len(result.labels)) - removed)
        say_notes(result)
        say(render_summary(result), Text(), f"{kept:,} kept, {removed:,} removed", f"Written: {output}")
    return exit_code(result, fail_on_duplicates=fail_on_duplicates)
