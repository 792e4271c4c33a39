"""Where results are written: a refused place is named before the work begins, and what is written is there whole.

Files and folders are made beside their place, under a hidden name, and put there at the end; on failure and on
interruption they are removed, and what stood in the place before stays.
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
    """Say before the work is done if no file can be written there: not in a folder's place, not over a protected one.

    `what` stands in the message behind "cannot write".
    """
    path = Path(target)
    with explained(path, what):
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if path.exists() and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "the file is there and write-protected")
        if not path.exists() or path.is_file():
            _try_folder(path.resolve().parent)
    return path


def check_folder(target: str | os.PathLike[str], what: str, refuse: Callable[[Path], str | None]) -> Path:
    """Say before the work is done if no folder can be put there.

    `what` names the contents; `refuse` says why a folder that is there already and not empty must stay, if it must.
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
    """Say before the work is done if no files can be written into a folder, which need not be there yet."""
    path = Path(target)
    with explained(path, f"{what} to"):
        if path.exists() and not path.is_dir():
            raise OutputError(f"{path} is a file: name a folder for {what}")
        _try_folder(path.resolve())
    return path


def _try_folder(folder: Path) -> None:
    """Make a file without a name in the nearest folder that is there: only this tells a read-only disk or a quota."""
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    if not nearest.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{nearest} is not a folder")
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as problem:
        raise type(problem)(problem.errno, f"{nearest} is not a folder that can be written to") from None


@contextlib.contextmanager
def explained(target: Path, what: str = "") -> Iterator[None]:
    """Turn an error of the system into one that says what cannot be written where."""
    try:
        yield
    except OSError as problem:
        place = f"{what} {target}" if what else str(target)
        raise OutputError(f"cannot write {place}: {problem.strerror or problem}") from None


@contextlib.contextmanager
def replacing(target: str | os.PathLike[str], what: str = "") -> Iterator[Path]:
    """Give a path beside the target to write to, and put it in the target's place at the end, or remove it."""
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
    """Give a new folder beside the target and put it in the target's place at the end, or remove it."""
    path, made = Path(target), None
    try:
        with explained(path, f"{what} to"):
            whole = path.resolve()
            whole.parent.mkdir(parents=True, exist_ok=True)
            made = whole.with_name(_hidden(whole))
            made.mkdir()
            yield made
            _put(made, whole)
    finally:
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)


def _hidden(target: Path) -> str:
    shortened = os.fsencode(target.name)[:_NAME_BYTES].decode("utf-8", "ignore")
    return f".{shortened}-{secrets.token_hex(4)}"


def _put(made: Path, target: Path) -> None:
    """Put a folder in its place; of several who do so at once the last one stays."""
    for _ in range(_ATTEMPTS):
        try:
            made.rename(target)
        except OSError as problem:
            if problem.errno not in _TAKEN:
                raise
            _exchange(made, target)
        if not made.exists():
            return
    raise FileExistsError(errno.EEXIST, "others write to the same folder")


def _exchange(made: Path, target: Path) -> None:
    """Move what is in the place away, and back if the new folder cannot be put there."""
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
    # A new folder is in the place, or was until the next one came: what stood there before is not needed again.
    shutil.rmtree(old, ignore_errors=True)
