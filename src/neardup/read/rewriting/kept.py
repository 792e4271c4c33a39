"""Write a collection without some of its records, in its own format; nothing else is changed.

One file gives a file; a folder or several inputs give a folder that contains each under its name. Output is written
under a temporary name and renamed at the end, so that an interrupted run leaves nothing half-written.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError, OutputError
from neardup.outputs import check_file, check_folder, replacing, replacing_folder
from neardup.read.files.entries import open_entry
from neardup.read.files.paths import InputFile, find_files, list_sources
from neardup.read.files.streams import compression_named
from neardup.read.formats.keeping import Keep
from neardup.read.reading import Reading, Unreadable, Wanted
from neardup.read.rewriting.copying import Original

Named = str | os.PathLike[str]


def write_kept(
    source: Named | Iterable[Named],
    keep: npt.NDArray[np.bool_],
    output: Named,
    *,
    texts: Mapping[int, str] | None = None,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option
    time: str | None = None,
) -> int:
    """Write the files of a source without the records whose flag is false; return the number of records kept.

    `keep` has a flag for each record, in the order of `read`; `text`, `id` and `time` are the arguments of that call.
    `texts` has the new texts of records that change, by their number.
    """
    named = list_sources(source)
    folders = [path for path in map(Path, named) if path.is_dir()]
    files = _name_files(named)
    target = Path(output)
    _check_target(files, folders, target)
    reading, flags = Reading(Wanted(text, id, time)), Keep(keep, texts)
    if len(files) == 1 and not folders:
        with replacing(target) as made, _reporting_lost_inputs():
            _write_file(files[0], flags, made, reading, target.name)
            return flags.finish()
    with replacing_folder(target, "the collection") as made, _reporting_lost_inputs():
        for file in files:
            _write_into(file, flags, made / file.name, reading)
        return flags.finish()


def check_kept(source: Named | Iterable[Named], output: Named) -> None:
    """Raise an error if `write_kept` could not write there, before any work is done."""
    named = list_sources(source)
    _check_target(_name_files(named), [path for path in map(Path, named) if path.is_dir()], Path(output))


def check_beside(source: Named | Iterable[Named], output: Named, target: Named) -> None:
    """Raise an error if a file that is written beside the output would replace the output or an input."""
    real = Path(target).resolve()
    if real == Path(output).resolve():
        raise OutputError(f"{target} is the output: name another file")
    named = list_sources(source)
    if any(file.path.resolve() == real for file in _name_files(named)):
        raise OutputError(f"{target} is an input: name another file")
    check_file(Path(target))


def _name_files(named: Sequence[Named]) -> list[InputFile]:
    """List the files; with several inputs, those of a folder go under the folder's name."""
    files: list[InputFile] = []
    for item in named:
        below = f"{Path(item).resolve().name}/" if len(named) > 1 and Path(item).is_dir() else ""
        files += [replace(file, name=below + file.name) for file in find_files(item)]
    for file in files:
        if not file.regular:
            raise InputError(f"{file.name} can be read only once, but is needed twice: save it to a file and name that")
    names = [file.name for file in files]
    if len(set(names)) < len(names):
        double = next(name for name in names if names.count(name) > 1)
        raise OutputError(f"two inputs are called {double}: write them one by one, or rename one of them")
    return files


def _check_target(files: list[InputFile], folders: list[Path], target: Path) -> None:
    real = target.resolve()
    if any(file.path.resolve() == real for file in files):
        raise OutputError(f"{target} is an input: name another file, check the output, and then replace the input")
    if any(real.is_relative_to(folder.resolve()) for folder in folders):
        raise OutputError(f"{target} is inside an input folder: name a path outside it")
    many = len(files) > 1 or bool(folders)
    if not many and target.is_dir():
        raise OutputError(f"{target} is a folder: name a file for the output")
    if not many:
        check_file(target)
    elif target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise OutputError(f"{target} exists: a folder or several inputs need a new or an empty folder")
    else:
        check_folder(target, "the collection", lambda _: None)


def _write_file(file: InputFile, keep: Keep, made: Path, reading: Reading, name: str) -> None:
    codec = compression_named(name)
    with made.open("w+b") as sink:
        Original(partial(open_entry, file, reading)).copy(keep, sink, reading, (codec,) if codec else ())
    if made.is_file():
        shutil.copymode(file.path, made)


def _write_into(file: InputFile, keep: Keep, made: Path, reading: Reading) -> None:
    """Write one file of many; a file of which nothing is kept is left out."""
    made.parent.mkdir(parents=True, exist_ok=True)
    with made.open("w+b") as sink:
        present = Original(partial(open_entry, file, reading)).copy(keep, sink, reading)
    if present:
        shutil.copystat(file.path, made)
    else:
        made.unlink()


@contextlib.contextmanager
def _reporting_lost_inputs() -> Iterator[None]:
    try:
        yield
    except Unreadable as problem:
        raise InputError(f"an input can no longer be read: {problem}") from None
