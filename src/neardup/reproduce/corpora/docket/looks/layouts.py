"""Layouts of a whole letter: each takes its parts, lists of lines, and returns the text."""

from __future__ import annotations

import html
from collections.abc import Callable

from neardup.reproduce.random_stream import RandomStream

Parts = list[list[str]]

_NARROW, _WIDE = 64, 84
_FEWEST_BEFORE, _FEWEST_AFTER = 3, 3


def hyphenate(parts: Parts, title: str, rng: RandomStream) -> str:
    """Break lines at 64 columns, within words too."""
    return "\n\n".join("\n".join("\n".join(_break(line)) for line in part) for part in parts)


def paginate(parts: Parts, title: str, rng: RandomStream) -> str:
    """Print on pages of some 30 lines, each with a number and a running head, as text taken from a PDF has them."""
    lines = [line for part in parts for whole in part for line in _fill(whole, _WIDE)]
    breaks = _find_breaks(parts)
    height, number = rng.between(18, 34), 1
    printed: list[str] = []
    on_page = 0
    for index, line in enumerate(lines):
        if on_page == height:
            printed += [*_write_foot(number, title, rng), line]
            number, on_page = number + 1, 0
        else:
            printed.append(line)
        on_page += 1
        if index in breaks:
            printed.append("")
    return "\n".join(printed)


def write_portal(parts: Parts, title: str, rng: RandomStream) -> str:
    """Write tags and entities as the portal stores them: line breaks or paragraphs, apostrophes, fixed spaces."""
    joint = rng.pick(("<br/>", "<br/>", "<br />\n", "\n<br/>"))
    texts = [joint.join(_encode(line, rng) for line in part) for part in parts]
    if rng.happens(0.25):
        return "".join(f"<p>{text}</p>" for text in texts)
    return (joint * 2).join(texts)


def escape_breaks(parts: Parts, title: str, rng: RandomStream) -> str:
    """Write line breaks and quotation marks as escape sequences, as a faulty export does."""
    joint = rng.pick(("\\n", "\\r\\n"))
    text = (joint * 2).join(joint.join(part) for part in parts)
    return text.replace('"', '\\"')


LAYOUT: dict[str, Callable[[Parts, str, RandomStream], str]] = {
    "hyphenated": hyphenate,
    "paged": paginate,
    "portal": write_portal,
    "escaped": escape_breaks,
}
"""The layouts by name."""


def _encode(line: str, rng: RandomStream) -> str:
    text = html.escape(line).replace("&#x27;", "&#39;")
    return text.replace(". ", ".&nbsp; ") if rng.happens(0.3) else text


def _fill(line: str, width: int) -> list[str]:
    lines = [""]
    for word in line.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
    return lines


def _break(line: str) -> list[str]:
    lines = [""]
    for word in line.split():
        room = _NARROW - len(lines[-1]) - 1
        letters = word.rstrip(".,;:!?")
        if len(word) <= room or not lines[-1]:
            lines[-1] = f"{lines[-1]} {word}".lstrip()
        elif room > _FEWEST_BEFORE and len(letters) - room >= _FEWEST_AFTER - 1 and letters.isalpha():
            lines[-1] += f" {word[: room - 1]}-"
            lines.append(word[room - 1 :])
        else:
            lines.append(word)
    return lines


def _find_breaks(parts: Parts) -> set[int]:
    """Return the indices of the printed lines that end a part."""
    ends, total = set(), 0
    for part in parts:
        total += sum(len(_fill(line, _WIDE)) for line in part)
        ends.add(total - 1)
    return ends


def _write_foot(number: int, title: str, rng: RandomStream) -> list[str]:
    foot = rng.pick((f"{number}", f"Page {number}", f"- {number} -", f"Page {number} of {number + 1}"))
    return ["", foot, *(["\f" + title] if rng.happens(0.5) else ["", title]), ""]
