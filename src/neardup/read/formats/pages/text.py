"""Plain text and HTML: one document per file. HTML keeps its markup, and the document is flagged as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neardup.read.columns.batches import Item, Row
from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream, read_whole
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy, encode_change, pour_document
from neardup.read.reading import Reading

_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z][\w.:-]*)""")
_HTML_START = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?><!--.*?-->\s*)*+<(?:!doctype\s+html|html)\b", re.I | re.S)


def read_text(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield a text file as one document."""
    transcoder = Transcoder(entry.stream, reading)
    text = read_whole(Stream(transcoder.read), reading.limits).decode("utf-8")
    reading.note(entry.name, f"plain text in {transcoder.encoding.upper()}, one document per file")
    yield Row(text, entry.name)


def read_html(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield an HTML file as one document."""
    declared = _DECLARED.search(entry.stream.peek(2048))
    transcoder = Transcoder(entry.stream, reading, declared.group(1).decode() if declared else None)
    text = read_whole(Stream(transcoder.read), reading.limits).decode("utf-8")
    reading.note(entry.name, f"HTML in {transcoder.encoding.upper()}, one document per file")
    yield Row(text, entry.name, html=True)


def write_text(copy: Copy) -> bool:
    """Write a file that is one document: byte for byte, or a new text in the encoding of the file."""
    return _write_page(copy, None)


def write_html(copy: Copy) -> bool:
    """Write a page: byte for byte, or a new text in the encoding of the file."""
    declared = _DECLARED.search(copy.entry.stream.peek(2048))
    return _write_page(copy, declared.group(1).decode() if declared else None)


def _write_page(copy: Copy, declared: str | None) -> bool:
    if not copy.keep.take(1)[0]:
        return False
    changed = copy.keep.changes(1)
    if not changed:
        pour_document(copy)
        return True
    transcoder = Transcoder(copy.entry.stream, copy.reading, declared)
    read_whole(Stream(transcoder.read), copy.reading.limits)  # to the end: the encoding may be decided late
    copy.sink.write(transcoder.mark + encode_change(changed[0], transcoder.encoding))
    return True


TEXT = DocumentFormat(
    name="plain text",
    suffixes=(".txt", ".text", ".md", ".rst"),
    recognise=lambda _head, _suffix: True,
    read=read_text,
    write=write_text,
    changes_texts=True,
)

HTML = DocumentFormat(
    name="HTML",
    suffixes=(".html", ".htm", ".xhtml"),
    recognise=lambda head, _suffix: _HTML_START.match(head) is not None,
    overrides="XML",
    read=read_html,
    write=write_html,
    changes_texts=True,
)
