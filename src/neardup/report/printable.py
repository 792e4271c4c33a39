"""Text of unknown origin made fit for a terminal: nothing in it is obeyed, nothing that matters is hidden.

Control characters, among them the escape that begins terminal commands, become their pictures (␛); what turns the
direction of writing, breaks lines or takes no room becomes its number (<U+202E>). The joiners of Persian, Indic scripts
and emoji stay.
"""

from __future__ import annotations

_NUMBERED = (
    (0x80, 0x9F),  # C1 controls: some terminals obey them
    (0x61C, 0x61C),
    (0x180E, 0x180E),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x2028, 0x202E),  # line and paragraph separator, embedding and override of direction
    (0x2060, 0x206F),
    (0xD800, 0xDFFF),  # halves of pairs: no stream can encode them
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE007F),  # tags: text that nobody sees
)

_MARKS = {code: f"<U+{code:04X}>" for first, last in _NUMBERED for code in range(first, last + 1)}
_MARKS |= {code: chr(0x2400 + code) for code in range(0x20)}
_MARKS |= {0x7F: "␡", ord("\t"): "    ", ord("\n"): "\n"}


def visible(text: str) -> str:
    """Return the text with controls and hidden characters shown, line breaks kept, tabs as spaces."""
    return text.replace("\r\n", "\n").translate(_MARKS)


def one_line(text: str, length: int = 200) -> str:
    """Return the beginning of the text on one line, with an ellipsis where it was cut."""
    # Slicing first: a text of fifty megabytes must not be translated for a line.
    words = " ".join(text[: 4 * length].split())
    cut = len(words) > length or len(text) > 4 * length
    return visible(words[:length].rstrip()) + ("…" if cut else "")
