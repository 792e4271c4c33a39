"""`neardup reproduce durian`: constrained clustering of form letters (Yang & Callan 2006)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.reproduce.outcome import Outcome, Output, Seed, finish
from neardup.cli.terminal import show_progress
from neardup.errors import InputError
from neardup.reproduce.durian import reproduce_durian
from neardup.reproduce.figures import list_sheets, write_reproduction
from neardup.reproduce.folder import check_reproduction


def durian(
    letters: Annotated[
        list[str] | None,
        Option(
            metavar="SOURCE",
            show_default=False,
            help="Real letters: a file, a folder or a glob; may be repeated. In a clone, the project's own examples.",
        ),
    ] = None,
    output: Output = None,
    seed: Seed = 1,
    size: Annotated[int, Option(metavar="N", help="How many letters each docket has.")] = 1000,
    quiet: Quiet = False,
) -> int:
    """Cluster dockets of form letters with and without constraints (Yang & Callan 2006).

    FOLDER gets report.md, a CSV file for each table, and with matplotlib the plots as PNG and SVG.
    """
    source = [Path(name) for name in letters] if letters else [find_own_letters()]
    folder = output or Path("reproduce-durian")
    check_reproduction(folder)
    with show_progress(quiet=quiet) as progress:
        documents = api.read(source, progress=progress)
        found = reproduce_durian(filter(None, documents.texts), seed, size=size, progress=progress)
    return finish(Outcome(list_sheets(found), write_reproduction(found, folder), [documents]), quiet=quiet)


def find_own_letters() -> Path:
    """Return the letters that the project's examples are made from, if this is a clone."""
    for root in (Path(), Path(__file__).parents[4]):
        folder = root / "examples" / "letters"
        if (root / "src" / "neardup").is_dir() and folder.is_dir():
            return folder
    raise InputError(
        "there are no letters to make dockets from: name some with --letters (a clone of the project has its own)"
    )
