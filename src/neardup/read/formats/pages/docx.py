"""DOCX: the paragraphs and tables of its body, one document per file.

python-docx parses the XML without expanding entities; the size of the decompressed zip archive is checked first.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from neardup.errors import MissingExtra
from neardup.read.columns.batches import Item, Row
from neardup.read.files.entries import Entry
from neardup.read.files.streams import read_whole
from neardup.read.formats.archives.zip_archive import ZIP
from neardup.read.formats.format import DocumentFormat
from neardup.read.reading import Limits, Reading, Unreadable


def read_docx(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield a DOCX file as one document."""
    try:
        import docx  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("python-docx", "documents", f"reading {entry.name}, a DOCX file,") from None
    content = read_whole(entry.stream, reading.limits)
    try:
        _check_size(content, reading.limits)
        text = "\n".join(_lines(docx.Document(io.BytesIO(content))))
    except Unreadable:
        raise
    except Exception as problem:  # python-docx and lxml raise many kinds on broken files
        raise Unreadable(f"it is not a valid DOCX file ({problem})") from None
    reading.note(entry.name, "DOCX, one document per file")
    yield Row(text, entry.name)


def _check_size(content: bytes, limits: Limits) -> None:
    """Refuse a decompression bomb; zipfile yields no more bytes of a member than its directory declares."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(member.file_size for member in archive.infolist())
    limits.check_expansion(size, len(content))


def _lines(container: Any) -> Iterator[str]:
    """Yield the text of paragraphs and table cells in the order of the document."""
    from docx.table import Table  # noqa: PLC0415 - an extra

    for block in container.iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                # A cell that spans columns occurs in the row once for each of them.
                for cell in dict.fromkeys(row.cells):
                    yield from _lines(cell)
        else:
            yield block.text


def _is_docx(head: bytes, suffix: str) -> bool:
    """Recognise a DOCX file by its suffix or by the first member of the zip archive."""
    first = head[30:60]
    named = first.startswith((b"[Content_Types]", b"_rels/", b"word/")) and b"word/" in head
    return head.startswith(ZIP.magic) and (suffix == ".docx" or named)


DOCX = DocumentFormat(
    name="DOCX", suffixes=(".docx",), recognise=_is_docx, overrides=ZIP.name, binary=True, read=read_docx
)
