"""The format of a file: told by its first bytes where they are unmistakable, then by its name, then by a look."""

from __future__ import annotations

import re
from pathlib import Path

from neardup.read.columns import is_known, names_text
from neardup.read.reading import Unreadable

HEAD = 1 << 16
"""How many bytes the format is told from."""

CSV, JSON_LINES, JSON, PARQUET, ARROW = "CSV", "JSON lines", "JSON", "Parquet", "Arrow"
TEXT, HTML, XML, MESSAGE, MBOX, PDF, DOCX = "plain text", "HTML", "XML", "mail message", "mbox", "PDF", "DOCX"
ZIP, TAR = "zip", "tar"

_BY_SUFFIX = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".psv"), CSV),
    **dict.fromkeys((".jsonl", ".ndjson", ".jsonlines", ".jl"), JSON_LINES),
    ".json": JSON,
    **dict.fromkeys((".txt", ".text", ".md", ".rst"), TEXT),
    **dict.fromkeys((".html", ".htm", ".xhtml"), HTML),
    ".xml": XML,
    ".eml": MESSAGE,
    ".mbox": MBOX,
}

_BY_BINARY_SUFFIX = {
    **dict.fromkeys((".parquet", ".pq"), PARQUET),
    **dict.fromkeys((".arrow", ".arrows", ".feather", ".ipc"), ARROW),
    ".pdf": PDF,
    ".docx": DOCX,
    ".zip": ZIP,
    ".tar": TAR,
}

_BY_MAGIC = {
    b"PAR1": PARQUET,
    b"ARROW1": ARROW,
    b"FEA1": ARROW,
    b"\xff\xff\xff\xff": ARROW,
    b"%PDF-": PDF,
    b"PK\x03\x04": ZIP,
    b"PK\x05\x06": ZIP,
}

_HTML_START = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?><!--.*?-->\s*)*+<(?:!doctype\s+html|html)\b", re.I | re.S)
_XML_START = re.compile(rb"\s*<\?xml\s")
_MBOX_START = re.compile(rb"From [^\r\n]*\d:\d\d[^\r\n]*\r?\n>?[!-9;-~]+[: ]")
_HEADERS = re.compile(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){3,}\r?\n")
_HEADER_NAMES = (
    re.compile(rb"^(?:from|return-path):", re.I | re.M),
    re.compile(rb"^(?:date|message-id|received):", re.I | re.M),
)
_OBJECT_LINES = re.compile(rb'\s*\{\s*"[^\n]*\}[ \t]*\r?\n\s*\{\s*"')
_JSON_START = re.compile(rb'\s*(?:\[\s*\{\s*"|\{\s*"[^"\\\n]{1,80}"\s*:)')
_COLUMN_NAME = re.compile(r'\s*"?[^\W\d][\w #.()/-]{0,40}"?\s*')
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


def kind_of(name: str, head: bytes) -> str:
    """Tell the format; raise Unreadable if it is none that is known."""
    suffix = Path(name).suffix.lower()
    by_name = _BY_SUFFIX.get(suffix)
    if by_name is not None and not is_binary(head):
        if by_name == XML and _HTML_START.match(head):
            return HTML
        return JSON_LINES if by_name == JSON and _OBJECT_LINES.match(head) else by_name
    kind = _by_magic(head, suffix) or _BY_BINARY_SUFFIX.get(suffix) or by_name
    if kind is not None:
        return kind
    if is_binary(head):
        raise Unreadable("it is not text, and of no other format that is known")
    return _by_look(head)


def _by_magic(head: bytes, suffix: str) -> str | None:
    if head[257:262] == b"ustar":
        return TAR
    kind = next((kind for magic, kind in _BY_MAGIC.items() if head.startswith(magic)), None)
    if kind != ZIP:
        return kind
    # Office and OpenDocument files are zip archives whose first member tells what they are.
    first = head[30:60]
    if suffix == ".docx" or (first.startswith((b"[Content_Types]", b"_rels/", b"word/")) and b"word/" in head):
        return DOCX
    if suffix in (".xlsx", ".pptx", ".odt", ".ods", ".epub") or first.startswith((b"[Content_Types]", b"mimetype")):
        raise Unreadable("it is an office or book file: save it as text, CSV, HTML, PDF or DOCX")
    return ZIP


def is_binary(head: bytes) -> bool:
    """Say whether bytes cannot be text: many control characters, and no sign of UTF-16 or UTF-32."""
    if head.startswith(_BOMS):
        return False
    controls = len(_CONTROLS.findall(head))
    zeros = head.count(0)
    if zeros and max(head[::2].count(0), head[1::2].count(0)) == zeros and zeros * 4 > len(head):
        return False
    return controls * 20 > len(head)


def _by_look(head: bytes) -> str:
    starts = {HTML: _HTML_START, XML: _XML_START, MBOX: _MBOX_START, JSON_LINES: _OBJECT_LINES, JSON: _JSON_START}
    for kind, start in starts.items():
        if start.match(head):
            return kind
    if _begins_with_names(head):
        return CSV
    headers = _HEADERS.match(head)
    if headers and all(name.search(headers.group()) for name in _HEADER_NAMES):
        return MESSAGE
    return TEXT


def _begins_with_names(head: bytes) -> bool:
    """Say whether the first of several lines is nothing but names of columns, among them a text's and another known."""
    first, newline, _ = head.removeprefix(_BOMS[0]).partition(b"\n")
    line = first.decode("utf-8", "replace")
    for delimiter in ",;\t|":
        names = line.split(delimiter)
        if newline and len(names) > 1 and all(map(_COLUMN_NAME.fullmatch, names)):
            return any(map(names_text, names)) and sum(map(is_known, names)) > 1
    return False
