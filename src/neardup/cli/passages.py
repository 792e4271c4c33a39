"""`neardup passages`: find text that otherwise different documents share."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated, get_args

from rich.text import Text
from typer import Option

from neardup import api
from neardup.cli.options import IdColumn, Inputs, Quiet, Strict, TextColumn, Threads, TimeColumn, parse_value
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.errors import OutputError, SettingsError
from neardup.explain import Keep
from neardup.records import Passages, check_run_folder
from neardup.report import check_export, render_passage_summary, render_passages, write_export

DONE, UNREADABLE = 0, 3
SHOWN = 10

MinWords = Annotated[
    int, Option(metavar="N", min=2, help="The fewest words of a passage; characters in scripts without spaces.")
]
Similarity = Annotated[
    float, Option(metavar="S", min=0.5, max=1, help="The smallest share of equal words; 1 for exact passages only.")
]
MaxDocuments = Annotated[
    str | None,
    Option(metavar="N", help="Passages in more documents, a number or a share below 1, count as boilerplate."),
]
KeepOption = Annotated[
    str | None, Option(metavar="|".join(get_args(Keep)), help="The order in which an occurrence counts as the first.")
]


def passages(  # noqa: PLR0913 - one parameter per option
    inputs: Inputs,
    *,
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="RUN", help="The folder to save the result in.")
    ] = None,
    export: Annotated[
        str | None, Option(metavar="FILE", help="Also export to .csv, .jsonl, .xlsx, or a folder.")
    ] = None,
    min_words: MinWords = 25,
    similarity: Similarity = 0.8,
    against: Annotated[
        str | None, Option(metavar="OTHER", help="Find only what is also in this other collection.")
    ] = None,
    min_documents: Annotated[
        int, Option(metavar="N", min=1, help="Leave out passages in fewer documents; 1 lists repeats in one document.")
    ] = 1,
    max_documents: MaxDocuments = None,
    keep: KeepOption = None,
    text: TextColumn = None,
    id_column: IdColumn = None,
    time: TimeColumn = None,
    strict: Strict = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> int:
    """Find text that otherwise different documents share.

    INPUT is a file, a folder or a glob in any supported format, or - for standard input; it may be repeated. The
    command finds passages that occur in two documents, or twice in one, word for word or with a few words changed.
    Without -o the passages are printed and nothing is saved.
    """
    if output is not None:
        check_run_folder(output)
    if export is not None:
        if Path(export).resolve() in [Path(name).resolve() for name in inputs if Path(name).is_file()]:
            raise OutputError(f"{export} is an input: name another file")
        check_export(export)
    with show_progress(quiet=quiet) as progress:
        found = api.passages(
            [Path(name) for name in inputs],
            min_words=min_words,
            similarity=similarity,
            against=None if against is None else Path(against),
            min_documents=min_documents,
            max_documents=parse_limit(max_documents),
            keep=keep,  # type: ignore[arg-type]  # checked by the settings
            text=text,
            id=id_column,
            time=time,
            strict=strict,
            threads=threads,
            progress=progress,
        )
        if output is not None:
            written_paths.append(str(found.save(output)))
        if export is not None:
            written_paths.extend(map(str, write_export(found, export)))
    if not quiet:
        _show(found, output)
    return UNREADABLE if (found.summary.get("counts") or {}).get("unreadable") else DONE


def parse_limit(given: str | None) -> int | float | None:
    """Parse a number of documents or a share of them."""
    if given is None:
        return None
    value = parse_value(given)
    if isinstance(value, str | bool):
        raise SettingsError(f"--max-documents {given}: expected a number of documents or a share below 1")
    return value


def _show(found: Passages, output: Path | None) -> None:
    notes = dict.fromkeys(found.summary.get("notes") or ())
    if notes:
        print_output(*notes, Text())
    print_output(render_passage_summary(found), Text(), render_passages(found, SHOWN), Text())
    for path in written_paths:
        print_output(f"Written: {path}")
    if output is None:
        print_output("Nothing was saved: use -o RUN to save the result in a folder.")
    elif len(found):
        print_output(f"Next: neardup show {quote(str(output))} 1")
