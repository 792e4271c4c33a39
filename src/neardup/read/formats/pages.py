"""Plain text and HTML: one document per file. Markup stays as it is, and the document is marked as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from neardup.read.batches import Item, Row
from neardup.read.encodings import Transcoder
from neardup.read.entries import Entry
from neardup.read.kinds import HTML
from neardup.read.reading import Reading
from neardup.read.streams import Stream, read_whole

_DECLARED = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z][\w.:-]*)""")


def read_page(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the document that a text or HTML file is."""
    html = entry.kind == HTML
    declared = _DECLARED.search(entry.stream.peek(2048)) if html else None
    transcoder = Transcoder(entry.stream, reading, declared.group(1).decode() if declared else None)
    text = read_whole(Stream(transcoder.read), reading.limits).decode("utf-8")
    reading.note(entry.name, f"{entry.kind} in {transcoder.encoding.upper()}, one document per file")
    yield Row(text, entry.name, html=html)
