"""Tar archives, compressed or not."""

from __future__ import annotations

import copy
import tarfile
from collections.abc import Iterable, Iterator
from typing import IO

from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream
from neardup.read.formats.archives.members import DAMAGED_ARCHIVE, Member, safe_path
from neardup.read.formats.format import ArchiveFormat, KeptMember
from neardup.read.reading import Limits, Unreadable


def open_tar_members(entry: Entry, _limits: Limits) -> Iterator[Member]:
    """Yield the members of a tar archive; each must be read before the next one is requested."""
    member = None
    try:
        with tarfile.open(fileobj=entry.stream, mode="r|") as archive:
            for about in archive:
                stream = _open_member(archive, about) if about.isfile() else None
                member = Member(safe_path(about.name), about, stream)
                yield member
    except DAMAGED_ARCHIVE as problem:
        if member is not None and member.is_damaged_document:
            return  # the damaged member represents everything after it
        raise Unreadable(f"the tar archive is damaged ({problem})") from None
    except Unreadable:
        if member is None or not member.is_damaged_document:
            raise


def pack_tar(members: Iterable[KeptMember], sink: IO[bytes]) -> None:
    """Write members into a tar archive, with the attributes that they had."""
    with tarfile.open(fileobj=sink, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for member, content in members:
            assert isinstance(member.about, tarfile.TarInfo)
            about = copy.copy(member.about)
            if content is not None:
                about.size = content.seek(0, 2)
                content.seek(0)
            archive.addfile(about, content)


def _open_member(archive: tarfile.TarFile, about: tarfile.TarInfo) -> Stream:
    file = archive.extractfile(about)

    def read(size: int) -> bytes:
        try:
            return file.read(size) if file else b""
        except DAMAGED_ARCHIVE as problem:
            raise Unreadable(f"it cannot be extracted from the archive ({problem})") from None

    return Stream(read)


TAR = ArchiveFormat(
    name="tar",
    suffixes=(".tar",),
    magic=(b"ustar",),
    magic_offset=257,
    binary=True,
    members=open_tar_members,
    pack=pack_tar,
)
