"""What the caller named becomes a list of files, in a fixed order.

A folder is walked through all its folders, sorted by path, hidden files left out; links to folders are not followed.
A Maildir (a folder with `cur` and `new`) is told by its folders, its messages are those in `cur` and `new`. The name
of a file, which is its document's id, is its path below the folder or pattern it was found by, or its file name.
"""

from __future__ import annotations

import difflib
import glob
import itertools
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from neardup.errors import InputError

STANDARD_INPUT = "-"

_PATTERN = frozenset("*?[")
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,9}:/")  # a path has one of the two slashes of an address
_NAMES = 10_000


@dataclass(frozen=True, slots=True)
class Place:
    """One file to read: where it is, what it is called, whether it is a message of a Maildir."""

    path: Path
    name: str
    mail: bool = False
    size: int = 0
    plain: bool = True


def find_places(source: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[Place]:
    """List the files that a path, a pattern, a folder or several of them stand for."""
    named = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    if sum(os.fsdecode(item) == STANDARD_INPUT for item in named) > 1:
        raise InputError("standard input can be read only once: name it once")
    return [place for item in named for place in _expand(item)]


def is_pattern(name: str) -> bool:
    """Say whether a name has the characters of a pattern."""
    return not _PATTERN.isdisjoint(name)


def exists(name: str) -> bool:
    """Say whether a name is that of a file or folder; a text that happens to be passed is not an error."""
    try:
        return Path(name).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _expand(item: str | os.PathLike[str]) -> list[Place]:
    name = os.fsdecode(item)
    if name == STANDARD_INPUT:
        return [_standard_input()]
    if name and exists(name):
        path = Path(name).expanduser()
        return _walk_named(path) if path.is_dir() else [_named_file(path)]
    if is_pattern(name):
        return _match(item)
    shown = name if len(name) <= 80 else f"{name[:77]}…"
    if _ADDRESS.match(name):
        raise InputError(f"{shown} is an address: download it and name the file")
    raise InputError(f"{shown!r} is not a file or folder: {_advise(item, name)}")


def _advise(item: str | os.PathLike[str], name: str) -> str:
    near = _say_near(name)
    if near and not isinstance(item, str):
        return near
    return f"{near}; {_say_accepted(item)}" if near else _say_accepted(item)


def _say_near(name: str) -> str:
    """Say which names like this one there are, or which folder on the way to it there is not."""
    try:
        path = Path(name).expanduser()
        missing = next((folder for folder in reversed(path.parents) if not folder.exists()), path)
        names = [entry.name for entry in itertools.islice(os.scandir(missing.parent), _NAMES)]
    except (OSError, ValueError, RuntimeError):
        return ""
    folded = {known.casefold(): known for known in sorted(names)}
    close = [folded[known] for known in difflib.get_close_matches(missing.name.casefold(), folded, n=3)]
    said = [f"there is no folder {missing}"] if missing != path else []
    if close:
        said.append(f"did you mean {', '.join(str(missing.with_name(known)) for known in close)}?")
    return ", ".join(said)


def _say_accepted(item: str | os.PathLike[str]) -> str:
    """Say what else could be named; only a string of Python's can have been meant as a text."""
    if isinstance(item, str):
        return "check the path, or pass the texts themselves as a list of strings"
    return "name a file, a folder, or a pattern such as 'letters/*.txt'"


def _walk_named(folder: Path) -> list[Place]:
    found = list(_walk(folder, ""))
    if not found:
        raise InputError(f"{folder} holds no files that are not hidden")
    return found


def _named_file(path: Path) -> Place:
    if not os.access(path, os.R_OK):
        raise InputError(f"{path} cannot be opened: no permission to read it")
    about = path.stat()
    return Place(path, path.name, size=about.st_size, plain=stat.S_ISREG(about.st_mode))


def _standard_input() -> Place:
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("there is no standard input: name a file")
    if sys.stdin.isatty():
        raise InputError("standard input is a terminal: pipe something into it, or name a file")
    return replace(_named_file(Path("/dev/stdin")), name="stdin")


def _match(item: str | os.PathLike[str]) -> list[Place]:
    pattern = os.fsdecode(item)
    try:
        matches = sorted(Path(match) for match in glob.glob(str(Path(pattern).expanduser()), recursive=True))  # noqa: PTH207
    except (OSError, ValueError, RuntimeError):
        matches = []
    root = Path(*_fixed_parts(pattern))
    places = []
    for match in matches:
        below = match.relative_to(root).as_posix() if match.is_relative_to(root) else match.name
        if match.is_dir():
            # A pattern with ** matches each folder and its files too: those are not read twice.
            places += [] if "**" in pattern else list(_walk(match, f"{below}/"))
        elif match.is_file():
            places.append(Place(match, below, size=match.stat().st_size))
    if not places:
        raise InputError(f"no file matches the pattern {pattern!r}: {_say_accepted(item)}")
    return places


def _fixed_parts(pattern: str) -> list[str]:
    """Return the leading parts of a pattern that are no pattern themselves."""
    parts = Path(pattern).expanduser().parts
    count = next((index for index, part in enumerate(parts) if is_pattern(part)), len(parts) - 1)
    return list(parts[:count])


def _walk(folder: Path, prefix: str) -> Iterator[Place]:
    """Yield the files of a folder and of the folders in it, sorted by path."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as problem:
        raise InputError(f"the folder {folder} cannot be read: {problem.strerror or problem}") from None
    folders = {entry.name for entry in entries if entry.is_dir(follow_symlinks=False)}
    maildir = {"cur", "new"} <= folders
    for entry in entries:
        path, name = Path(entry.path), prefix + entry.name
        if entry.name in folders and maildir:
            yield from _walk_maildir(path, name)
        elif entry.name in folders and not entry.name.startswith("."):
            yield from _walk(path, f"{name}/")
        elif not maildir and not entry.name.startswith(".") and _is_plain(entry):
            yield Place(path, name, size=entry.stat().st_size)


def _walk_maildir(folder: Path, name: str) -> Iterator[Place]:
    """Yield the messages in a folder of a Maildir: its own, or those of a Maildir inside it."""
    if folder.name in ("cur", "new"):
        yield from (replace(place, mail=True) for place in _walk(folder, f"{name}/"))
    elif (folder / "cur").is_dir():
        yield from _walk(folder, f"{name}/")


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Leave out what is not a file, or a link to one: to open a pipe or a device would wait for ever."""
    try:
        return entry.is_file()
    except OSError:
        return False
