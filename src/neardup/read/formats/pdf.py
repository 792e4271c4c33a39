"""PDF: the text of its pages, one document per file."""

from __future__ import annotations

from collections.abc import Iterator

from neardup.errors import MissingExtra
from neardup.read.batches import Item, Row, without_surrogates
from neardup.read.entries import Entry
from neardup.read.reading import Reading, Unreadable
from neardup.read.streams import read_whole


def read_pdf(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the document that a PDF file is."""
    try:
        import pypdfium2  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra("pypdfium2", "documents", f"reading {entry.name}, a PDF file,") from None
    content = read_whole(entry.stream, reading.limits)
    pages: list[str] = []
    size = 0
    try:
        with pypdfium2.PdfDocument(content) as document:
            for number in range(len(document)):
                page = document[number]
                text = page.get_textpage()
                pages.append(text.get_text_range())
                size += len(pages[-1])
                text.close()
                page.close()
                if size > reading.limits.document_bytes:
                    raise Unreadable("it unfolds to too much text")
    except pypdfium2.PdfiumError as problem:
        raise Unreadable(f"it is no valid PDF, or needs a password ({problem})") from None
    reading.note(entry.name, "PDF, one document per file")
    yield Row(without_surrogates("\n".join(pages)), entry.name)
