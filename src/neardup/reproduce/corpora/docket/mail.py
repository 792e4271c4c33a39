"""Letters as mail: the headers that the server of an agency sees, and the encoded body."""

from __future__ import annotations

import quopri
import re
from datetime import UTC, datetime
from email.header import Header
from email.utils import format_datetime

from neardup.reproduce.corpora.docket.letters import Letter

_FROM_LINE = re.compile(rb"^(>*From )", re.MULTILINE)
_LONGEST_LINE = 998


def name_message(identity: str) -> str:
    """Return the Message-ID of the letter with this id."""
    return f"{identity}@letters.example"


def write_message(letter: Letter, *, mbox: bool = False) -> bytes:
    """Return a letter as a mail message; for an mbox with its first line and the blank line after it."""
    encoding, body = _encode(letter.framed.text)
    lines = [*_list_headers(letter), f"Content-Transfer-Encoding: {encoding}", "", ""]
    message = "\n".join(lines).encode("ascii") + body + b"\n"
    if not mbox:
        return message
    start = f"From {letter.person.mail} {datetime.fromtimestamp(letter.arrived, UTC).ctime()}\n"
    return start.encode("ascii") + _FROM_LINE.sub(rb">\1", message) + b"\n"


def _list_headers(letter: Letter) -> list[str]:
    person = letter.person
    domain = letter.relayer.domain if letter.relayer else person.mail.partition("@")[2]
    arrived = _format_date(letter.arrived)
    agency = f"{letter.docket.partition('-')[0].lower()}.example"
    host = letter.arrived % 250 + 1
    return [
        f"Return-Path: <bounce-{letter.arrived}@{domain}>",
        f"Received: from mail.{domain} (mail.{domain} [192.0.2.{host}])",
        f"\tby mx.{agency} with ESMTP; {arrived}",
        f"Received: from [198.51.100.{host}] by mail.{domain} with HTTP; {arrived}",
        f"Message-ID: <{name_message(letter.id)}>",
        *([f"Date: {_format_date(letter.received)}"] if letter.received is not None else []),
        f"From: {person.name} <{person.mail}>",
        f"To: Docket Center <docket@{agency}>",
        f"Subject: {_encode_header(letter.framed.subject)}",
        *([f"X-Mailer: {letter.relayer.name} letter desk"] if letter.relayer else []),
        "MIME-Version: 1.0",
        f"Content-Type: text/{'html' if letter.framed.html else 'plain'}; charset=utf-8",
    ]


def _format_date(seconds: int) -> str:
    return format_datetime(datetime.fromtimestamp(seconds, UTC))


def _encode_header(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8").encode()


def _encode(text: str) -> tuple[str, bytes]:
    plain = text.encode()
    if max(map(len, plain.split(b"\n"))) > _LONGEST_LINE:
        return "quoted-printable", quopri.encodestring(plain)
    return ("7bit" if text.isascii() else "8bit"), plain
