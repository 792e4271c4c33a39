"""`neardup dedup`: a collection without its duplicates, in its own format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.find import exit_code, say_notes
from neardup.cli.options import Detection, Inputs, Quiet, takes_detection
from neardup.cli.terminal import say, show_progress, things_written
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

    INPUT is a file, a folder or a glob; what is kept is written to OUT in its own format and otherwise unchanged.
    """
    arguments = detection.reading() | detection.finding()
    with show_progress(quiet=quiet) as progress:
        result = api.dedup([Path(name) for name in inputs], output, progress=progress, **arguments)
    things_written.append(str(output))
    if not quiet:
        say_notes(result)
        say(render_summary(result), Text(), *_say_kept(result, detection), f"Written: {output}")
    return exit_code(result, fail_on_duplicates=fail_on_duplicates)


def _say_kept(result: Result, detection: Detection) -> Iterator[str]:
    counts = result.summary.get("counts") or {}
    if "kept" in counts:
        yield f"{counts['kept']:,} kept, {counts['removed']:,} removed"
    elif detection.against is None:
        # With another collection its documents are in the result too, and the flags do not say which are whose.
        yield f"{int(result.kept.sum()):,} kept, {int((~result.kept).sum()):,} removed"
