"""`neardup reproduce conrad`: duplicates in news, and signatures in a changing collection (Conrad et al. 2003)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.reproduce.outcome import Outcome, Output, Seed, finish
from neardup.cli.terminal import show_progress
from neardup.errors import InputError
from neardup.reproduce.conrad.changes import Changing, read_changing
from neardup.reproduce.conrad.experiments import read_stories, reproduce_conrad
from neardup.reproduce.conrad.sheets import list_sheets, write_reproduction
from neardup.reproduce.folder import check_reproduction


def conrad(
    news: Annotated[
        list[str] | None,
        Option(metavar="SOURCE", show_default=False, help="Stories with dates; invented unless given."),
    ] = None,
    changing: Annotated[
        list[str] | None,
        Option(metavar="SOURCE", show_default=False, help="A collection that changes; may be repeated."),
    ] = None,
    release: Annotated[
        str | None,
        Option(metavar="COLUMN", show_default=False, help="The column of releases; by date unless given."),
    ] = None,
    output: Output = None,
    seed: Seed = 1,
    size: Annotated[int, Option(metavar="N", help="How many stories are invented.")] = 1000,
    quiet: Quiet = False,
) -> int:
    """Find duplicates in news, and see what signatures do while a collection changes (Conrad et al. 2003).

    FOLDER gets report.md, a CSV file for each table, and with matplotlib the plots as PNG and SVG.
    """
    folder = output or Path("reproduce-conrad")
    check_reproduction(folder)
    sources = changing or []
    with show_progress(quiet=quiet) as progress:
        documents = api.read([Path(name) for name in news], progress=progress) if news else None
        stories = None if documents is None else read_stories(documents)
        collections = [_open_changing(name, sources, release) for name in sources]
        found = reproduce_conrad(stories, collections, seed, size=size, progress=progress)
    read = [] if documents is None else [documents]
    return finish(Outcome(list_sheets(found), write_reproduction(found, folder), read), quiet=quiet)


def _open_changing(name: str, others: list[str], release: str | None) -> Changing:
    """Read a collection that changes; one without the column of releases is cut by date."""
    path = Path(name)
    alike = sum(Path(other).name == path.name for other in others) > 1
    documents = api.read(path)
    releases = None if release is None else _read_releases(path, release, len(documents))
    return read_changing(f"{path.absolute().parent.name}/{path.name}" if alike else path.name, documents, releases)


def _read_releases(path: Path, release: str, count: int) -> list[str] | None:
    """Return the release of each record; None if there is no such column."""
    try:
        told = api.read(path, text=release)
    except InputError:
        return None
    releases = told.texts.to_list()
    if len(releases) != count or not all(releases):
        raise InputError(f"{path}: not every record has a release in the column {release!r}")
    return releases
