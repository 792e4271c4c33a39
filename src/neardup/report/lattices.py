"""Write a concept lattice as a drawing (SVG), for Graphviz (DOT) or as JSON, and show it in the terminal.

In the drawing the concept of all documents is at the top. Smaller concepts are below it, each with the text that its
documents share in addition. A document is named in the smallest concept that contains it. A browser shows the file.
"""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from xml.sax import saxutils

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from neardup.errors import OutputError
from neardup.outputs import check_file, replacing
from neardup.printable import make_printable, one_line
from neardup.records import Concept, Lattice
from neardup.report.layers import Layout, lay_out
from neardup.report.layout import QUIET, format_count, heading, indented

WIDTH, GAP, MARGIN, LEVEL, HEAD = 216, 22, 32, 64, 74
LINE, PADDING, NAMES, TEXT_LINES = 16, 11, 3, 3
LETTERS = 30
"""Characters, or half as many wide ones, that fit on a line of a card."""

INK, SOFT, EDGE, PAPER = "#1d2733", "#5b6774", "#b3bec9", "#ffffff"
PALE, STRONG = (238, 244, 250), (44, 103, 165)
SHOWN_PASSAGES, SHOWN_CONCEPTS, PASSAGE_CHARACTERS = 12, 12, 600


def write_lattice(lattice: Lattice, path: str | os.PathLike[str]) -> Path:
    """Write a lattice as .svg, .dot or .json, according to the suffix of the path."""
    target = check_lattice(path)
    content = FORMATS[target.suffix.lower()](lattice)
    with replacing(target) as temporary:
        temporary.write_text(content, "utf-8", newline="\n")
    return target


def check_lattice(path: str | os.PathLike[str]) -> Path:
    """Raise before any work is done if the format is unknown or nothing can be written to the path."""
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise OutputError(f"unknown output format of {target}: use the suffix .svg, .dot or .json")
    return check_file(target)


def to_json(lattice: Lattice) -> str:
    """Return the concepts and the covers as JSON."""
    return json.dumps(lattice.as_dict(), indent=2, ensure_ascii=False) + "\n"


def to_dot(lattice: Lattice) -> str:
    """Return the lattice in the language of Graphviz, with larger concepts above smaller ones."""
    lines = ["digraph lattice {", "  rankdir=BT;", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    for number, concept in enumerate(lattice.concepts):
        label = "\n".join([_figures(concept), *_names(concept)])
        lines.append(f"  c{number} [label={_quote(label)}, tooltip={_quote(_gained(concept))}];")
    lines += [f"  c{lower} -> c{upper} [dir=none];" for lower, upper in lattice.covers]
    return "\n".join([*lines, "}"]) + "\n"


def _quote(text: str) -> str:
    return '"' + make_printable(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def to_svg(lattice: Lattice) -> str:
    """Return the lattice as an SVG drawing."""
    layout = lay_out(len(lattice.concepts), lattice.covers, WIDTH, GAP)
    cards = [_Card(concept) for concept in lattice.concepts]
    tops = _tops(layout, cards)
    width = max([layout.middles[n] + WIDTH / 2 for n in range(len(cards))] + [420]) + 2 * MARGIN
    height = max([tops[layout.layers[n]] + card.height for n, card in enumerate(cards)] + [HEAD]) + MARGIN
    most = max((len(concept.documents) for concept in lattice.concepts), default=1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">',
        f"<title>{escape(f'Concept lattice of {lattice.reference}')}</title>",
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        *_heading(lattice),
    ]
    parts += [_edge(edge, layout, tops, cards) for edge in lattice.covers]
    for number, card in enumerate(cards):
        left = layout.middles[number] - WIDTH / 2 + MARGIN
        parts += card.draw(left, tops[layout.layers[number]], len(lattice.concepts[number].documents) / most)
    return "\n".join([*parts, "</svg>"]) + "\n"


def _heading(lattice: Lattice) -> list[str]:
    documents = len(lattice.concepts[0].documents) if lattice.concepts else 0
    counts = f"{format_count(documents, 'document')}, {format_count(len(lattice.concepts), 'concept')}"
    if lattice.left_out:
        counts += f"; {format_count(len(lattice.left_out), 'document')} left out to keep within the limit"
    name = escape(f"Concepts of {one_line(lattice.reference, 80)}")
    return [
        f'<text x="{MARGIN}" y="30" font-size="17" font-weight="600" fill="{INK}">{name}</text>',
        f'<text x="{MARGIN}" y="50" font-size="12.5" fill="{SOFT}">{escape(counts)}</text>',
    ]


def _tops(layout: Layout, cards: list[_Card]) -> list[float]:
    """Return the top of each layer, which is below the tallest card of the layer above."""
    tops, top = [], float(HEAD)
    for layer in range(layout.depth):
        tops.append(top)
        top += max(card.height for number, card in enumerate(cards) if layout.layers[number] == layer) + LEVEL
    return tops


def _edge(edge: tuple[int, int], layout: Layout, tops: list[float], cards: list[_Card]) -> str:
    """Draw a line from the top of the lower card through the bends to the bottom of the upper one."""
    lower, upper = edge
    points = [(layout.middles[lower] + MARGIN, tops[layout.layers[lower]])]
    for middle, layer in layout.bends[edge]:
        deepest = max(card.height for number, card in enumerate(cards) if layout.layers[number] == layer)
        points += [(middle + MARGIN, tops[layer] + deepest), (middle + MARGIN, tops[layer])]
    points.append((layout.middles[upper] + MARGIN, tops[layout.layers[upper]] + cards[upper].height))
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for index, ((x1, y1), (x2, y2)) in enumerate(pairwise(points)):
        half = (y1 + y2) / 2
        straight = index % 2 == 1
        path += f" L{x2:.1f} {y2:.1f}" if straight else f" C{x1:.1f} {half:.1f} {x2:.1f} {half:.1f} {x2:.1f} {y2:.1f}"
    return f'<path d="{path}" fill="none" stroke="{EDGE}" stroke-width="1.4"/>'


class _Card:
    """The card of a concept: its counts, the text its documents share in addition, and the documents it introduces."""

    def __init__(self, concept: Concept) -> None:
        self._concept = concept
        self._text = _wrap(_gained(concept))
        self._names = _names(concept)
        lines = 1 + len(self._text) + len(self._names)
        self.height = 2 * PADDING + LINE * lines + (6 if self._text else 0) + (11 if self._names else 0) - 3

    def draw(self, left: float, top: float, share: float) -> list[str]:
        """Return the card at a position; the more documents it has, the darker its border."""
        colour = _mix(0.25 + 0.75 * share)
        fill = _mix(0.12 * share)
        y = top + PADDING + 11
        whole = "\n".join([*self._concept.documents[:40], "", _gained(self._concept, 1000)])
        parts = [
            f'<g><title>{escape(whole)}</title><rect x="{left:.1f}" y="{top:.1f}" width="{WIDTH}" '
            f'height="{self.height}" rx="9" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>',
            f'<text x="{left + PADDING:.1f}" y="{y:.1f}" font-size="12.5" font-weight="600" fill="{INK}">'
            f"{escape(_figures(self._concept))}</text>",
        ]
        y += 6 if self._text else 0
        for line in self._text:
            y += LINE
            style = f'font-size="12" fill="{SOFT}" font-style="italic"'
            parts.append(f'<text x="{left + PADDING:.1f}" y="{y:.1f}" {style}>{escape(line)}</text>')
        if self._names:
            y += 11
            rule = y - 4
            parts.append(
                f'<line x1="{left + PADDING:.1f}" x2="{left + WIDTH - PADDING:.1f}" y1="{rule:.1f}" y2="{rule:.1f}" '
                f'stroke="{colour}" stroke-opacity="0.35"/>'
            )
        for line in self._names:
            y += LINE
            parts.append(
                f'<text x="{left + PADDING:.1f}" y="{y:.1f}" font-size="12" fill="{INK}">{escape(line)}</text>'
            )
        return [*parts, "</g>"]


def escape(text: str) -> str:
    """Return the text escaped for XML, without control characters and noncharacters."""
    return saxutils.escape(make_printable(text).translate({0xFFFE: None, 0xFFFF: None}))


def _mix(share: float) -> str:
    mixed = (round(pale + (strong - pale) * share) for pale, strong in zip(PALE, STRONG, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def _figures(concept: Concept) -> str:
    return f"{format_count(len(concept.documents), 'document')} · {format_count(concept.units, 'unit')}"


def _gained(concept: Concept, characters: int = LETTERS * TEXT_LINES) -> str:
    """Return the longest passage that these documents share in addition to those of larger concepts."""
    longest = max(concept.gained, key=lambda passage: (passage.end - passage.start, -passage.start), default=None)
    return one_line(longest.text, characters) if longest is not None else ""


def _names(concept: Concept) -> list[str]:
    names = [_shorten(one_line(name, 200)) for name in concept.own[:NAMES]]
    more = len(concept.own) - len(names)
    return [*names, *([f"and {more:,} more"] if more else [])]


def _shorten(name: str) -> str:
    """Leave out the middle of a long name: its beginning and end distinguish it best."""
    if cell_len(name) <= LETTERS:
        return name
    tail = set_cell_size(name[::-1], LETTERS - LETTERS // 3 - 1).rstrip()[::-1]
    return f"{set_cell_size(name, LETTERS // 3).rstrip()}…{tail}"


def _wrap(text: str) -> list[str]:
    """Break text into lines that fit on a card; a word longer than a line is split."""
    lines: list[str] = []
    for word in text.split():
        rest = word
        if lines and cell_len(lines[-1]) + 1 + cell_len(rest) <= LETTERS:
            lines[-1] += f" {rest}"
            continue
        while rest:
            fitting = set_cell_size(rest, LETTERS).rstrip()
            lines.append(fitting)
            rest = rest[len(fitting) :]
    if len(lines) <= TEXT_LINES:
        return lines
    return [*lines[: TEXT_LINES - 1], f"{set_cell_size(lines[TEXT_LINES - 1], LETTERS - 1).rstrip()}…"]


FORMATS = {".svg": to_svg, ".dot": to_dot, ".json": to_json}


def render_lattice(lattice: Lattice) -> RenderableType:
    """Return the passages that all documents of a cluster share, and those that the larger concepts share as well."""
    if not lattice.concepts:
        return Text("No concepts: there are no documents.")
    top = lattice.concepts[0]
    counts = f"{format_count(len(top.documents), 'document')}, {format_count(len(lattice.concepts), 'concept')}"
    parts: list[RenderableType] = [heading(f"{make_printable(lattice.reference)}: {counts}")]
    if lattice.left_out:
        left_out = format_count(len(lattice.left_out), "document")
        parts.append(Text(f"Left out: {left_out}, to keep the number of concepts within the limit", QUIET))
    parts += [Text(), Text(f"All share {format_count(top.units, 'unit')}:"), *_passages(top)]
    for concept in lattice.concepts[1 : SHOWN_CONCEPTS + 1]:
        names = ", ".join(map(make_printable, concept.documents[:NAMES]))
        more = f" and {len(concept.documents) - NAMES:,} more" if len(concept.documents) > NAMES else ""
        parts += [Text(), Text(f"{_figures(concept)}: {names}{more}")]
        if gained := _gained(concept, 200):
            parts.append(indented(Text(f"+ {gained}", "green")))
    if len(lattice.concepts) > SHOWN_CONCEPTS + 1:
        parts += [Text(), Text(f"and {len(lattice.concepts) - SHOWN_CONCEPTS - 1:,} more: -o draws all", QUIET)]
    return Group(*parts)


def _passages(concept: Concept) -> list[RenderableType]:
    lines: list[RenderableType] = []
    for passage in concept.passages[:SHOWN_PASSAGES]:
        offsets = Text(f"{passage.start}-{passage.end}  ", QUIET)
        lines.append(indented(offsets + Text(make_printable(one_line(passage.text, PASSAGE_CHARACTERS)))))
    if len(concept.passages) > SHOWN_PASSAGES:
        lines.append(indented(Text(f"and {len(concept.passages) - SHOWN_PASSAGES:,} more", QUIET)))
    return lines or [indented(Text("no passage: the shared units are not adjacent", QUIET))]
