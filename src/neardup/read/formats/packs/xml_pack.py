"""XML packs: one file with many documents, each an element with an id or address and its content.

A pack is recognised by its structure: below the root there is an element that contains a text by its name (content,
text, body, html, …), or that has an id or address and text of its own. The file is cut at the ends of these elements
while it is read, so that a pack of any size can be read and a broken document is one unreadable record. A document type
that declares entities is refused: nothing is looked up or expanded. Module `xml_record` reads one document.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from xml.parsers import expat

from neardup.read.columns.batches import Item, Row
from neardup.read.columns.plan import names_id, names_text
from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.originals import read_original
from neardup.read.files.streams import STEP, Stream, read_whole
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy, write_document
from neardup.read.formats.packs.xml_record import clean_markup, names_address, parse_record, plain_name
from neardup.read.reading import Reading, Unreadable, Wanted

_XML_START = re.compile(rb"\s*<\?xml\s")
_DECLARED = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']\s*([A-Za-z][\w.:-]*)""")
_TAG_REST = re.compile(rb"""(?:[^>"']++|"[^"]*+"|'[^']*+')*+>""")
_HIDDEN = {b"<![CDATA[": b"]]>", b"<!--": b"-->"}
_NO_RECORDS = frozenset(("channel", "head", "header", "meta", "metadata", "info", "image"))
_HEAD = 1 << 20


class Piece(NamedTuple):
    """A piece of a pack: the element of a document, or what is between two of them."""

    content: bytes
    is_record: bool


class _Found(Exception):  # noqa: N818 - not an error, but the way out of the parser
    """The name of the elements that are documents."""


def read_pack(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the documents of an XML pack; an XML file that is not a pack is one document."""
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


def write_pack(copy: Copy) -> bool:
    """Write the elements of the documents to keep, and everything between them."""
    text, encode = read_original(copy.entry, copy.reading)
    whole = text.encode("utf-8", "surrogatepass")
    record = find_record(whole[:_HEAD].decode("utf-8", "replace").encode(), copy.reading.wanted)
    if record is None:
        with contextlib.closing(copy.reopen()) as again:
            return write_document(replace(copy, entry=again))
    pieces = split_pack(Stream(io.BytesIO(whole).read), record, copy.reading.limits.document_bytes)
    kept = b"".join(piece.content for piece in pieces if not piece.is_record or copy.keep.take(1)[0])
    copy.sink.write(encode(kept.decode("utf-8", "surrogatepass")))
    return True


def find_record(head: bytes, wanted: Wanted) -> str | None:
    """Return the name of the elements that are documents, from the beginning of a file; None if it is not a pack."""
    path: list[str] = []
    named = False

    def refuse(*_: object) -> None:
        raise Unreadable("its document type declares entities, which could include files or expand without limit")

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
    """Cut a pack into the elements of its documents and the pieces between them, without losing a byte.

    Elements of documents are not nested: if one begins before the last has ended, the last one is broken.
    """
    marks = re.compile(rb"<!\[CDATA\[|<!--|<(/?)" + re.escape(record.encode()) + rb"(?=[\s/>])")
    margin = len(record.encode()) + 16
    buffer, offset, opened, ended = b"", 0, False, False
    while not ended:
        fresh = stream.read(max(STEP, len(buffer)))
        buffer, ended = buffer + fresh, not fresh
        taken = 0
        while (mark := marks.search(buffer, offset)) is not None:
            after = _end_of(buffer, mark)
            if after is None:
                offset = mark.start()
                break
            offset = after
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
            offset = max(offset, len(buffer) - margin, 0) if not ended else len(buffer)
            if not opened and offset > taken:
                yield Piece(buffer[taken:offset], False)
                taken = offset
        buffer, offset = buffer[taken:], offset - taken
        if len(buffer) > most:
            raise Unreadable(f"a document is larger than {most:,} bytes")
    if buffer:
        yield Piece(buffer, opened)


def _end_of(buffer: bytes, mark: re.Match[bytes]) -> int | None:
    """Return the offset after a tag, a comment or a CDATA section; None if its end was not read yet."""
    if mark.group(1) is None:
        hidden = _HIDDEN[mark.group()]
        end = buffer.find(hidden, mark.end())
        return None if end < 0 else end + len(hidden)
    rest = _TAG_REST.match(buffer, mark.end())
    return None if rest is None else rest.end()


XML = DocumentFormat(
    name="XML",
    suffixes=(".xml",),
    recognise=lambda head, _suffix: _XML_START.match(head) is not None,
    read=read_pack,
    write=write_pack,
)
