"""Expand paths, folders and patterns into a list of files, in a fixed order.

A folder is searched recursively, sorted by path, without hidden files; links to folders are not followed. A folder that
contains `cur` and `new` is a Maildir, whose messages are the files in these two. The name of a file, which is the id of
its document, is its path below the folder or pattern that it was found by, or else its file name.
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
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,9}:/")  # a Path has lost the second slash of an address
_NAMES = 10_000


@dataclass(frozen=True, slots=True)
class InputFile:
    """One file to read; `regular` is false for pipes and devices, which can be read only once."""

    path: Path
    name: str
    is_message: bool = False
    size: int = 0
    regular: bool = True


Named = str | os.PathLike[str]


def list_sources(source: Named | Iterable[Named]) -> list[Named]:
    """Return one or several paths as a list."""
    return [source] if isinstance(source, (str, os.PathLike)) else list(source)


def find_files(source: Named | Iterable[Named]) -> list[InputFile]:
    """List the files of a path, a pattern, a folder or several of them."""
    named = list_sources(source)
    if sum(os.fsdecode(item) == STANDARD_INPUT for item in named) > 1:
        raise InputError("standard input can be read only once: name it once")
    return [file for item in named for file in _expand(item)]


def is_pattern(name: str) -> bool:
    """Return whether a name contains the characters of a pattern."""
    return not _PATTERN.isdisjoint(name)


def exists(name: str) -> bool:
    """Return whether a file or folder of this name exists; any text may be passed."""
    try:
        return Path(name).expanduser().exists()
    except (OSError, ValueError, RuntimeError):
        return False


def _expand(item: Named) -> list[InputFile]:
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


def _advise(item: Named, name: str) -> str:
    near = _suggest_names(name)
    if near and not isinstance(item, str):
        return near
    return f"{near}; {_describe_accepted(item)}" if near else _describe_accepted(item)


def _suggest_names(name: str) -> str:
    """Suggest existing names that are similar, or name the first folder of the path that does not exist."""
    try:
        path = Path(name).expanduser()
        missing = next((folder for folder in reversed(path.parents) if not folder.exists()), path)
        names = [entry.name for entry in itertools.islice(os.scandir(missing.parent), _NAMES)]
    except (OSError, ValueError, RuntimeError):
        return ""
    folded = {known.casefold(): known for known in sorted(names)}
    close = [folded[known] for known in difflib.get_close_matches(missing.name.casefold(), folded, n=3)]
    hints = [f"there is no folder {missing}"] if missing != path else []
    if close:
        hints.append(f"did you mean {', '.join(str(missing.with_name(known)) for known in close)}?")
    return ", ".join(hints)


def _describe_accepted(item: Named) -> str:
    """Describe what can be named instead; only a plain string may have been meant as a text."""
    if isinstance(item, str):
        return "check the path, or pass the texts themselves as a list of strings"
    return "name a file, a folder, or a pattern such as 'letters/*.txt'"


def _walk_named(folder: Path) -> list[InputFile]:
    found = list(_walk(folder, ""))
    if not found:
        raise InputError(f"{folder} contains no files except hidden ones")
    return found


def _named_file(path: Path) -> InputFile:
    if not os.access(path, os.R_OK):
        raise InputError(f"{path} cannot be opened: no permission to read it")
    about = path.stat()
    return InputFile(path, path.name, size=about.st_size, regular=stat.S_ISREG(about.st_mode))


def _standard_input() -> InputFile:
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("there is no standard input: name a file")
    if sys.stdin.isatty():
        raise InputError("standard input is a terminal: pipe data into it, or name a file")
    return replace(_named_file(Path("/dev/stdin")), name="stdin")


def _match(item: Named) -> list[InputFile]:
    pattern = os.fsdecode(item)
    try:
        matches = sorted(Path(match) for match in glob.glob(str(Path(pattern).expanduser()), recursive=True))  # noqa: PTH207
    except (OSError, ValueError, RuntimeError):
        matches = []
    root = Path(*_fixed_parts(pattern))
    files = []
    for match in matches:
        below = match.relative_to(root).as_posix() if match.is_relative_to(root) else match.name
        if match.is_dir():
            # A pattern with ** matches each folder and its files: they are not read twice.
            files += [] if "**" in pattern else list(_walk(match, f"{below}/"))
        elif match.is_file():
            files.append(InputFile(match, below, size=match.stat().st_size))
    if not files:
        raise InputError(f"no file matches the pattern {pattern!r}: {_describe_accepted(item)}")
    return files


def _fixed_parts(pattern: str) -> list[str]:
    """Return the leading parts of a pattern that contain no pattern characters."""
    parts = Path(pattern).expanduser().parts
    count = next((index for index, part in enumerate(parts) if is_pattern(part)), len(parts) - 1)
    return list(parts[:count])


def _walk(folder: Path, prefix: str) -> Iterator[InputFile]:
    """Yield the files of a folder and its sub-folders, sorted by path."""
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
        elif not maildir and not entry.name.startswith(".") and _is_regular(entry):
            yield InputFile(path, name, size=entry.stat().st_size)


def _walk_maildir(folder: Path, name: str) -> Iterator[InputFile]:
    """Yield the messages of a Maildir's folder, or those of a Maildir inside it."""
    if folder.name in ("cur", "new"):
        yield from (replace(file, is_message=True) for file in _walk(folder, f"{name}/"))
    elif (folder / "cur").is_dir():
        yield from _walk(folder, f"{name}/")


def _is_regular(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a file or a link to one; opening a pipe or a device could block for ever."""
    try:
        return entry.is_file()
    except OSError:
        return False
