"""XML packs: one file with many documents, each an element with an id or address and its content.

A pack is told by its structure: below the root, an element that holds one whose name says that it is a text (content,
text, body, html, …), or that has an id or an address and text of its own. It is cut at the ends of these elements
while it is read, so that its size does not matter and a broken document is one unreadable record. A document type that
declares entities is refused; nothing is looked up or unfolded. What a document is made of is said in `records`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from neardup.read.batches import Item, Row
from neardup.read.columns import names_id, names_text
from neardup.read.encodings import Transcoder
from neardup.read.entries import Entry
from neardup.read.formats.packed import clean_markup, names_address, parse_record, plain_name
from neardup.read.reading import Reading, Unreadable, Wanted
from neardup.read.streams import STEP, Stream, read_whole

_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']\s*([A-Za-z][\w.:-]*)""")
_TAG_REST = re.compile(rb"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_HIDDEN = {b"<![CDATA[": b"]]>", b"<!--": b"-->"}
_NO_RECORDS = frozenset(("channel", "head", "header", "meta", "metadata", "info", "image"))
_HEAD = 1 << 20


class Piece(NamedTuple):
    """A stretch of a pack: the element of a document, or what stands between."""

    content: bytes
    is_record: bool


class _Found(Exception):  # noqa: N818 - no error, but the way out of the parser
    """The name of the elements that are documents."""


def read_pack(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the documents of an XML pack; an XML file that is no pack is one document."""
    declared = _DECLARED.match(entry.stream.peek(2048))
    transcoder = Transcoder(entry.stream, reading, declared.group(1).decode() if declared else None)
    stream = Stream(transcoder.read)
    record = find_record(stream.peek(_HEAD), reading.wanted)
    if record is None:
        yield Row(read_whole(stream, reading.limits).decode("utf-8"), entry.name, html=True)
        reading.note(entry.name, f"XML in {transcoder.encoding.upper()}, one document")
        return
    records = (piece.content for piece in split_pack(stream, record, reading.limits.document_bytes) if piece.is_record)
    for number, content in enumerate(records, 1):
        name = f"{entry.name}#{number}"
        try:
            yield parse_record(content, name, reading)
        except Unreadable as problem:
            reading.fail(f"{entry.name}, document {number}", str(problem))
            yield Row(None, name, unreadable=True)
    reading.note(entry.name, f"XML pack in {transcoder.encoding.upper()}, one document per element {record}")


def find_record(head: bytes, wanted: Wanted) -> str | None:
    """Tell by its beginning which elements of an XML file are documents; None if it is no pack."""
    path: list[str] = []
    named = False

    def refuse(*_: object) -> None:
        raise Unreadable("its document type declares entities, which can hide other files or unfold without end")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal named
        if len(path) >= 2 and plain_name(path[-1]) not in _NO_RECORDS and _is_content(plain_name(name), wanted):
            raise _Found(path[-1])
        named = len(path) == 1 and any(names_id(key) or names_address(key) for key in attributes)
        path.append(name)

    def end(_: str) -> None:
        path.pop()

    def text(content: str) -> None:
        if named and len(path) == 2 and content.strip():
            raise _Found(path[1])

    parser = expat.ParserCreate("utf-8")
    parser.EntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    try:
        parser.Parse(clean_markup(head), False)
    except _Found as found:
        return str(found)
    except expat.ExpatError:
        return None
    return None


def _is_content(name: str, wanted: Wanted) -> bool:
    return name == plain_name(wanted.text) if wanted.text else names_text(name)


def split_pack(stream: Stream, record: str, most: int) -> Iterator[Piece]:
    """Cut a pack into the elements of its documents and what stands between, without losing a byte.

    Elements of documents do not lie in each other: one that begins before the last has ended leaves that one broken.
    """
    marks = re.compile(rb"<!\[CDATA\[|<!--|<(/?)" + re.escape(record.encode()) + rb"(?=[\s/>])")
    margin = len(record.encode()) + 16
    buffer, place, opened, ended = b"", 0, False, False
    while not ended:
        fresh = stream.read(max(STEP, len(buffer)))
        buffer, ended = buffer + fresh, not fresh
        taken = 0
        while (mark := marks.search(buffer, place)) is not None:
            after = _end_of(buffer, mark)
            if after is None:
                place = mark.start()
                break
            place = after
            if mark.group(1) is None:
                continue
            closes = mark.group(1) == b"/"
            until = after if closes else mark.start()
            if until > taken and (opened or not closes):
                yield Piece(buffer[taken:until], opened)
                taken = until
            opened = not closes and not buffer.endswith(b"/>", 0, after)
            if not opened and not closes:
                yield Piece(buffer[taken:after], True)
                taken = after
        else:
            place = max(place, len(buffer) - margin, 0) if not ended else len(buffer)
            if not opened and place > taken:
                yield Piece(buffer[taken:place], False)
                taken = place
        buffer, place = buffer[taken:], place - taken
        if len(buffer) > most:
            raise Unreadable(f"a document is larger than {most:,} bytes")
    if buffer:
        yield Piece(buffer, opened)


def _end_of(buffer: bytes, mark: re.Match[bytes]) -> int | None:
    """Return where a tag, a comment or a CDATA section ends; None if that is not there yet."""
    if mark.group(1) is None:
        hidden = _HIDDEN[mark.group()]
        end = buffer.find(hidden, mark.end())
        return None if end < 0 else end + len(hidden)
    rest = _TAG_REST.match(buffer, mark.end())
    return None if rest is None else rest.end()
