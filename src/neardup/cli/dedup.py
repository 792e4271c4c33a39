"""`neardup dedup`: write a collection without its duplicates, in its own format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from rich.console import RenderableType
from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.find import DONE, UNREADABLE, exit_code, print_notes
from neardup.cli.options import Detection, Inputs, Quiet, takes_detection
from neardup.cli.passages import MaxDocuments, MinWords, Similarity, parse_limit
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.errors import SettingsError
from neardup.records import Passages, Result
from neardup.report import render_passage_summary, render_summary
from neardup.report.layout import format_count

UNUSED = {"method": "auto", "engine": "local"}
"""The values of options that dedup --passages does not use."""


@takes_detection
def dedup(  # noqa: PLR0913 - one parameter per option
    inputs: Inputs,
    detection: Detection,
    *,
    output: Annotated[
        Path, Option("--output", "-o", metavar="OUT", show_default=False, help="The file or folder to write.")
    ],
    fail_on_duplicates: Annotated[
        bool, Option("--fail-on-duplicates", help="Exit with 1 if there were duplicates.")
    ] = False,
    passages: Annotated[
        bool, Option("--passages", help="Remove repeated passages from the texts instead of whole documents.")
    ] = False,
    min_words: MinWords = 25,
    similarity: Similarity = 1.0,
    max_documents: MaxDocuments = None,
    mask: Annotated[
        str | None, Option(metavar="TEXT", help="Replace repeated passages by this text instead of cutting them.")
    ] = None,
    shortest: Annotated[
        int, Option(metavar="N", min=0, help="Report documents with fewer words left by --passages as too short.")
    ] = 5,
    drop_short: Annotated[
        bool, Option("--drop-short", help="Drop the documents that --passages makes too short.")
    ] = False,
    manifest: Annotated[
        Path | None, Option(metavar="FILE", help="Write what --passages removed to this Parquet file.")
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Write a collection without its duplicates.

    INPUT is a file, a folder or a glob. The documents that are kept are written to OUT, unchanged and in the format of
    the input. With --passages no document is compared as a whole: text that an earlier document has as well is cut.
    """
    if passages:
        removal = {"mask": mask, "shortest": shortest, "drop_short": drop_short, "manifest": manifest}
        what = {"min_words": min_words, "similarity": similarity, "max_documents": parse_limit(max_documents)}
        return _dedup_passages(inputs, output, detection, what | removal, quiet=quiet)
    if mask is not None or drop_short or manifest is not None:
        raise SettingsError("--mask, --drop-short and --manifest belong to --passages: add it, or leave them out")
    arguments = detection.reading() | detection.finding()
    with show_progress(quiet=quiet) as progress:
        result = api.dedup([Path(name) for name in inputs], output, progress=progress, **arguments)
    written_paths.append(str(output))
    if not quiet:
        print_notes(result)
        print_output(render_summary(result), Text(), *_count_kept(result, detection), f"Written: {output}")
    return exit_code(result, fail_on_duplicates=fail_on_duplicates)


def _dedup_passages(
    inputs: list[str], output: Path, detection: Detection, options: dict[str, Any], *, quiet: bool
) -> int:
    given = {name for name, value in detection.finding().items() if value not in (None, *UNUSED.values())}
    if given - {"keep", "threads"}:
        raise SettingsError(f"--passages does not use {', '.join(sorted(given - {'keep', 'threads'}))}: leave it out")
    keep: Any = detection.keep
    with show_progress(quiet=quiet) as progress:
        found = api.dedup_passages(
            [Path(name) for name in inputs],
            output,
            keep=keep,
            threads=detection.threads,
            progress=progress,
            **detection.reading(),
            **options,
        )
    written_paths.append(str(output))
    if options["manifest"] is not None:
        written_paths.append(str(options["manifest"]))
    if not quiet:
        print_output(*_describe_removal(found), *(f"Written: {path}" for path in written_paths))
    return UNREADABLE if found.summary["counts"].get("unreadable") else DONE


def _describe_removal(found: Passages) -> Iterator[RenderableType | str]:
    counts = found.summary["counts"]
    yield from dict.fromkeys(found.summary.get("notes") or ())
    yield Text()
    yield render_passage_summary(found)
    yield Text()
    yield (
        f"{format_count(counts['removed_stretches'], 'repetition')} removed from "
        f"{format_count(counts['changed_documents'], 'document')}, {counts['removed_characters']:,} characters"
    )
    if counts["too_short"]:
        what = "dropped" if counts["removed"] else "kept, with what is left of them"
        yield f"{format_count(counts['too_short'], 'document')} became too short: {what}"


def _count_kept(result: Result, detection: Detection) -> Iterator[str]:
    counts = result.summary.get("counts") or {}
    if "kept" in counts:
        yield f"{counts['kept']:,} kept, {counts['removed']:,} removed"
    elif detection.against is None:
        # With --against, the result also contains the other collection's documents, and the flags do not tell which.
        yield f"{int(result.kept.sum()):,} kept, {int((~result.kept).sum()):,} removed"
