"""`neardup reproduce`: the experiments of a paper on generated collections, its figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.terminal import say, show_progress, things_written
from neardup.errors import InputError, MissingExtra, SettingsError
from neardup.report.layout import QUIET, headed, heading, indented
from neardup.reproduce.conrad import sheets
from neardup.reproduce.conrad.changes import Changing, read_changing
from neardup.reproduce.conrad.experiments import read_stories, reproduce_conrad
from neardup.reproduce.durian import reproduce_durian
from neardup.reproduce.figures import PLOTS, Sheet, check_folder, list_sheets, write_reproduction

PAPERS = ("durian", "conrad")
DONE, UNREADABLE = 0, 3


def reproduce(  # noqa: PLR0913, PLR0917 - one for each option
    paper: Annotated[str, Argument(metavar="PAPER", help=f"Whose experiments: {', '.join(PAPERS)}.")],
    letters: Annotated[
        list[str] | None,
        Option(
            metavar="SOURCE",
            show_default=False,
            help="Real letters: a file, a folder or a glob; may be repeated. In a clone, the project's own examples.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output", "-o", metavar="FOLDER", show_default=False, help="Where to write; reproduce-PAPER if not given."
        ),
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="The same seed and letters give the same dockets.")] = 1,
    size: Annotated[int, Option(metavar="N", help="How many letters or invented stories a collection has.")] = 1000,
    news: Annotated[
        list[str] | None,
        Option(metavar="SOURCE", show_default=False, help="conrad: stories with dates; invented unless given."),
    ] = None,
    changing: Annotated[
        list[str] | None,
        Option(metavar="SOURCE", show_default=False, help="conrad: a collection that changes; may be repeated."),
    ] = None,
    release: Annotated[
        str | None,
        Option(metavar="COLUMN", show_default=False, help="conrad: the column of releases; by date unless given."),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Repeat the experiments of a paper, and show the paper's figures beside ours.

    FOLDER gets report.md and a CSV file for each table and figure, and with matplotlib the figures as PNG and SVG.
    durian takes --letters, conrad --news and --changing, of which --release names the column of releases where there
    is one.
    """
    if paper not in PAPERS:
        raise SettingsError(f"there is no paper {paper!r} to reproduce: known are {', '.join(PAPERS)}")
    folder = output or Path(f"reproduce-{paper}")
    if paper == "conrad":
        check_folder(folder)
        return _reproduce_conrad(folder, news or [], changing or [], release, seed, size, quiet)
    source = [Path(name) for name in letters] if letters else [find_own_letters()]
    check_folder(folder)
    with show_progress(quiet=quiet) as progress:
        documents = api.read(source, progress=progress)
        texts = documents.texts if isinstance(documents.texts, list) else documents.texts.to_pylist()
        found = reproduce_durian(filter(None, texts), seed, size=size, progress=progress)
    written = write_reproduction(found, folder)
    things_written.extend(map(str, written))
    if not quiet:
        for sheet in list_sheets(found):
            say(*_show(sheet))
        say(*(f"Written: {path}" for path in written))
    if folder / PLOTS[0] not in written:
        raise MissingExtra("matplotlib", "plots", "the tables are written, but drawing Figure 4")
    return UNREADABLE if documents.counts.get("unreadable") else DONE


def _reproduce_conrad(
    folder: Path, news: list[str], changing: list[str], release: str | None, seed: int, size: int, quiet: bool
) -> int:
    with show_progress(quiet=quiet) as progress:
        documents = api.read([Path(name) for name in news], progress=progress) if news else None
        stories = None if documents is None else read_stories(documents)
        found = reproduce_conrad(
            stories, [_open_changing(name, changing, release) for name in changing], seed, size=size, progress=progress
        )
    written = sheets.write_reproduction(found, folder)
    things_written.extend(map(str, written))
    if not quiet:
        for sheet in sheets.list_sheets(found):
            say(*_show(sheet))
        say(*(f"Written: {path}" for path in written))
    if folder / sheets.PLOTS[0] not in written:
        raise MissingExtra("matplotlib", "plots", "the tables are written, but drawing the figures")
    return UNREADABLE if documents is not None and documents.counts.get("unreadable") else DONE


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
    releases = told.texts if isinstance(told.texts, list) else told.texts.to_pylist()
    if len(releases) != count or not all(releases):
        raise InputError(f"{path}: not every record has a release in the column {release!r}")
    return releases


def find_own_letters() -> Path:
    """Return the letters that the project's examples are made from, if this is a clone."""
    for root in (Path(), Path(__file__).parents[3]):
        folder = root / "examples" / "letters"
        if (root / "src" / "neardup").is_dir() and folder.is_dir():
            return folder
    raise InputError(
        "there are no letters to make dockets from: name some with --letters (a clone of the project has its own)"
    )


def _show(sheet: Sheet) -> list[RenderableType]:
    table = headed(*sheet.headings)
    for place in (0, 1):
        if any(not cell[:1].isdigit() for cell in (row[place] for row in sheet.rows)):
            table.columns[place].justify = "left"
    for row in sheet.rows:
        table.add_row(*map(Text, row))
    return [heading(sheet.title), Text(sheet.note, QUIET), Text(), indented(table), Text()]
