"""One document of an XML pack: its content, id and time.

Content may be escaped text, CDATA, elements or base64. Its encoding is declared by an attribute, by the page itself or
by the pack. Characters that XML forbids become spaces; a single ampersand, or an entity that only HTML defines, is
kept as text, since packs of web pages often contain them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from neardup.read.columns.batches import Row
from neardup.read.columns.plan import best_id, best_text, best_time
from neardup.read.files.encodings import decode_bytes, is_binary
from neardup.read.reading import Reading, Unreadable
from neardup.read.times import parse_time

_ADDRESSES = (
    "url",
    "uri",
    "docurl",
    "docuri",
    "pageurl",
    "href",
    "link",
    "address",
    "path",
    "file",
    "filename",
    "name",
)
_CDATA = re.compile(rb"(<!\[CDATA\[.*?(?:\]\]>|\Z))", re.DOTALL)
_LONE = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)")
_ALLOWED = bytes(code if code >= 32 or code in (9, 10, 13) else 32 for code in range(256))
_META = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z][\w.:-]*)""")
_MARKUP = re.compile(r"<[A-Za-z!/]")
_BASE64 = re.compile(r"[A-Za-z0-9+/\r\n]{4,}={0,2}")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://|[\w-]+(?:\.[\w-]+)+(?:/|\Z))\S*", re.IGNORECASE)
_LEAST_BASE64 = 16


@dataclass(slots=True)
class Part:
    """An element or attribute of a document: its text, or its markup if it has elements, and its own attributes."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    pieces: list[str] = field(default_factory=list)
    start: int | None = None
    markup: bytes | None = None

    def text(self) -> str:
        """Return the text, or the markup, unchanged."""
        return "".join(self.pieces) if self.markup is None else self.markup.decode("utf-8", "replace")


def plain_name(name: str) -> str:
    """Return a name in lower case, without prefix and punctuation."""
    return re.sub(r"[\W_]+", "", name.rpartition(":")[2]).lower()


def names_address(name: str) -> bool:
    """Return whether an element or attribute of this name contains the address of a page."""
    return plain_name(name) in _ADDRESSES


def clean_markup(markup: bytes) -> bytes:
    """Repair what is not valid XML: forbidden characters, and ampersands that begin no entity of XML."""
    pieces = _CDATA.split(markup.translate(_ALLOWED))
    return b"".join(piece if piece.startswith(b"<![CDATA[") else _LONE.sub(b"&amp;", piece) for piece in pieces)


def parse_record(content: bytes, name: str, reading: Reading) -> Row:
    """Return the document that an element contains."""
    parts = _find_parts(clean_markup(content))
    body = _choose(parts, reading.wanted.text, best_text)
    if body is None:
        raise Unreadable(f"it has no text; its elements are {', '.join(part.name for part in parts) or 'none'}")
    text, html = _decode(body, reading)
    identity = _choose(parts, reading.wanted.id, best_id) or next(
        (part for address in _ADDRESSES for part in parts if plain_name(part.name) == address), None
    )
    dated = _choose(parts, reading.wanted.time, best_time)
    time = parse_time(dated.text().strip()) if dated is not None else None
    reading.counts["times_unparsed"] += dated is not None and bool(dated.text().strip()) and time is None
    return Row(text, (_name(identity) if identity is not None else "") or name, time, html=html)


def _find_parts(content: bytes) -> list[Part]:
    """Return the attributes and elements of a document; the first part is the document itself, with its own text."""
    parts: list[Part] = []
    depth = 0

    def mark() -> None:
        # The content of an element begins at the first event after its start tag.
        if depth and depth <= 2 and parts[-1].start is None:
            parts[-1].start = parser.CurrentByteIndex
        if depth == 1 and parts[0].start is None:
            parts[0].start = parser.CurrentByteIndex

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        mark()
        depth += 1
        if depth == 1:
            parts.append(Part(name, attributes))
            parts.extend(Part(key, pieces=[value], start=0) for key, value in attributes.items())
        elif depth == 2:
            parts.append(Part(name, attributes))
        elif depth == 3:
            parts[-1].markup = b""

    def end(_: str) -> None:
        nonlocal depth
        mark()
        if depth == 2 and parts[-1].markup is not None:
            parts[-1].markup = content[parts[-1].start : parser.CurrentByteIndex]
        depth -= 1

    def text(piece: str) -> None:
        mark()
        if depth <= 2:
            parts[0 if depth == 1 else -1].pieces.append(piece)

    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, text
    # Everything else, such as a comment or the start of CDATA, is content too.
    parser.DefaultHandler = lambda _: mark()
    try:
        parser.Parse(content, True)
    except expat.ExpatError as problem:
        raise Unreadable(f"it is not valid XML ({problem})") from None
    return parts


def _choose(parts: list[Part], wanted: str | None, best: Callable[[Sequence[str]], str | None]) -> Part | None:
    """Return the part that the caller named, or the one with the best name; for a text, or the document's own."""
    names = [plain_name(part.name) for part in parts[1:]]
    chosen = plain_name(wanted) if wanted else best(names)
    if chosen in names:
        return parts[1:][names.index(chosen)]
    own = best is best_text and not wanted and "".join(parts[0].pieces).strip()
    return parts[0] if own else None


def _decode(part: Part, reading: Reading) -> tuple[str, bool]:
    """Return the text of a part, and whether it is HTML."""
    declared = {plain_name(key): value.strip() for key, value in part.attributes.items()}
    text = part.text()
    packed = "base64" in {value.lower() for value in declared.values()}
    raw = _unpack(text, sure=packed) if part.markup is None else None
    if raw is not None:
        meta = _META.search(raw[:2048])
        charset = declared.get("charset") or (meta.group(1).decode() if meta else None)
        text = decode_bytes(raw, charset, reading)
    elif packed:
        raise Unreadable("its content is not valid base64")
    kind = declared.get("type") or declared.get("contenttype") or ""
    plain = "text/plain" in kind.lower()
    return text, not plain and ("html" in kind.lower() or part.markup is not None or bool(_MARKUP.search(text)))


def _unpack(text: str, *, sure: bool) -> bytes | None:
    """Decode base64; None if it is invalid, or if nothing declares it (`sure`) and it does not look like base64."""
    stripped = text.strip() if not sure else "".join(text.split())
    joined = stripped.replace("\r", "").replace("\n", "")
    if not sure and (len(joined) < _LEAST_BASE64 or len(joined) % 4 or not _BASE64.fullmatch(stripped)):
        return None
    try:
        raw = base64.b64decode(joined, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if sure or _looks_like_page(raw) else None


def _looks_like_page(raw: bytes) -> bool:
    """Return whether decoded bytes are a page or an address, which text that is not base64 never decodes to."""
    if is_binary(raw):
        return False
    return (b"<" in raw and b">" in raw) or bool(_ADDRESS.fullmatch(raw.decode("latin-1").strip()))


def _name(part: Part) -> str:
    text = part.text().strip()
    raw = _unpack(text, sure=False)
    return " ".join((raw.decode("utf-8", "replace") if raw is not None else text).split())
