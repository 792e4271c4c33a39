"""`neardup reproduce`: the experiments of a paper on generated collections, its figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.pages import reproduce_pages
from neardup.cli.terminal import say, show_progress, things_written
from neardup.errors import InputError, MissingExtra, SettingsError
from neardup.report.layout import QUIET, headed, heading, indented
from neardup.reproduce.durian import reproduce_durian
from neardup.reproduce.figures import PLOTS, Sheet, check_folder, list_sheets, write_reproduction

PAPERS = ("durian", "concepts")
DONE, UNREADABLE = 0, 3


def reproduce(
    paper: Annotated[str, Argument(metavar="PAPER", help=f"Whose experiments: {', '.join(PAPERS)}.")],
    letters: Annotated[
        list[str] | None,
        Option(
            metavar="SOURCE",
            show_default=False,
            help="Real letters: a file, a folder or a glob; may be repeated. In a clone, the project's own examples.",
        ),
    ] = None,
    pages: Annotated[
        list[str] | None,
        Option(
            metavar="SOURCE",
            show_default=False,
            help="Web pages for concepts: a file, a folder or a glob; each that is named is a collection of its own.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output", "-o", metavar="FOLDER", show_default=False, help="Where to write; reproduce-PAPER if not given."
        ),
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="The same seed and letters give the same dockets.")] = 1,
    size: Annotated[int, Option(metavar="N", help="How many letters each docket has.")] = 1000,
    quiet: Quiet = False,
) -> int:
    """Repeat the experiments of a paper, and show the paper's figures beside ours.

    FOLDER gets report.md and the tables as CSV, and with matplotlib the figures as PNG and SVG. durian takes --letters,
    --seed and --size, concepts takes --pages.
    """
    if paper not in PAPERS:
        raise SettingsError(f"there is no paper {paper!r} to reproduce: known are {', '.join(PAPERS)}")
    folder = output or Path(f"reproduce-{paper}")
    if paper == "concepts":
        return reproduce_pages(pages or [], folder, quiet=quiet, show=_show)
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
