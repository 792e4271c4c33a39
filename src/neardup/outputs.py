"""Check output paths before the work begins, and write files and folders completely or not at all.

Files and folders are written next to their target under a hidden name and renamed at the end. On failure and on
interruption they are removed, and an older file or folder at the target stays.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from neardup.errors import OutputError

_ATTEMPTS = 100
_NAME_BYTES = 200
_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


def check_file(target: str | os.PathLike[str], what: str = "") -> Path:
    """Raise OutputError if no file can be written to this path: it is a folder, or a write-protected file.

    `what` follows "cannot write" in the message.
    """
    path = Path(target)
    with explained(path, what):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "the file exists and is write-protected")
        if not path.exists() or path.is_file():
            _try_folder(path.resolve().parent)
    return path


def check_folder(target: str | os.PathLike[str], what: str, refuse: Callable[[Path], str | None]) -> Path:
    """Raise OutputError if no folder can be created at this path.

    `what` names the contents. `refuse` returns the reason if an existing folder that is not empty must not be replaced.
    """
    path = Path(target)
    with explained(path, f"{what} to"):
        if path.exists() and not path.is_dir():
            raise OutputError(f"{path} is a file: name a folder for {what}")
        if path.is_dir() and any(path.iterdir()) and (reason := refuse(path)):
            raise OutputError(f"{path} {reason}: name a new or an empty folder")
        _try_folder(path.resolve().parent)
    return path


def check_inside(target: str | os.PathLike[str], what: str) -> Path:
    """Raise OutputError if no files can be written into a folder; the folder need not exist."""
    path = Path(target)
    with explained(path, f"{what} to"):
        if path.exists() and not path.is_dir():
            raise OutputError(f"{path} is a file: name a folder for {what}")
        _try_folder(path.resolve())
    return path


def _try_folder(folder: Path) -> None:
    """Create a temporary file in the nearest existing folder: only this detects a read-only disk or a full quota."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not nearest.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{nearest} is not a folder")
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as problem:
        raise type(problem)(problem.errno, f"{nearest} is not a writable folder") from None


@contextlib.contextmanager
def explained(target: Path, what: str = "") -> Iterator[None]:
    """Turn an OSError into an OutputError that names what cannot be written, and where."""
    try:
        yield
    except OSError as problem:
        described = f"{what} {target}" if what else str(target)
        raise OutputError(f"cannot write {described}: {problem.strerror or problem}") from None


@contextlib.contextmanager
def replacing(target: str | os.PathLike[str], what: str = "") -> Iterator[Path]:
    """Yield a temporary path next to the target, and rename it to the target at the end; on failure remove it."""
    named, made = Path(target), None
    try:
        with explained(named, what):
            if named.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a folder")
            if named.exists() and not named.is_file():
                yield named  # a pipe or a device cannot be replaced, only written to
                return
            whole = named.resolve()
            whole.parent.mkdir(parents=True, exist_ok=True)
            made = whole.with_name(_hidden(whole))
            yield made
            made.replace(whole)
    finally:
        if made is not None:
            with contextlib.suppress(OSError):
                made.unlink()


@contextlib.contextmanager
def replacing_folder(target: str | os.PathLike[str], what: str) -> Iterator[Path]:
    """Yield a new folder next to the target, and rename it to the target at the end; on failure remove it."""
    path, made = Path(target), None
    try:
        with explained(path, f"{what} to"):
            whole = path.resolve()
            whole.parent.mkdir(parents=True, exist_ok=True)
            made = whole.with_name(_hidden(whole))
            made.mkdir()
            yield made
            _rename(made, whole)
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


def _hidden(target: Path) -> str:
    shortened = os.fsencode(target.name)[:_NAME_BYTES].decode("utf-8", "ignore")
    return f".{shortened}-{secrets.token_hex(4)}"


def _rename(made: Path, target: Path) -> None:
    """Rename a folder to its target; of several concurrent writers, the last one wins."""
    for _ in range(_ATTEMPTS):
        try:
            made.rename(target)
        except OSError as problem:
            if problem.errno not in _TAKEN:
                raise
            _exchange(made, target)
        if not made.exists():
            return
    raise FileExistsError(errno.EEXIST, "other programs write to the same folder")


def _exchange(made: Path, target: Path) -> None:
    """Move the folder at the target away, and back if the new folder cannot be put there."""
    old = target.with_name(_hidden(target))
    try:
        with contextlib.suppress(FileNotFoundError):
            target.rename(old)
        made.rename(target)
    except BaseException as problem:
        if not isinstance(problem, OSError) or problem.errno not in _TAKEN:
            with contextlib.suppress(OSError):
                old.rename(target)
            raise
    # This folder, or that of a later writer, is at the target now: the old one is not needed again.
    shutil.rmtree(old, ignore_errors=True)
