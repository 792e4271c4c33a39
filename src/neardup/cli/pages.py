"""`neardup reproduce concepts`: the experiments of the third paper on collections of web pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from rich.console import RenderableType

from neardup import api
from neardup.cli.terminal import say, show_progress, things_written
from neardup.errors import InputError, MissingExtra
from neardup.reproduce.concepts.experiments import reproduce_concepts
from neardup.reproduce.concepts.pages import Pages
from neardup.reproduce.concepts.plots import FIGURES
from neardup.reproduce.concepts.report import write_concepts
from neardup.reproduce.concepts.sheets import list_sheets
from neardup.reproduce.figures import Sheet, check_folder

DONE, UNREADABLE = 0, 3


def reproduce_pages(
    sources: list[str], folder: Path, *, quiet: bool, show: Callable[[Sheet], list[RenderableType]]
) -> int:
    """Run the experiments on each source, a collection of its own, and write what came out."""
    check_folder(folder)
    with show_progress(quiet=quiet) as progress:
        collections = [
            Pages(name, api.read([Path(source)], progress=progress))
            for source, name in _name_sources(sources or find_own_pages()).items()
        ]
        found = reproduce_concepts(collections, progress=progress)
    written = write_concepts(found, folder)
    things_written.extend(map(str, written))
    if not quiet:
        for sheet in list_sheets(found):
            say(*show(sheet))
        say(*(f"Written: {path}" for path in written))
    if not any(path.stem in FIGURES for path in written):
        raise MissingExtra("matplotlib", "plots", "the tables are written, but drawing the figures")
    unreadable = any(pages.documents.counts.get("unreadable") for pages in collections)
    return UNREADABLE if unreadable else DONE


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
    for root in (Path(), Path(__file__).parents[3]):
        packs = sorted((root / "examples").glob("*_pages.xml.gz"))
        if (root / "src" / "neardup").is_dir() and packs:
            return [str(pack) for pack in packs]
    raise InputError("there are no pages: name some with --pages (a clone of the project has its own)")
