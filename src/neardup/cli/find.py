"""`neardup find`: from files to clusters, on the screen and in a run folder."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.options import Detection, Inputs, Quiet, takes_detection
from neardup.cli.terminal import say, show_progress, things_written
from neardup.records import Result, check_run_folder
from neardup.report import check_export, render_clusters, render_summary, write_export

DONE, DUPLICATES, UNREADABLE = 0, 1, 3
SHOWN = 10


@takes_detection
def find(
    inputs: Inputs,
    detection: Detection,
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="RUN", help="The folder to keep the result in.")
    ] = None,
    export: Annotated[str | None, Option(metavar="FILE", help="Also export: .csv, .jsonl, .xlsx, or a folder.")] = None,
    fail_on_duplicates: Annotated[
        bool, Option("--fail-on-duplicates", help="Exit with 1 if there are duplicates.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Find the texts of one origin and group them.

    INPUT is a file, a folder or a glob, of any format that can be read, or - for standard input; there may be several.
    Without -o the clusters are shown and nothing is kept.
    """
    settings = detection.finding()
    if output is not None:
        check_run_folder(output)
    if export is not None:
        check_export(export)
    with show_progress(quiet=quiet) as progress:
        result = api.find([Path(name) for name in inputs], progress=progress, **detection.reading(), **settings)
        if output is not None:
            progress("explain and save", 0, None)
            things_written.append(str(result.save(output)))
        if export is not None:
            progress("export", 0, None)
            things_written.extend(map(str, write_export(result, export)))
    if not quiet:
        _show(result, output)
    return exit_code(result, fail_on_duplicates=fail_on_duplicates)


def exit_code(result: Result, *, fail_on_duplicates: bool) -> int:
    """Return what the command ends with: duplicates, where they are asked for, weigh more than unreadable inputs."""
    counts = result.summary.get("counts") or {}
    if fail_on_duplicates and counts.get("duplicates"):
        return DUPLICATES
    return UNREADABLE if counts.get("unreadable") else DONE


def say_notes(result: Result) -> None:
    """Print what was guessed and what else is to be known of a run, each once."""
    notes = dict.fromkeys(result.summary.get("notes") or ())
    if notes:
        say(*notes, Text())


def _show(result: Result, output: Path | None) -> None:
    say_notes(result)
    clusters = render_clusters(result, SHOWN)  # first: what it takes to explain them is in the summary
    say(render_summary(result), Text(), clusters, Text())
    for path in things_written:
        say(f"Written: {path}")
    if output is None:
        say("Nothing was saved: -o RUN keeps the result in a folder.")
    elif len(result.clusters):
        say(f"Next: neardup show {quote(str(output))} {quote(result.clusters[0].id)}")
