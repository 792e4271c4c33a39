"""Cut the repetitions of passages out of texts: the first occurrence stays, later ones are cut or masked.

Texts are cut between words, never inside of a character with its marks. Where a cut leaves white space on both sides,
one blank or line break stays, as it was on the left side. In web pages the tags inside of a cut stay, and so do those
of letters with pieces of markup, except for line breaks.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import pyarrow as pa

from neardup.records import Documents

MANIFEST_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("passage", pa.int64()),
        ("replacement", pa.string()),
        ("words_left", pa.int64()),
        ("dropped", pa.bool_()),
    ]
)
"""One row per stretch of text that was cut or masked."""

_RIGHT_BLANK = re.compile(r"\s*")
_LINE_BREAK = re.compile(r"\r\n|\r|\n|\u2028|\u2029|\x85")
_TAG = re.compile(r"<[^<>]*>")
_ELEMENTS = (
    "p|h[1-6]|ul|ol|dl|li|dt|dd|table|tbody|thead|tr|td|th|caption|blockquote|pre|center|div|b|i|u|s|a|em|strong|span|font"
    "|sup|sub|small|big|strike|del|ins|q|cite|code|tt|mark|label"
)
_PIECE = re.compile(rf"</?(?:{_ELEMENTS})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_CLOSING = re.compile(rf"</(?:{_ELEMENTS})\s*>", re.IGNORECASE)
_PAGE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class Cut:
    """A stretch of one text, in code points, with the number of the passage that it repeats."""

    document: int
    start: int
    end: int
    passage: int


def merge_cuts(cuts: list[Cut]) -> Iterator[list[Cut]]:
    """Yield the cuts of each document in order; those that overlap become one."""
    ordered = sorted(cuts, key=lambda cut: (cut.document, cut.start, -cut.end, cut.passage))
    for _, group in groupby(ordered, lambda cut: cut.document):
        merged: list[Cut] = []
        for cut in group:
            if merged and cut.start <= merged[-1].end:
                last = merged[-1]
                merged[-1] = Cut(last.document, last.start, max(last.end, cut.end), last.passage)
            else:
                merged.append(cut)
        yield merged


def apply_cuts(documents: Documents, cuts: list[Cut], mask: str | None) -> tuple[str, list[str]]:
    """Return the text of one document without its cuts, and what replaced each of them."""
    text = documents.text(cuts[0].document)
    tag = _find_tags(text, is_page=documents.html is not None and bool(documents.html[cuts[0].document]))
    made: list[str] = []
    replaced: list[str] = []
    position = 0
    for cut in cuts:
        start, end = whole_characters(text, cut.start, cut.end)
        before = text[position:start]
        tags = "".join(tag.findall(text[start:end])) if tag else ""
        if mask is not None:
            replacement, position = mask + tags, end
        elif tags:
            replacement, position = tags, end
        else:
            if not before and replaced and replaced[-1].isspace():  # the blank between two cuts
                before, made[-1], replaced[-1] = replaced[-1], "", ""
            before, replacement, position = _join_blanks(before, text, end, leads=not any(made))
        made += (before, replacement)
        replaced.append(replacement)
    return "".join(made) + text[position:], replaced


def _find_tags(text: str, *, is_page: bool) -> re.Pattern[str] | None:
    """Return what the tags of a text look like, if it has any."""
    if is_page or _PAGE.match(text):
        return _TAG
    return _PIECE if _CLOSING.search(text) else None


def _join_blanks(before: str, text: str, end: int, *, leads: bool) -> tuple[str, str, int]:
    """Join the white space around a cut; return the text before it, what replaces it, and where the text goes on."""
    stripped = before.rstrip()
    left = before[len(stripped) :]
    match = _RIGHT_BLANK.match(text, end)
    after = match.end() if match else end
    right = text[end:after]
    if leads and not stripped:
        return stripped, left, after
    if after == len(text):
        return stripped, right, after
    kept = left or right
    breaks = _LINE_BREAK.search(kept)
    return stripped, breaks.group() if breaks else " " if kept else "", after


def whole_characters(text: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a stretch so that neither end is inside of a character with its marks."""
    while start < end and is_inside(text, start):
        start += 1
    while end > start and is_inside(text, end):
        end -= 1
    return start, end


def is_inside(text: str, offset: int) -> bool:
    """Return whether an offset is inside of a grapheme: before a mark, beside a joiner, between the parts of a flag."""
    if not 0 < offset < len(text):
        return False
    before, after = text[offset - 1], text[offset]
    if _JOINER in (before, after) or unicodedata.category(after) in ("Mn", "Me", "Mc"):
        return True
    flags = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff"
    return flags or "\U0001f3fb" <= after <= "\U0001f3ff" or (before == "\r" and after == "\n")
