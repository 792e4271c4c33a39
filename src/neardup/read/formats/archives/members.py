"""The members of archives, one after the other, never written to disk.

The path of a member is used only as an id. Parts of it that would lead out of the archive are removed.
"""

from __future__ import annotations

import tarfile
import zipfile
from dataclasses import dataclass

from neardup.read.files.entries import Entry
from neardup.read.files.streams import DAMAGED, Stream

DAMAGED_ARCHIVE = (
    *DAMAGED,
    zipfile.BadZipFile,
    tarfile.TarError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    KeyError,
)
"""What the archive modules of the standard library raise on damaged files."""


@dataclass(slots=True)
class Member:
    """One member of an archive; a folder or link has no stream, and a hidden file is not a document.

    `compressed_bytes` is the size of the member in an archive that is opened by position, and 0 in a stream.
    """

    path: str
    about: zipfile.ZipInfo | tarfile.TarInfo
    stream: Stream | None
    compressed_bytes: int = 0

    @property
    def is_document(self) -> bool:
        """Whether the member is read."""
        return self.stream is not None and not is_hidden(self.path)

    @property
    def is_damaged_document(self) -> bool:
        """Whether the member was read and its stream broke off."""
        return self.stream is not None and self.stream.broken and self.is_document

    def enter(self, archive: Entry, stream: Stream) -> Entry:
        """Return the member as an entry of its own, read from a stream."""
        return Entry(f"{archive.name}/{self.path}", stream, archive.budget, depth=archive.depth + 1)


def safe_path(path: str) -> str:
    """Remove from a member's path whatever would lead out of the archive."""
    parts = path.replace("\\", "/").split("/")
    return "/".join(part for part in parts if part not in ("", ".", "..")) or "unnamed"


def is_hidden(path: str) -> bool:
    """Return whether a file or one of its folders is hidden, or was added to the archive by macOS."""
    return any(part.startswith(".") or part == "__MACOSX" for part in path.split("/"))
