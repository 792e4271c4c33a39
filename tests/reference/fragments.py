"""The reference implementation of the decoding of markup fragments: one regular expression, one list of items."""

import re
from html import unescape

ATTRIBUTES = r"(?:\s+[a-zA-Z][^<>\"']*=[^<>\"']*(?:\"[^\"]*\"|'[^']*')?[^<>\"']*)?\s*/?"
EFFECTS = {
    "break": ["br"],
    "line": ["div", "li", "tr", "dt", "dd", "caption"],
    "paragraph": [
        "p",
        *(f"h{level}" for level in range(1, 7)),
        "ul",
        "ol",
        "dl",
        "table",
        "blockquote",
        "hr",
        "pre",
        "center",
    ],
    "blank": ["td", "th"],
    "none": [
        *("b", "i", "u", "s", "a", "em", "strong", "span", "font", "sup", "sub", "small", "big", "strike", "del"),
        *("ins", "q", "cite", "code", "tt", "mark", "tbody", "thead", "img", "wbr", "label"),
    ],
}
NAMES = "|".join(name for names in EFFECTS.values() for name in names)
TAG = rf"(?:<|&lt;)(?P<end>/?)(?P<name>(?i:{NAMES})){ATTRIBUTES}(?:>|&gt;)"
ENTITY = r"&(?:amp;)?(?:\#[0-9]+|\#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);"
ITEM = re.compile(rf"(?P<tag>{TAG})|(?P<entity>{ENTITY})|(?P<blank>\s+)|(?P<text>.)", re.VERBOSE | re.DOTALL)


def decode_fragments(text: str) -> str:
    """Decode the tags and entities of a text that has some; escapes are not decoded here."""
    items = [_read(found) for found in ITEM.finditer(text)]
    if not any(kind == "entity" or (kind in EFFECTS and (kind != "none" or closing)) for kind, _, closing in items):
        return text
    decoded, gap = "", []
    for kind, value, closing in items:
        if kind in ("text", "entity") and value.strip():
            decoded += _space(gap, first=not decoded) + value
            gap = []
        else:
            gap.append((kind, value, closing))
    decoded += "" if any(_is_decoded(item) for item in gap) else _space(gap, first=False)
    return decoded if decoded.strip() else text


def _read(found: re.Match[str]) -> tuple[str, str, bool]:
    if found["tag"]:
        name = found["name"].lower()
        return next(effect for effect, names in EFFECTS.items() if name in names), "", bool(found["end"])
    if found["entity"]:
        value = unescape(unescape(found["entity"]))
        return ("text" if value == found["entity"] or unescape(value) != value else "entity"), value, False
    return ("space", found["blank"], False) if found["blank"] else ("text", found["text"], False)


def _is_decoded(item: tuple[str, str, bool]) -> bool:
    return item[0] not in ("space", "text", "none")


def _space(gap: list[tuple[str, str, bool]], *, first: bool) -> str:
    blanks = "".join(value for kind, value, _ in gap)
    if not any(_is_decoded(item) for item in gap):
        return blanks
    if first:
        return ""
    lines, least, divided = len(re.findall("\r\n|[\n\r\v\f\x85\u2028\u2029]", blanks)), 0, False
    breaks = 0
    for kind, _, closing in gap:
        if kind == "break":
            least, breaks = (2, breaks) if divided else (least, breaks + 1)
        least = max(least, {"line": 1, "paragraph": 2}.get(kind, 0))
        if kind not in ("none", "space", "entity"):
            divided = kind == "line" and not closing
    return "\n" * max(lines, breaks, least) or " "
