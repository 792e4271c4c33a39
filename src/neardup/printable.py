"""Make text of unknown origin safe to print: the terminal executes nothing in it, and no character is hidden.

Control characters become their symbols, such as ␛ for the escape that begins terminal commands. Characters that change
the direction of text, break lines or have no width become their number, such as <U+202E>. The joiners that Persian,
Indic scripts and emoji need are kept.
"""

from __future__ import annotations

_NUMBERED = (
    (0x80, 0x9F),  # C1 controls: some terminals execute them
    (0x61C, 0x61C),
    (0x180E, 0x180E),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x2028, 0x202E),  # line and paragraph separators, embedding and override of direction
    (0x2060, 0x206F),
    (0xD800, 0xDFFF),  # surrogates: no stream can encode them
    (0xFEFF, 0xFEFF),
    (0xFFF9, 0xFFFB),
    (0xE0000, 0xE007F),  # tags: invisible text
)

_SYMBOLS = {code: f"<U+{code:04X}>" for first, last in _NUMBERED for code in range(first, last + 1)}
_SYMBOLS |= {code: chr(0x2400 + code) for code in range(0x20)}
_SYMBOLS |= {0x7F: "␡", ord("\t"): "    ", ord("\n"): "\n"}


def make_printable(text: str) -> str:
    """Return the text with control and hidden characters made visible, line breaks kept and tabs as spaces."""
    return text.replace("\r\n", "\n").translate(_SYMBOLS)


def one_line(text: str, length: int = 200) -> str:
    """Return the beginning of the text on one line, with an ellipsis if it was cut."""
    # Slice first, so that a text of fifty megabytes is not translated for one line.
    words = " ".join(text[: 4 * length].split())
    cut = len(words) > length or len(text) > 4 * length
    return make_printable(words[:length].rstrip()) + ("…" if cut else "")
