"""What a format is: how a file of it is recognised, how it is read, and how it is written without some records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, TypeAlias

from neardup.read.columns.batches import Item
from neardup.read.files.entries import Entry
from neardup.read.formats.archives.members import Member
from neardup.read.formats.keeping import Copy, write_document
from neardup.read.reading import Limits, Reading, Unreadable

Recogniser: TypeAlias = Callable[[bytes, str], bool]
"""Tells from the first bytes of a file and its suffix whether the file has a format."""

Reader: TypeAlias = Callable[[Entry, Reading], Iterator[Item]]
"""Yields the documents of a file, as rows or batches."""

Writer: TypeAlias = Callable[[Copy], bool]
"""Writes the records that are kept; returns False if the file is one document that is not kept."""

KeptMember: TypeAlias = tuple[Member, IO[bytes] | None]
"""A member of an archive and its content; None for a folder or a link."""


def _never(_head: bytes, _suffix: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How a file of this format is recognised.

    A suffix decides for text formats. Binary formats are recognised by `magic`, their first bytes at `magic_offset`,
    and then by suffix. `recognise` decides for files that neither suffix nor magic bytes identify. A format that
    `overrides` another one replaces it where `recognise` says so: a JSON file may contain JSON lines.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    magic_offset: int = 0
    binary: bool = False
    recognise: Recogniser = _never
    overrides: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFormat(Format):
    """A format of documents; without a writer of its own, a file of it is one document.

    `changes_texts` says whether its writer can write other texts than it read.
    """

    read: Reader
    write: Writer = write_document
    changes_texts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFormat(Format):
    """A format of archives: `members` opens the members one by one, `pack` writes those that are kept."""

    members: Callable[[Entry, Limits], Iterator[Member]]
    pack: Callable[[Iterable[KeptMember], IO[bytes]], None]

    def open(self, entry: Entry, limits: Limits) -> Iterator[Member]:
        """Open the members one by one; refuse an archive that is nested too deeply."""
        if entry.depth >= limits.depth:
            raise Unreadable(f"it is an archive nested more than {limits.depth} deep in others")
        return self.members(entry, limits)


AnyFormat: TypeAlias = DocumentFormat | ArchiveFormat
