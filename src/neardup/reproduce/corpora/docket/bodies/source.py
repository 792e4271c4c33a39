"""The letters that a docket is made from: their prose, in paragraphs, none of which stands in another letter too.

What would be taken for the frame of a letter (salutation, closing, mail headers, addresses, a docket number) is left
out: the generator puts a frame of its own around every text, and the answer must not depend on two. Text is cut at the
borders of paragraphs and sentences alone. Time and memory grow with the words of the source.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
import numpy.typing as npt

WORD = re.compile(r"\w+")

RUN = 12
"""No two paragraphs of a source share so many words in a row; shorter stock phrases are the language's own."""

_TAG_BREAK = re.compile(r"<br\s*/?>|</?(?:p|div)\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^>]*>", re.IGNORECASE)
_BLANK = re.compile(r"\n[^\S\n]*\n")
_FRAME = re.compile(
    r"(?:dear|to whom|hello|hi|sir|madam|greetings|sincerely|(?:best |kind |warm )?regards|respectfully|thanks?"
    r"|thank you|yours|cc|re|subject|attn|docket)\b",
    re.IGNORECASE,
)
_MAIL_PHRASES = (
    *("@", "://", "www.", "wrote:", "message was sent", "sent from", "unsubscribe", "forwarded", "original message"),
    *("docket", "rin no", "rin:"),
)
_MAIL_START = re.compile(r">|[A-Z][\w-]{1,20}:\s|[-_*=]{2}")
_DOCKET = re.compile(r"\b[A-Z]{2,6} ?[-–_] ?[A-Z0-9]{2,} ?[-–_] ?\d{2,6}")
_ODD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffd\ud800-\udfff]")
_MARK = re.compile(r"[^\w ]|[\d_]")
_PROSE_START = re.compile(r"[\"'“‘(\[]?[^\W_]")
_PROSE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mrs?|Ms|Drs?|Prof|Sen|Rep|Gov|Gen|St|Jr|Sr|Inc|Ltd|Co|Corp|Nos?|vs|etc|al|Fig|Sec|Vol|Art|pp?|Ave|Dept"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|\b[A-Za-z](?:\.[A-Za-z])*|^\(?\d{1,2}\)?)\.$"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The usable paragraphs of each letter, how many letters were given, and the fingerprint of what was given."""

    letters: tuple[tuple[str, ...], ...]
    given: int
    fingerprint: str


def read_source(texts: Iterable[str]) -> Source:
    """Take the prose out of letters; their order and repetitions do not matter."""
    distinct = sorted({text for text in texts if text and text.strip()})
    digest = sha256()
    for text in distinct:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    seen = _Seen()
    letters = [tuple(filter(seen.admit, filter(is_prose, split_paragraphs(text)))) for text in distinct]
    return Source(tuple(filter(None, letters)), len(distinct), digest.hexdigest())


def count_words(text: str) -> int:
    """Count the words as they are compared: an apostrophe or a hyphen separates two."""
    return len(WORD.findall(text))


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared."""
    return tuple(WORD.findall(text.lower()))


def split_paragraphs(text: str) -> list[str]:
    """Split a letter at blank lines, or at every line where there are none and the lines are too long to be wrapped."""
    plain = html.unescape(_TAG.sub("", _TAG_BREAK.sub("\n\n", text)) if _TAG.search(text) else text)
    plain = plain.replace("\r\n", "\n").replace("\r", "\n").strip()
    parts = _BLANK.split(plain)
    if len(parts) == 1:
        lines = plain.split("\n")
        if max(map(len, lines)) > 120:
            parts = lines
    return [joined for part in parts if (joined := " ".join(part.split()))]


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph where a sentence ends; a full stop after an abbreviation ends none."""
    sentences, start = [], 0
    for match in _SENTENCE_END.finditer(paragraph):
        piece = paragraph[start : match.end()].strip()
        if not _ABBREVIATION.search(piece):
            sentences.append(piece)
            start = match.end()
    return [*sentences, paragraph[start:].strip()]


def recut(paragraph: str, most: int) -> list[str]:
    """Cut a paragraph at sentence borders into the fewest like pieces of about so many words."""
    total = count_words(paragraph)
    if total <= most:
        return [paragraph]
    wanted = total / -(-total // most)
    pieces: list[list[str]] = [[]]
    words = 0
    for sentence in split_sentences(paragraph):
        length = count_words(sentence)
        if pieces[-1] and words + length / 2 > wanted:
            pieces.append([])
            words = 0
        pieces[-1].append(sentence)
        words += length
    return [" ".join(piece) for piece in pieces]


def is_prose(paragraph: str) -> bool:
    """Say whether a paragraph is running text that can be nothing but the body of a letter."""
    words = count_words(paragraph)
    if words < 6 or not _PROSE_START.match(paragraph) or not _PROSE_END.search(paragraph[-8:]):
        return False
    lower = paragraph.lower()
    if any(phrase in lower for phrase in _MAIL_PHRASES) or _MAIL_START.match(paragraph):
        return False
    if _DOCKET.search(paragraph) or _ODD.search(paragraph) or len(_MARK.findall(paragraph)) > 0.15 * len(paragraph):
        return False
    return words > 10 or not _FRAME.match(paragraph)


class _Seen:
    """Every run of words that was admitted, as 64-bit sums over numbers that the words have by first appearance."""

    def __init__(self) -> None:
        self._runs: set[int] = set()
        self._numbers: dict[str, int] = {}
        powers = [pow(0x9E3779B97F4A7C15, index + 1, 1 << 64) for index in range(RUN)]
        self._powers = np.array(powers, np.uint64)

    def admit(self, paragraph: str) -> bool:
        """Say whether a paragraph shares no run with those before, and remember it if so."""
        numbers = self._numbers
        ids = [numbers.setdefault(word, len(numbers) + 1) for word in split_words(paragraph)]
        runs = self._sum_runs(np.array(ids + [0] * (RUN - len(ids)), np.uint64))
        if not self._runs.isdisjoint(runs):
            return False
        self._runs.update(runs)
        return True

    def _sum_runs(self, ids: npt.NDArray[np.uint64]) -> list[int]:
        # The numbers are spread over 64 bits first, or the sums of small ones would collide.
        ids = (ids ^ (ids << np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
        ids ^= ids >> np.uint64(29)
        sums: list[int] = (np.lib.stride_tricks.sliding_window_view(ids, RUN) * self._powers).sum(axis=1).tolist()
        return sums
