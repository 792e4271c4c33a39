"""`neardup find`: find clusters of near-duplicates, print them, and save them in a run folder."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.options import Detection, Inputs, Quiet, takes_detection
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.records import Result, check_run_folder
from neardup.report import check_export, render_clusters, render_summary, write_export

DONE, DUPLICATES, UNREADABLE = 0, 1, 3
SHOWN = 10


@takes_detection
def find(
    inputs: Inputs,
    detection: Detection,
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="RUN", help="The folder to save the result in.")
    ] = None,
    export: Annotated[
        str | None, Option(metavar="FILE", help="Also export to .csv, .jsonl, .xlsx, or a folder.")
    ] = None,
    fail_on_duplicates: Annotated[
        bool, Option("--fail-on-duplicates", help="Exit with 1 if there are duplicates.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Find texts of the same origin and group them.

    INPUT is a file, a folder or a glob in any supported format, or - for standard input; it may be repeated. Without -o
    the clusters are printed and nothing is saved.
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
            written_paths.append(str(result.save(output)))
        if export is not None:
            progress("export", 0, None)
            written_paths.extend(map(str, write_export(result, export)))
    if not quiet:
        _show(result, output)
    return exit_code(result, fail_on_duplicates=fail_on_duplicates)


def exit_code(result: Result, *, fail_on_duplicates: bool) -> int:
    """Return the exit code; duplicates under --fail-on-duplicates take precedence over unreadable inputs."""
    counts = result.summary.get("counts") or {}
    if fail_on_duplicates and counts.get("duplicates"):
        return DUPLICATES
    return UNREADABLE if counts.get("unreadable") else DONE


def print_notes(result: Result) -> None:
    """Print the notes of a run, each once."""
    notes = dict.fromkeys(result.summary.get("notes") or ())
    if notes:
        print_output(*notes, Text())


def _show(result: Result, output: Path | None) -> None:
    print_notes(result)
    clusters = render_clusters(result, SHOWN)  # first, so that the summary includes the time spent on explaining
    print_output(render_summary(result), Text(), clusters, Text())
    for path in written_paths:
        print_output(f"Written: {path}")
    if output is None:
        print_output("Nothing was saved: use -o RUN to save the result in a folder.")
    elif len(result.clusters):
        print_output(f"Next: neardup show {quote(str(output))} {quote(result.clusters[0].id)}")
