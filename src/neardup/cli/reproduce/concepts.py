"""`neardup reproduce concepts`: clusters of web pages as closed sets (Ignatov & Kuznetsov 2009)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

from typer import Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.reproduce.outcome import Outcome, Output, finish
from neardup.cli.terminal import show_progress
from neardup.errors import InputError
from neardup.reproduce.concepts.experiments import reproduce_concepts
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.concepts.report import write_concepts
from neardup.reproduce.concepts.sheets import list_sheets
from neardup.reproduce.folder import check_reproduction


def concepts(
    pages: Annotated[
        list[str] | None,
        Option(
            metavar="SOURCE",
            show_default=False,
            help="Web pages: a file, a folder or a glob; each that is named is a collection of its own. In a clone, "
            "the project's own examples.",
        ),
    ] = None,
    output: Output = None,
    quiet: Quiet = False,
) -> int:
    """Cluster versions of web pages by what they share (Ignatov & Kuznetsov 2009).

    FOLDER gets report.md, a CSV file for each table, and with matplotlib the plots as PNG and SVG.
    """
    folder = output or Path("reproduce-concepts")
    check_reproduction(folder)
    with show_progress(quiet=quiet) as progress:
        collections = [
            Pages(name, api.read([Path(source)], progress=progress))
            for source, name in _name_sources(pages or find_own_pages()).items()
        ]
        found = reproduce_concepts(collections, progress=progress)
    read = [own.documents for own in collections]
    return finish(Outcome(list_sheets(found), write_concepts(found, folder), read), quiet=quiet)


def _name_sources(sources: list[str]) -> dict[str, str]:
    """Name each source by its file, those of one name by their folders too."""
    paths = {source: Path(source).absolute() for source in dict.fromkeys(sources)}
    names = {source: path.name.split(".")[0] or path.name for source, path in paths.items()}
    for level in range(1, 20):
        double = {name for name, count in Counter(names.values()).items() if count > 1}
        if not double:
            break
        for source, path in paths.items():
            if names[source] in double and len(path.parents) > level - 1:
                names[source] = f"{path.parents[level - 1].name}/{names[source]}"
    return names


def find_own_pages() -> list[str]:
    """Return the collections of pages among the project's examples, if this is a clone."""
    for root in (Path(), Path(__file__).parents[4]):
        packs = sorted((root / "examples").glob("*_pages.xml.gz"))
        if (root / "src" / "neardup").is_dir() and packs:
            return [str(pack) for pack in packs]
    raise InputError("there are no pages: name some with --pages (a clone of the project has its own)")
