"""The frame of a letter (docket line, salutation, closing, signature, footer) and its shape.

The words of the body are never changed: without the frame, the main text is the same. The shapes are plain paragraphs,
lines wrapped at 72 columns, HTML, a quoted reply, a forwarded chain, and everything on one line.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from neardup.reproduce.corpora.docket.people import PROVIDERS, Person, Relayer
from neardup.reproduce.random_stream import RandomStream

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

SHAPES = ("html", "quoted", "forwarded", "flat")
"""The shapes that exclude each other; quoted and forwarded letters may also be wrapped."""

SALUTATIONS = (
    "Dear Administrator,",
    "Dear Sir or Madam:",
    "To Whom It May Concern:",
    "Dear Director,",
    "Dear Docket Clerk,",
    "Dear Secretary:",
    "Hello,",
)
_CLOSINGS = ("Sincerely,", "Respectfully,", "Regards,", "Thank you,", "Yours truly,", "Respectfully submitted,")
_HEADINGS = ("Re: {}", "RE: {}", "Subject: {}", "{}", "Attention: {}", "Comment on {}")
_NUMBERS = ("Docket ID No. {}", "Docket No. {}", "Docket ID {}", "docket {}", "Docket # {}", "DOCKET NO.: {}")
_SUBJECTS = ("Public comment", "My comment on the proposed rule", "Please read before you decide")
_FORWARDS = ("---------- Forwarded message ----------", "-----Original Message-----", "Begin forwarded message:")
_PROVIDER_FOOTERS = (
    ("Sent from my phone",),
    ("-- ", "Get your own free letterbox at https://www.freemail.example"),
    ("_" * 30, "Webletter: mail for everybody. https://webletter.example"),
)


@dataclass(frozen=True, slots=True)
class Correspondence:
    """The writer, the time, the docket, whether it is cited, the salutation, and the relaying organisation."""

    person: Person
    seconds: int
    docket: str
    cites: bool
    salutation: str
    relayer: Relayer | None


@dataclass(frozen=True, slots=True)
class Framed:
    """A letter as it is sent, whether it is HTML, its subject, and the variants of its frame."""

    text: str
    html: bool
    subject: str
    variants: tuple[str, ...]


class Dressing(Protocol):
    """Changes how the parts of a letter look, and lays them out if it has a layout."""

    @property
    def layout(self) -> str:
        """The layout of the whole letter, or an empty string."""

    def arrange(
        self, head: list[list[str]], body: list[list[str]], tail: list[list[str]], letter: Correspondence
    ) -> list[list[str]]:
        """Return all parts as they look."""

    def lay_out(self, parts: list[list[str]], title: str) -> str:
        """Return the text in the layout."""


def spell_docket(number: str, rng: RandomStream) -> str:
    """Return one of the usual spellings of a docket number."""
    manner = rng.random()
    if manner < 0.10:
        number = number.lower()
    elif manner < 0.18:
        number = number.replace("-", "–")
    elif manner < 0.24:
        number = number.replace("-", " - ")
    elif manner < 0.32:
        head, _, last = number.rpartition("-")
        number = f"{head}-{last.lstrip('0')}"
    elif manner < 0.36:
        number = number.replace("-", "‑")
    return rng.pick(_NUMBERS).format(number)


def frame_letter(
    body: list[str],
    letter: Correspondence,
    shares: Mapping[str, float],
    rng: RandomStream,
    dressing: Dressing | None = None,
) -> Framed:
    """Put a frame around the paragraphs of a body, in a random shape, or in the layout of a dressing."""
    variants: list[str] = []
    spelt = spell_docket(letter.docket, rng)
    if rng.happens(shares["formal"]):
        variants.append("formal")
    head, tail = _head(letter, spelt, rng, formal=bool(variants)), _tail(letter, rng)
    middle = [[paragraph] for paragraph in body]
    parts = dressing.arrange(head, middle, tail, letter) if dressing else [*head, *middle, *tail]
    shape = _choose_shape(shares, rng)
    wrapped = rng.happens(shares["wrapped"]) and shape not in ("html", "flat")
    subject = f"{spelt}: public comment" if rng.happens(0.5) else rng.pick(_SUBJECTS)
    if dressing and dressing.layout:
        return Framed(
            dressing.lay_out(parts, f"{letter.person.name}, {letter.docket}"), False, subject, tuple(variants)
        )
    variants += [*(["wrapped"] if wrapped else []), *([shape] if shape else [])]
    if shape == "html":
        return Framed(_to_html(parts), True, subject, tuple(variants))
    if shape == "flat":
        return Framed(" ".join(" ".join(part) for part in parts), False, subject, tuple(variants))
    text = "\n\n".join("\n".join(_wrap(line) if wrapped else line for line in part) for part in parts)
    if shape == "quoted":
        text = _quote(text, letter)
    elif shape == "forwarded":
        text = _forward(text, letter, subject, rng)
    return Framed(text, False, subject, tuple(variants))


def _choose_shape(shares: Mapping[str, float], rng: RandomStream) -> str:
    point = rng.random()
    for shape in SHAPES:
        point -= shares[shape]
        if point < 0:
            return shape
    return ""


def _head(letter: Correspondence, spelt: str, rng: RandomStream, *, formal: bool) -> list[list[str]]:
    """Return the parts before the body, each a list of lines."""
    parts: list[list[str]] = []
    if formal:
        date = datetime.fromtimestamp(letter.seconds, UTC)
        parts.append([f"{_MONTHS[date.month - 1]} {date.day}, {date.year}"])
        parts.append(["Docket Center", "Hearing Room 4", "100 Example Avenue", "Capital City, DC 00100"])
    salutation = letter.salutation if rng.happens(0.75) else rng.pick((*SALUTATIONS, ""))
    heading = [[rng.pick(_HEADINGS).format(spelt)]] if letter.cites else []
    greeting = [[salutation]] if salutation else []
    return parts + (greeting + heading if rng.happens(0.15) else heading + greeting)


def _tail(letter: Correspondence, rng: RandomStream) -> list[list[str]]:
    """Return the parts after the body: closing with signature and address, then the footer."""
    person = letter.person
    parts: list[list[str]] = []
    manner = rng.random()
    if manner < 0.88:
        lines = [rng.pick(_CLOSINGS)] if manner < 0.85 else []
        lines += [person.name, *([person.organisation] if person.organisation else [])]
        if rng.happens(0.55):
            lines += [person.street, f"{person.town}, {person.state} {person.postcode}"]
            lines += [f"(555) 555-01{rng.between(0, 99):02d}"] if rng.happens(0.2) else []
        lines += [person.mail] if rng.happens(0.15) else []
        parts.append(lines)
    if letter.relayer is not None:
        parts.append(list(letter.relayer.footer))
    elif rng.happens(0.12):
        parts.append(list(rng.pick(_PROVIDER_FOOTERS)))
    return parts


def _wrap(line: str) -> str:
    """Wrap a line at 72 columns, quoted lines with their mark; `textwrap` takes ten times as long."""
    if len(line) <= 72:
        return line
    if line.startswith("> "):
        return "\n".join(f"> {part}" for part in _wrap(line[2:]).split("\n"))
    lines: list[str] = []
    start = 0
    while len(line) - start > 72:
        end = line.rfind(" ", start + 1, start + 73)
        if end < 0:
            end = line.find(" ", start + 73)
        if end < 0:
            break
        lines.append(line[start:end])
        start = end + 1
    return "\n".join([*lines, line[start:]])


def _to_html(parts: list[list[str]]) -> str:
    paragraphs = ("<p>" + "<br>\n".join(html.escape(line, quote=False) for line in part) + "</p>" for part in parts)
    return "<html><head><title>Comment</title></head><body>\n" + "\n".join(paragraphs) + "\n</body></html>"


def format_moment(seconds: int) -> str:
    """Return a time as mail programs print it."""
    date = datetime.fromtimestamp(seconds, UTC)
    clock = f"{date.hour % 12 or 12}:{date.minute:02d} {'AM' if date.hour < 12 else 'PM'}"
    return f"{_DAYS[date.weekday()]}, {_MONTHS[date.month - 1][:3]} {date.day}, {date.year} at {clock}"


def _name_sender(letter: Correspondence) -> str:
    relayer = letter.relayer
    return f"{relayer.name} <alerts@{relayer.domain}>" if relayer else f"A friend <friend@{PROVIDERS[0]}>"


def _quote(text: str, letter: Correspondence) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    return f"On {format_moment(letter.seconds - 90_000)} {_name_sender(letter)} wrote:\n\n{quoted}"


def _forward(text: str, letter: Correspondence, subject: str, rng: RandomStream) -> str:
    """Put the headers of one or two forwarded messages before a letter."""
    rule = rng.pick(_FORWARDS)
    for step in range(rng.pick((1, 1, 2))):
        headers = (
            f"From: {_name_sender(letter) if step == 0 else letter.person.name + ' <' + letter.person.mail + '>'}",
            f"Date: {format_moment(letter.seconds - 90_000 + 30_000 * step)}",
            f"Subject: {'Fwd: ' * step}{subject}",
            f"To: {letter.person.mail}",
        )
        text = "\n".join((rule, *headers)) + "\n\n" + text
    return text
