"""Plain text and HTML: one document per file. HTML keeps its markup, and the document is flagged as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neardup.read.columns.batches import Item, Row
from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream, read_whole
from neardup.read.formats.format import DocumentFormat
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


TEXT = DocumentFormat(
    name="plain text",
    suffixes=(".txt", ".text", ".md", ".rst"),
    recognise=lambda _head, _suffix: True,
    read=read_text,
)

HTML = DocumentFormat(
    name="HTML",
    suffixes=(".html", ".htm", ".xhtml"),
    recognise=lambda head, _suffix: _HTML_START.match(head) is not None,
    overrides="XML",
    read=read_html,
)
