"""`neardup reproduce`: the experiments of a paper on given or generated collections, its figures beside ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.terminal import Callback, say, show_progress, things_written
from neardup.errors import InputError, MissingExtra, SettingsError
from neardup.records import Documents
from neardup.report.layout import QUIET, headed, heading, indented
from neardup.reproduce import figures, simfinder
from neardup.reproduce.durian import reproduce_durian
from neardup.reproduce.folder import Sheet, can_draw, check_folder

DONE, UNREADABLE = 0, 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asked for."""

    letters: Sequence[str]
    corpora: Sequence[str]
    pairs: Sequence[str]
    seed: int
    size: int | None
    folder: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reproduction gives: tables to show, files, and the documents that it read."""

    sheets: Sequence[Sheet]
    written: Sequence[Path]
    read: Sequence[Documents] = ()


def reproduce(
    paper: Annotated[str, Argument(metavar="PAPER", help="Whose experiments: durian, simfinder.")],
    letters: Annotated[
        list[str] | None,
        Option(
            metavar="SOURCE",
            show_default=False,
            help="durian: real letters, a file, a folder or a glob; may be repeated. In a clone, its own examples.",
        ),
    ] = None,
    corpus: Annotated[
        list[str] | None,
        Option(
            metavar="FILE",
            show_default=False,
            help="simfinder: short texts, each file a corpus; may be repeated. Written by a grammar if not given.",
        ),
    ] = None,
    pairs: Annotated[
        list[str] | None,
        Option(
            metavar="FILE",
            show_default=False,
            help="simfinder: judged pairs, a table with a, b and label (1 or 0); may be repeated.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            "--output", "-o", metavar="FOLDER", show_default=False, help="Where to write; reproduce-PAPER if not given."
        ),
    ] = None,
    seed: Annotated[int, Option(metavar="N", help="The same seed and texts give the same figures.")] = 1,
    size: Annotated[
        int | None,
        Option(
            metavar="N",
            show_default=False,
            help=f"durian: letters in a docket (1,000). simfinder: texts in a corpus ({simfinder.SIZE:,}).",
        ),
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Repeat the experiments of a paper, and show the paper's figures beside ours.

    FOLDER gets report.md, a CSV file for each table, and with matplotlib the plots as PNG and SVG.
    """
    if paper not in PAPERS:
        raise SettingsError(f"there is no paper {paper!r} to reproduce: known are {', '.join(PAPERS)}")
    for option, values, owner in (
        ("letters", letters, "durian"),
        ("corpus", corpus, "simfinder"),
        ("pairs", pairs, "simfinder"),
    ):
        if values and paper != owner:
            raise SettingsError(f"--{option} belongs to  neardup reproduce {owner}, not to {paper}")
    folder = output or Path(f"reproduce-{paper}")
    check_folder(folder)
    with show_progress(quiet=quiet) as progress:
        outcome = PAPERS[paper](Wanted(letters or (), corpus or (), pairs or (), seed, size, folder), progress)
    things_written.extend(map(str, outcome.written))
    if not quiet:
        for sheet in outcome.sheets:
            say(*_show(sheet))
        say(*(f"Written: {path}" for path in outcome.written))
    if not can_draw():
        raise MissingExtra("matplotlib", "plots", "the tables are written, but drawing the figures")
    return UNREADABLE if any(documents.counts.get("unreadable") for documents in outcome.read) else DONE


def _run_durian(wanted: Wanted, progress: Callback) -> Outcome:
    source = [Path(name) for name in wanted.letters] or [find_own_letters()]
    documents = api.read(source, progress=progress)
    texts = filter(None, simfinder.list_texts(documents))
    size = {} if wanted.size is None else {"size": wanted.size}
    found = reproduce_durian(texts, wanted.seed, progress=progress, **size)
    return Outcome(figures.list_sheets(found), figures.write_reproduction(found, wanted.folder), [documents])


def _run_simfinder(wanted: Wanted, progress: Callback) -> Outcome:
    paths = [Path(name) for name in wanted.corpora]
    documents = [api.read(path, progress=progress) for path in paths]
    corpora = [
        simfinder.Source(simfinder.path_name(path), simfinder.list_texts(own))
        for path, own in zip(paths, documents, strict=True)
    ]
    pairs = [simfinder.read_pairs(Path(name), progress) for name in wanted.pairs]
    size = simfinder.SIZE if wanted.size is None else wanted.size
    found = simfinder.reproduce_simfinder(corpora, pairs, wanted.seed, size=size, progress=progress)
    return Outcome(simfinder.list_sheets(found), simfinder.write_reproduction(found, wanted.folder), documents)


PAPERS: Mapping[str, Callable[[Wanted, Callback], Outcome]] = {"durian": _run_durian, "simfinder": _run_simfinder}


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
