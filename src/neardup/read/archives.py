"""The members of zip and tar archives, one after the other, never written to disk.

A member's path is only ever used as an id, with everything that climbs out of the archive removed.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from neardup.read.reading import Limits, Unreadable
from neardup.read.streams import BROKEN, Stream

_BROKEN = (*BROKEN, zipfile.BadZipFile, tarfile.TarError, RuntimeError, NotImplementedError, ValueError, KeyError)


@dataclass(slots=True)
class Member:
    """One member of an archive; a folder or link has no stream, and a hidden file is no document."""

    path: str
    about: zipfile.ZipInfo | tarfile.TarInfo
    stream: Stream | None

    @property
    def is_document(self) -> bool:
        """Say whether the member is to be read."""
        return self.stream is not None and not is_hidden(self.path)

    @property
    def is_broken_document(self) -> bool:
        """Say whether the member was read and broke off."""
        return self.stream is not None and self.stream.broken and self.is_document


def zip_members(file: IO[bytes], limits: Limits) -> Iterator[Member]:
    """Yield the members of a zip archive."""
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN as problem:
        raise Unreadable(f"its zip directory is broken ({problem})") from None
    with archive:
        for about in archive.infolist():
            path = safe_path(about.filename)
            yield Member(path, about, None if about.is_dir() else _open_zipped(archive, about, limits))


def tar_members(stream: Stream) -> Iterator[Member]:
    """Yield the members of a tar archive; each must be read before the next is asked for."""
    member = None
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for about in archive:
                path = safe_path(about.name)
                member = Member(path, about, _open_tarred(archive, about) if about.isfile() else None)
                yield member
    except _BROKEN as problem:
        if member is not None and member.is_broken_document:
            return  # it stands for all that follows it
        raise Unreadable(f"the tar archive is broken ({problem})") from None
    except Unreadable:
        if member is None or not member.is_broken_document:
            raise


def safe_path(path: str) -> str:
    """Remove from a member's path whatever would lead out of the archive."""
    parts = path.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", ".", "..")) or "unnamed"


def is_hidden(path: str) -> bool:
    """Say whether a file or one of its folders is hidden, as the folders that macOS adds to archives are too."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))


def _open_zipped(archive: zipfile.ZipFile, about: zipfile.ZipInfo, limits: Limits) -> Stream:
    opened: IO[bytes] | None = None
    produced = 0

    def read(size: int) -> bytes:
        nonlocal opened, produced
        try:
            opened = opened or archive.open(about)
            chunk = opened.read(size)
        except _BROKEN as problem:
            raise Unreadable(f"it cannot be taken out of the archive ({problem})") from None
        produced += len(chunk)
        if produced > limits.member_bytes and produced > limits.ratio * max(about.compress_size, 1):
            raise Unreadable(f"it unfolds to more than {limits.ratio} times its size, so it is taken for a bomb")
        return chunk

    return Stream(read, lambda: opened.close() if opened else None)


def _open_tarred(archive: tarfile.TarFile, about: tarfile.TarInfo) -> Stream:
    file = archive.extractfile(about)

    def read(size: int) -> bytes:
        try:
            return file.read(size) if file else b""
        except _BROKEN as problem:
            raise Unreadable(f"it cannot be taken out of the archive ({problem})") from None

    return Stream(read)
