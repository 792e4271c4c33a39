"""Mail: single messages (eml, Maildir) and mbox files.

The text is the plain part of the body, or the HTML part, flagged as HTML; attachments are left out. The headers give
the id (Message-ID), the time (Date) and the attributes: sender, receiver, topic, and the relayer, which is the domain
of the Return-Path, or of the host that the last Received line names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from email.utils import getaddresses

from neardup.read.columns.batches import Item, Row, without_surrogates
from neardup.read.files.encodings import decode_bytes
from neardup.read.files.entries import Entry
from neardup.read.files.streams import STEP, Stream, read_whole
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy
from neardup.read.reading import Limits, Reading, Unreadable
from neardup.read.times import parse_time

_MBOX_START = re.compile(rb"From [^\r\n]*\d:\d\d[^\r\n]*\r?\n>?[!-9;-~]+[: ]")
_HEADERS = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){3,}\r?\n")
_HEADER_NAMES = (
    re.compile(rb"^(?:from|return-path):", re.I | re.M),
    re.compile(rb"^(?:date|message-id|received):", re.I | re.M),
)
_FROM_LINE = re.compile(rb"From ([^\r\n]*+)\r?\n(?=>?[!-9;-~]++[: ])")
_TIME_OF_DAY = re.compile(rb"\d:\d\d")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_RECEIVED = re.compile(r"\bfrom\s+\[?([\w.-]+\.[A-Za-z]{2,})", re.IGNORECASE)
_LONGEST_HEADER = 10_000
_PARSER = BytesParser(policy=compat32)

# The errors of the standard library's parser on malformed messages.
_BROKEN = (MessageError, ValueError, LookupError, TypeError, AttributeError, RecursionError)


def read_message(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield a file that is one message."""
    row = parse_message(read_whole(entry.stream, reading.limits), entry.name, reading)
    reading.note(entry.name, "mail message, one per file")
    yield row


def read_mbox(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the messages of an mbox file."""
    for number, raw in enumerate(split_mbox(entry.stream, reading.limits), 1):
        name = f"{entry.name}#{number}"
        try:
            yield parse_message(_ESCAPED.sub(rb"\1", raw), name, reading)
        except Unreadable as problem:
            reading.fail(f"{entry.name}, message {number}", str(problem))
            yield Row(None, name, unreadable=True)
    reading.note(entry.name, "mbox")


def write_mbox(copy: Copy) -> bool:
    """Write the messages to keep."""
    for raw in split_mbox(copy.entry.stream, copy.reading.limits):
        if copy.keep.take(1)[0]:
            copy.sink.write(raw)
    return True


def split_mbox(stream: Stream, limits: Limits) -> Iterator[bytes]:
    """Yield the messages of an mbox file, each with its "From " line."""
    rest = b""
    while fresh := stream.read(max(STEP, len(rest))):
        buffer = rest + fresh
        starts = list(_starts(buffer))
        for start, end in zip([0, *starts], starts, strict=False):
            if buffer[start:end].strip():
                yield buffer[start:end]
        rest = buffer[starts[-1] :] if starts else buffer
        if len(rest) > limits.document_bytes:
            raise Unreadable(f"a message is larger than {limits.document_bytes:,} bytes")
    if rest.strip():
        yield rest


def _starts(buffer: bytes) -> Iterator[int]:
    """Yield the offsets of messages: after a blank line, "From " with a time of day, and a header on the next line."""
    position = buffer.find(b"\nFrom ")
    while position >= 0:
        line = _FROM_LINE.match(buffer, position + 1)
        after_blank = buffer.endswith((b"\n\n", b"\n\r\n"), 0, position + 1)
        if line and after_blank and _TIME_OF_DAY.search(line.group(1)[:_LONGEST_HEADER]):
            yield position + 1
        position = buffer.find(b"\nFrom ", position + 1)


def parse_message(raw: bytes, name: str, reading: Reading) -> Row:
    """Return a message as a document."""
    raw = raw.lstrip()
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    try:
        message = _PARSER.parsebytes(raw, headersonly=True)
        if message.get_content_maintype() in ("multipart", "message"):
            message = _PARSER.parsebytes(raw)
        if not message.keys():
            raise Unreadable("it has no mail headers")
        return _to_row(message, name, reading)
    except _BROKEN as problem:
        raise Unreadable(f"it is not a valid mail message ({problem})") from None


def _to_row(message: Message, name: str, reading: Reading) -> Row:
    part = _find_body(message)
    html = part is not None and part.get_content_type() == "text/html"
    date = _header(message, "Date")
    time = parse_time(date) if date else None
    reading.counts["times_unparsed"] += bool(date) and time is None
    return Row(
        "" if part is None else _decode(part, reading),
        (_header(message, "Message-ID") or "").strip("<> ") or name,
        time,
        html=html,
        sender=_addresses(message, "From"),
        receiver=_addresses(message, "To"),
        topic=_header(message, "Subject"),
        relayer=_relayer(message),
    )


def _find_body(message: Message) -> Message | None:
    """Return the plain part, or the HTML part; attached messages are used only if there is no other text."""
    for attached in (False, True):
        parts = list(_text_parts(message, attached=attached))
        for wanted in ("text/plain", "text/html"):
            for part in parts:
                if part.get_content_type() == wanted:
                    return part
        if parts:
            return parts[0]
    return None


def _text_parts(part: Message, *, attached: bool) -> Iterator[Message]:
    inner = part.get_payload()
    if isinstance(inner, list):
        if attached or part.get_content_maintype() != "message":
            for child in (child for child in inner if isinstance(child, Message)):
                if attached or child.get_content_disposition() != "attachment":
                    yield from _text_parts(child, attached=attached)
    elif part.get_content_maintype() == "text":
        yield part


def _decode(part: Message, reading: Reading) -> str:
    payload = part.get_payload(decode=True)
    return decode_bytes(payload, part.get_content_charset(), reading) if isinstance(payload, bytes) else ""


def _header(message: Message, name: str) -> str | None:
    value = message.get(name)
    if value is None:
        return None
    whole = str(value)[:_LONGEST_HEADER]  # the header parsers are slow on megabytes
    try:
        decoded = str(make_header(decode_header(whole)))
    except _BROKEN:
        decoded = whole
    return without_surrogates(" ".join(decoded.split())) or None


def _addresses(message: Message, name: str) -> str | None:
    header = _header(message, name)
    found = [address for _, address in getaddresses([header or ""]) if "@" in address]
    return ", ".join(found) or header


def _relayer(message: Message) -> str | None:
    path = (_header(message, "Return-Path") or "").strip("<> ")
    if "@" in path:
        return path.rpartition("@")[2].lower()
    lines = message.get_all("Received", [])
    match = _RECEIVED.search(str(lines[-1])[:_LONGEST_HEADER]) if lines else None
    return match.group(1).lower() if match else None


def _begins_with_headers(head: bytes, _suffix: str) -> bool:
    headers = _HEADERS.match(head)
    return headers is not None and all(name.search(headers.group()) for name in _HEADER_NAMES)


MESSAGE = DocumentFormat(name="mail message", suffixes=(".eml",), recognise=_begins_with_headers, read=read_message)

MBOX = DocumentFormat(
    name="mbox",
    suffixes=(".mbox",),
    recognise=lambda head, _suffix: _MBOX_START.match(head) is not None,
    read=read_mbox,
    write=write_mbox,
)
