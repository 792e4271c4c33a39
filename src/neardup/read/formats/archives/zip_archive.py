"""Zip archives."""

from __future__ import annotations

import copy
import shutil
import zipfile
from collections.abc import Iterable, Iterator
from typing import IO

from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream
from neardup.read.formats.archives.members import DAMAGED_ARCHIVE, Member, safe_path
from neardup.read.formats.format import ArchiveFormat, KeptMember
from neardup.read.reading import Limits, Unreadable

_CODECS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def open_zip_members(entry: Entry, limits: Limits) -> Iterator[Member]:
    """Yield the members of a zip archive."""
    with entry.seekable(limits) as file:
        try:
            archive = zipfile.ZipFile(file)
        except DAMAGED_ARCHIVE as problem:
            raise Unreadable(f"its zip directory is damaged ({problem})") from None
        with archive:
            for about in archive.infolist():
                stream = None if about.is_dir() else _open_member(archive, about, limits)
                yield Member(safe_path(about.filename), about, stream, about.compress_size)


def pack_zip(members: Iterable[KeptMember], sink: IO[bytes]) -> None:
    """Write members into a zip archive, with the attributes that they had."""
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members:
            assert isinstance(member.about, zipfile.ZipInfo)
            about = copy.copy(member.about)
            about.flag_bits &= ~0x8  # the sizes are in the header, not after the content
            about.compress_type = about.compress_type if about.compress_type in _CODECS else zipfile.ZIP_DEFLATED
            if content is None:
                archive.writestr(about, b"")
                continue
            about.file_size = content.seek(0, 2)
            content.seek(0)
            with archive.open(about, "w") as file:
                shutil.copyfileobj(content, file)


def _open_member(archive: zipfile.ZipFile, about: zipfile.ZipInfo, limits: Limits) -> Stream:
    opened: IO[bytes] | None = None
    produced = 0

    def read(size: int) -> bytes:
        nonlocal opened, produced
        try:
            opened = opened or archive.open(about)
            chunk = opened.read(size)
        except DAMAGED_ARCHIVE as problem:
            raise Unreadable(f"it cannot be extracted from the archive ({problem})") from None
        produced += len(chunk)
        limits.check_expansion(produced, about.compress_size)
        return chunk

    return Stream(read, lambda: opened.close() if opened else None)


ZIP = ArchiveFormat(
    name="zip",
    suffixes=(".zip",),
    magic=(b"PK\x03\x04", b"PK\x05\x06"),
    binary=True,
    members=open_zip_members,
    pack=pack_zip,
)
