"""DOCX: the paragraphs and tables of its body, one document per file.

python-docx parses the XML without expanding entities; how far the zip archive around it unfolds is checked before.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import Any

from neardup.errors import MissingExtra
from neardup.read.batches import Item, Row
from neardup.read.entries import Entry
from neardup.read.reading import Limits, Reading, Unreadable
from neardup.read.streams import read_whole


def read_docx(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the document that a DOCX file is."""
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
    except Exception as problem:  # whatever python-docx and lxml raise on broken files
        raise Unreadable(f"it is no valid DOCX file ({problem})") from None
    reading.note(entry.name, "DOCX, one document per file")
    yield Row(text, entry.name)


def _check_size(content: bytes, limits: Limits) -> None:
    """Refuse a bomb: zipfile gives no member more bytes than its directory says."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > limits.member_bytes and size > limits.ratio * len(content):
        raise Unreadable(f"it unfolds to more than {limits.ratio} times its size, so it is taken for a bomb")


def _lines(container: Any) -> Iterator[str]:
    """Yield the text of paragraphs and table cells in the order of the document."""
    for block in container.iter_inner_content():
        if hasattr(block, "rows"):
            for row in block.rows:
                # A cell that spans columns stands in the row once for each of them.
                for cell in dict.fromkeys(row.cells):
                    yield from _lines(cell)
        else:
            yield block.text
