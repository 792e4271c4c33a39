"""The collection without some of its records, in its own format; nothing else is changed.

One file gives a file; a folder or several inputs give a folder with each under its name. Everything is written beside
its place and put there at the end, so that an interrupted run leaves nothing half-written.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError, OutputError
from neardup.outputs import check_file, check_folder, replacing, replacing_folder
from neardup.read.copying import Keep, Unit
from neardup.read.entries import Entry, open_place
from neardup.read.paths import Place, find_places
from neardup.read.reading import Reading, Unreadable, Wanted
from neardup.read.streams import compression_named

Named = str | os.PathLike[str]


def write_kept(
    source: Named | Iterable[Named],
    keep: npt.NDArray[np.bool_],
    output: Named,
    *,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the word of the front door
    time: str | None = None,
) -> int:
    """Write the files that `source` names without the records whose flag is false; return how many stay.

    `keep` has a flag for each record in the order in which `read` gives them; `text`, `id` and `time` are those of
    that call.
    """
    named = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    folders = [path for path in map(Path, named) if path.is_dir()]
    places = _name_places(named)
    target = Path(output)
    _check_target(places, folders, target)
    reading, flags = Reading(Wanted(text, id, time)), Keep(keep)
    if len(places) == 1 and not folders:
        with replacing(target) as made, _explained():
            _write_file(places[0], flags, made, reading, target.name)
            return flags.finish()
    with replacing_folder(target, "the collection") as made, _explained():
        for place in places:
            _write_into(place, flags, made / place.name, reading)
        return flags.finish()


def check_kept(source: Named | Iterable[Named], output: Named) -> None:
    """Say before the work is done if `write_kept` could not write there."""
    named = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    _check_target(_name_places(named), [path for path in map(Path, named) if path.is_dir()], Path(output))


def _name_places(named: list[Named]) -> list[Place]:
    """List the files; with several inputs those of a folder go under the folder's name."""
    places: list[Place] = []
    for item in named:
        below = f"{Path(item).resolve().name}/" if len(named) > 1 and Path(item).is_dir() else ""
        places += [replace(place, name=below + place.name) for place in find_places(item)]
    for place in places:
        if not place.plain:
            raise InputError(f"{place.name} can be read only once, and must be twice: write it to a file and name that")
    names = [place.name for place in places]
    if len(set(names)) < len(names):
        double = next(name for name in names if names.count(name) > 1)
        raise OutputError(f"two inputs are called {double}: write them one by one, or give them names that differ")
    return places


def _check_target(places: list[Place], folders: list[Path], target: Path) -> None:
    real = target.resolve()
    if any(place.path.resolve() == real for place in places):
        raise OutputError(f"{target} is an input: name another file, and replace the input when you have looked at it")
    if any(real.is_relative_to(folder.resolve()) for folder in folders):
        raise OutputError(f"{target} lies in an input folder: name a place outside it")
    many = len(places) > 1 or bool(folders)
    if not many and target.is_dir():
        raise OutputError(f"{target} is a folder: name a file for the output")
    if not many:
        check_file(target)
    elif target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(f"{target} exists: a folder or several inputs need a new or an empty folder")
    else:
        check_folder(target, "the collection", lambda _: None)


def _unit(place: Place, reading: Reading) -> Unit:
    def reopen() -> Entry:
        return open_place(place, reading)

    return Unit(reopen)


def _write_file(place: Place, keep: Keep, made: Path, reading: Reading, name: str) -> None:
    codec = compression_named(name)
    with made.open("w+b") as sink:
        _unit(place, reading).copy(keep, sink, reading, (codec,) if codec else ())
    if made.is_file():
        shutil.copymode(place.path, made)


def _write_into(place: Place, keep: Keep, made: Path, reading: Reading) -> None:
    """Write one file of many; one of which nothing stays is left out."""
    made.parent.mkdir(parents=True, exist_ok=True)
    with made.open("w+b") as sink:
        there = _unit(place, reading).copy(keep, sink, reading)
    if there:
        shutil.copystat(place.path, made)
    else:
        made.unlink()


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except Unreadable as problem:
        raise InputError(f"an input can no longer be read: {problem}") from None
