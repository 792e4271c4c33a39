"""PDF: the text of its pages, one document per file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neardup.errors import MissingExtra
from neardup.read.columns.batches import Item, Row, without_surrogates
from neardup.read.files.entries import Entry
from neardup.read.files.streams import read_whole
from neardup.read.formats.format import DocumentFormat
from neardup.read.reading import Limits, Reading, Unreadable


def read_pdf(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield a PDF file as one document."""
    try:
        import pypdfium2  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("pypdfium2", "documents", f"reading {entry.name}, a PDF file,") from None
    content = read_whole(entry.stream, reading.limits)
    try:
        document = pypdfium2.PdfDocument(content)
        try:
            text = "\n".join(_pages(document, reading.limits))
        finally:
            document.close()
    except pypdfium2.PdfiumError as problem:
        raise Unreadable(f"it is not a valid PDF, or it needs a password ({problem})") from None
    reading.note(entry.name, "PDF, one document per file")
    yield Row(without_surrogates(text), entry.name)


def _pages(document: Any, limits: Limits) -> Iterator[str]:
    """Yield the text of each page, up to the limit of one document."""
    size = 0
    for number in range(len(document)):
        page = document[number]
        content = page.get_textpage()
        text = str(content.get_text_bounded())
        content.close()
        page.close()
        size += len(text)
        if size > limits.document_bytes:
            raise Unreadable(f"its text is longer than {limits.document_bytes:,} characters")
        yield text


PDF = DocumentFormat(name="PDF", suffixes=(".pdf",), magic=(b"%PDF-",), binary=True, read=read_pdf)
