"""`neardup index`: maintain an index of documents and query it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Inputs, Quiet, split_assignment
from neardup.cli.terminal import print_error, print_output, print_text, show_progress, written_paths
from neardup.errors import InputError
from neardup.index import Changes
from neardup.outputs import check_file
from neardup.records import Documents
from neardup.report.layout import columns, format_bytes, format_count, format_share

DONE, UNREADABLE = 0, 3

Url = Annotated[str, Argument(metavar="INDEX", hidden=True)]
TextColumn = Annotated[str | None, Option("--text", metavar="COLUMN", help="Column of the texts; default: guessed.")]
IdColumn = Annotated[str | None, Option("--id", metavar="COLUMN", help="Column of the ids; default: guessed.")]
TimeColumn = Annotated[str | None, Option("--time", metavar="COLUMN", help="Column of the times; default: guessed.")]
AsJson = Annotated[bool, Option("--json", help="Print the answer as JSON.")]
Ids = Annotated[list[str] | None, Argument(metavar="ID", hidden=True)]
IdFile = Annotated[Path | None, Option("--ids", metavar="FILE", help="Ids, one per line; - is standard input.")]
Assignments = Annotated[
    list[str] | None, Option("--set", metavar="NAME=VALUE", help="A setting of the method; may be repeated.")
]
Limit = Annotated[int | None, Option(metavar="N", min=0, help="The maximum number to show.")]

index = typer.Typer(
    rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@index.callback(invoke_without_command=True)
def describe(context: typer.Context) -> None:
    """Maintain an index of documents and query it for near-duplicates.

    INDEX is a file, or a PostgreSQL database as postgresql://…
    """
    if context.invoked_subcommand is None:
        print_output(context.get_help())
        raise typer.Exit(2)


@index.command()
def build(  # noqa: PLR0913, PLR0917 - one for each option
    url: Url,
    inputs: Inputs,
    method: Annotated[
        str, Option("--method", "-m", metavar="NAME", help="The method; it must compare pairs.")
    ] = "conrad",
    lexicon: Annotated[
        Path | None, Option(metavar="FILE", help="A lexicon to use instead of one learned from INPUT.")
    ] = None,
    assignments: Assignments = None,
    text: TextColumn = None,
    id_column: IdColumn = None,
    time: TimeColumn = None,
    quiet: Quiet = False,
) -> int:
    """Create an index and add documents.

    INPUT is one or more files, folders or globs. The method and its settings cannot be changed later.
    """
    if Path(url).exists():
        raise InputError(f"{url} exists already: neardup index add adds documents to it")
    if "://" not in url:
        check_file(url, "the index to")
    chosen = _settings(assignments, lexicon)
    documents = _read(inputs, text, id_column, time, quiet=quiet)
    with _opened(url, method=method, **chosen) as opened, show_progress(quiet=quiet) as progress:
        changes = opened.add(documents, progress=progress)
        warnings = opened.stats()["warnings"]
    written_paths.append(url)
    return _report(changes, documents, warnings, quiet=quiet)


@index.command()
def add(
    url: Url,
    inputs: Inputs,
    existing: Annotated[
        str, Option(metavar="refuse|skip|replace", help="What to do if an id exists already.")
    ] = "refuse",
    text: TextColumn = None,
    id_column: IdColumn = None,
    time: TimeColumn = None,
    quiet: Quiet = False,
) -> int:
    """Add documents."""
    documents = _read(inputs, text, id_column, time, quiet=quiet)
    with _opened(url, exists=True) as opened, show_progress(quiet=quiet) as progress:
        changes = opened.add(documents, existing=existing, progress=progress)
        warnings = opened.stats()["warnings"]
    return _report(changes, documents, warnings, quiet=quiet)


@index.command()
def update(
    url: Url,
    inputs: Inputs,
    missing: Annotated[str, Option(metavar="refuse|skip|add", help="What to do if an id does not exist.")] = "refuse",
    text: TextColumn = None,
    id_column: IdColumn = None,
    time: TimeColumn = None,
    quiet: Quiet = False,
) -> int:
    """Replace documents by id."""
    documents = _read(inputs, text, id_column, time, quiet=quiet)
    with _opened(url, exists=True) as opened, show_progress(quiet=quiet) as progress:
        changes = opened.update(documents, missing=missing, progress=progress)
        warnings = opened.stats()["warnings"]
    return _report(changes, documents, warnings, quiet=quiet)


@index.command()
def remove(
    url: Url,
    ids: Ids = None,
    ids_from: IdFile = None,
    missing: Annotated[str, Option(metavar="refuse|skip", help="What to do if an id does not exist.")] = "refuse",
    quiet: Quiet = False,
) -> int:
    """Remove the documents with these IDs."""
    with _opened(url, exists=True) as opened:
        return _report(opened.remove(_ids(ids, ids_from), missing=missing), None, quiet=quiet)


@index.command()
def expire(url: Url, before: Annotated[str, Argument(metavar="TIME", hidden=True)], quiet: Quiet = False) -> int:
    """Remove the documents with a time before TIME."""
    with _opened(url, exists=True) as opened:
        return _report(opened.expire(before), None, quiet=quiet)


@index.command()
def query(
    url: Url,
    file: Annotated[str | None, Argument(metavar="FILE", hidden=True)] = None,
    document: Annotated[str | None, Option(metavar="ID", help="Query with a stored document instead.")] = None,
    published: Annotated[str | None, Option(metavar="TIME", help="When the text was published.")] = None,
    limit: Annotated[int, Option(metavar="N", min=0, help="The maximum number to show.")] = 20,
    as_json: AsJson = False,
) -> int:
    """Show the documents that are similar to a text, the most similar first.

    The text is read from FILE; - is standard input.
    """
    if (file is None) == (document is None):
        raise InputError("name a FILE with the text, - for standard input, or a stored document with --document")
    text = None if file is None else _text(file)
    with _opened(url, exists=True, read_only=True) as opened:
        matches = opened.query(text, id=document, time=published, limit=limit)
    if as_json:
        _print_json([asdict(match) for match in matches])
    elif not matches:
        print_output("No similar documents.")
    else:
        table = columns()
        for match in matches:
            table.add_row(format_share(match.similarity), match.relation, f"cluster {match.cluster}", match.id)
        print_output(table)
    return DONE


@index.command()
def group(
    url: Url,
    ids: Ids = None,
    ids_from: IdFile = None,
    leader: Annotated[str, Option(metavar="rank|first|last|longest", help="Which result leads a group.")] = "rank",
    offset: Annotated[int, Option(metavar="N", min=0, help="The number of groups to skip.")] = 0,
    limit: Limit = None,
    as_json: AsJson = False,
) -> int:
    """Group a result list, given by IDs in their order: copies follow the result that leads them."""
    with _opened(url, exists=True, read_only=True) as opened:
        groups = opened.group(_ids(ids, ids_from), leader=leader, offset=offset, limit=limit)
    if as_json:
        _print_json(asdict(groups))
        return DONE
    for each in groups.groups:
        print_output(each.leader)
        for result in each.results[1:]:
            print_output(f"    {result.id}")
    rest = "" if groups.next is None else f"; the next page starts at --offset {groups.next}"
    print_output(f"{format_count(groups.results, 'result')} in {format_count(groups.count, 'group')}{rest}.")
    return DONE


@index.command()
def cluster(
    url: Url,
    number: Annotated[int | None, Argument(metavar="NUMBER", hidden=True)] = None,
    document: Annotated[str | None, Option(metavar="ID", help="The cluster of this document.")] = None,
    limit: Limit = None,
    as_json: AsJson = False,
) -> int:
    """Show the documents of a cluster, given by its NUMBER or one of its documents."""
    asked: int | str | None = number if document is None else document
    if asked is None or (number is not None and document is not None):
        raise InputError("name a cluster by its number, or one of its documents with --document")
    with _opened(url, exists=True, read_only=True) as opened:
        found = opened.cluster(asked, limit=limit)
    if as_json:
        _print_json(asdict(found))
        return DONE
    print_output(f"Cluster {found.number}: {format_count(found.size, 'document')}")
    table = columns()
    for member in found.members:
        table.add_row(format_share(member.similarity), member.relation, member.id)
    print_output(table)
    return DONE


@index.command()
def events(
    url: Url,
    since: Annotated[int, Option(metavar="N", min=0, help="The number of the event after which to start.")] = 0,
    limit: Limit = None,
) -> int:
    """Print the log of changes, one event per line of JSON."""
    with _opened(url, exists=True, read_only=True) as opened:
        for event in opened.events(since, limit=limit):
            print_text(json.dumps(asdict(event), ensure_ascii=False))
    return DONE


@index.command()
def stats(url: Url, as_json: AsJson = False) -> int:
    """Show counts, size, method and settings."""
    with _opened(url, exists=True, read_only=True) as opened:
        found = opened.stats()
    if as_json:
        _print_json(found)
        return DONE
    table = columns()
    for name, value in found.items():
        if value != []:
            table.add_row(name, _say_value(name, value))
    print_output(table)
    return DONE


def _say_value(name: str, value: Any) -> str:
    if name == "settings":
        return ", ".join(f"{setting} {chosen}" for setting, chosen in value.items())
    if name == "warnings":
        return "; ".join(value)
    if name == "bytes":
        return format_bytes(value)
    return f"{value:,}" if type(value) is int else str(value)


@index.command()
def backup(url: Url, target: Annotated[Path, Argument(metavar="FILE", hidden=True)]) -> int:
    """Write a consistent copy to FILE, while others read and write."""
    with _opened(url, exists=True, read_only=True) as opened:
        written = opened.backup(target)
    written_paths.append(str(written))
    print_output(f"Written: {written}")
    return DONE


@index.command()
def compact(url: Url) -> int:
    """Release the space of removed documents."""
    with _opened(url, exists=True) as opened:
        sizes = opened.compact()
    print_output(f"{format_bytes(sizes['bytes_before'])} before, {format_bytes(sizes['bytes_after'])} now.")
    return DONE


@index.command()
def migrate(
    url: Url,
    target: Annotated[str, Argument(metavar="TARGET", hidden=True)],
    method: Annotated[str | None, Option("--method", "-m", metavar="NAME", help="The method of TARGET.")] = None,
    lexicon: Annotated[Path | None, Option(metavar="FILE", help="The lexicon of TARGET.")] = None,
    relearn: Annotated[bool, Option("--relearn", help="Learn a new lexicon from all documents.")] = False,
    assignments: Assignments = None,
    quiet: Quiet = False,
) -> int:
    """Create a second index of the same documents at TARGET while this one is in use, or continue with it.

    Settings that are not named stay the same. Changes made meanwhile are followed until TARGET has caught up. Run it
    again to catch up with later changes.
    """
    chosen = _settings(assignments, lexicon)
    with _opened(url, exists=True, read_only=True) as opened, show_progress(quiet=quiet) as progress:
        changes = opened.migrate(target, method=method, relearn=relearn, progress=progress, **chosen)
    written_paths.append(target)
    if not quiet:
        print_output(f"{_say_changes(changes)}; {target} has caught up with event {changes.last_event} of {url}.")
    return DONE


@contextmanager
def _opened(url: str, *, exists: bool = False, **options: Any) -> Iterator[api.Index]:
    if exists and "://" not in url and not Path(url).exists():
        raise InputError(f"{url} does not exist: neardup index build creates an index")
    with api.Index(url, **options) as opened:
        yield opened


def _read(
    inputs: Sequence[str], text: str | None, id_column: str | None, time: str | None, *, quiet: bool
) -> Documents:
    with show_progress(quiet=quiet) as progress:
        documents = api.read([Path(name) for name in inputs], text=text, id=id_column, time=time, progress=progress)
    if not quiet and documents.notes:
        print_output(*documents.notes)
    return documents


def _settings(assignments: list[str] | None, lexicon: Path | None) -> dict[str, Any]:
    settings = dict(split_assignment(assignment) for assignment in assignments or ())
    return settings if lexicon is None else {**settings, "lexicon": str(lexicon)}


def _report(changes: Changes, documents: Documents | None, warnings: Sequence[str] = (), *, quiet: bool) -> int:
    if not quiet:
        print_output(f"{_say_changes(changes)}; the last event is {changes.last_event}.")
        for warning in warnings:
            print_error(warning)
    return UNREADABLE if documents is not None and documents.counts.get("unreadable") else DONE


def _say_changes(changes: Changes) -> str:
    names = ("added", "updated", "removed", "skipped")
    done = [f"{getattr(changes, name):,} {name}" for name in names if getattr(changes, name)]
    return ", ".join(done) or "Nothing to do"


def _ids(given: list[str] | None, file: Path | None) -> list[str]:
    """Return the ids of the command line or of a file."""
    if (not given) == (file is None):
        raise InputError("name ids, or a file of ids with --ids")
    return list(given or ()) if file is None else _text(str(file)).splitlines()


def _text(file: str) -> str:
    if file == "-":
        return sys.stdin.buffer.read().decode(errors="replace")
    try:
        return Path(file).read_bytes().decode(errors="replace")
    except OSError as problem:
        raise InputError(f"{file} cannot be read: {problem.strerror or problem}") from None


def _print_json(answer: object) -> None:
    print_text(json.dumps(answer, ensure_ascii=False, indent=2))
