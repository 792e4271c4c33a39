"""Office and book files other than DOCX: zip archives that contain no documents of their own, so they are refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

from neardup.read.columns.batches import Item
from neardup.read.files.entries import Entry
from neardup.read.formats.archives.zip_archive import ZIP
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy
from neardup.read.reading import Reading, Unreadable

_SUFFIXES = (".xlsx", ".pptx", ".odt", ".ods", ".epub")


def _refuse() -> NoReturn:
    raise Unreadable("it is an office or book file: save it as text, CSV, HTML, PDF or DOCX")


def read_office(_entry: Entry, _reading: Reading) -> Iterator[Item]:
    """Refuse the file."""
    _refuse()


def write_office(_copy: Copy) -> bool:
    """Refuse the file, as in reading."""
    _refuse()


def _is_office(head: bytes, suffix: str) -> bool:
    """Recognise the file by its suffix or by the first member of the zip archive."""
    return head.startswith(ZIP.magic) and (
        suffix in _SUFFIXES or head[30:60].startswith((b"[Content_Types]", b"mimetype"))
    )


OFFICE = DocumentFormat(
    name="office file", recognise=_is_office, overrides=ZIP.name, binary=True, read=read_office, write=write_office
)
