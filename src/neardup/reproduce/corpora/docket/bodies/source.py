"""The source of a docket: the prose of real letters in paragraphs, none of which occurs in two letters.

Paragraphs that could be taken for the frame of a letter (salutation, closing, mail headers, addresses, a docket number)
are left out: the generator puts its own frame around every text, and the gold must not depend on two frames. Text is
divided only between paragraphs and sentences. Time and memory grow with the number of words.
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

SEQUENCE = 12
"""No two paragraphs of a source share this many words in succession; shorter phrases are common language."""

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
_INVALID = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufffd\ud800-\udfff]")
_SYMBOL = re.compile(r"[^\w ]|[\d_]")
_PROSE_START = re.compile(r"[\"'“‘(\[]?[^\W_]")
_PROSE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:Mrs?|Ms|Drs?|Prof|Sen|Rep|Gov|Gen|St|Jr|Sr|Inc|Ltd|Co|Corp|Nos?|vs|etc|al|Fig|Sec|Vol|Art|pp?|Ave|Dept"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|\b[A-Za-z](?:\.[A-Za-z])*|^\(?\d{1,2}\)?)\.$"
)


@dataclass(frozen=True, slots=True)
class Source:
    """The usable paragraphs of each letter, and the number and the fingerprint of the given letters."""

    letters: tuple[tuple[str, ...], ...]
    given: int
    fingerprint: str


def read_source(texts: Iterable[str]) -> Source:
    """Extract the prose of letters; their order and repetitions do not matter."""
    distinct = sorted({text for text in texts if text and text.strip()})
    digest = sha256()
    for text in distinct:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
    seen = _Seen()
    letters = [tuple(filter(seen.admit, filter(is_prose, split_paragraphs(text)))) for text in distinct]
    return Source(tuple(filter(None, letters)), len(distinct), digest.hexdigest())


def count_words(text: str) -> int:
    """Count the words; an apostrophe or a hyphen separates two words."""
    return len(WORD.findall(text))


def split_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case."""
    return tuple(WORD.findall(text.lower()))


def split_paragraphs(text: str) -> list[str]:
    """Split a letter at blank lines, or at every line if there are none and the lines are too long to be wrapped."""
    plain = html.unescape(_TAG.sub("", _TAG_BREAK.sub("\n\n", text)) if _TAG.search(text) else text)
    plain = plain.replace("\r\n", "\n").replace("\r", "\n").strip()
    parts = _BLANK.split(plain)
    if len(parts) == 1:
        lines = plain.split("\n")
        if max(map(len, lines)) > 120:
            parts = lines
    return [joined for part in parts if (joined := " ".join(part.split()))]


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph into sentences; a full stop after an abbreviation does not end one."""
    sentences, start = [], 0
    for match in _SENTENCE_END.finditer(paragraph):
        piece = paragraph[start : match.end()].strip()
        if not _ABBREVIATION.search(piece):
            sentences.append(piece)
            start = match.end()
    return [*sentences, paragraph[start:].strip()]


def recut(paragraph: str, most: int) -> list[str]:
    """Divide a paragraph between sentences into the fewest equal pieces of about `most` words."""
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
    """Return whether a paragraph is running text that cannot be part of a frame."""
    words = count_words(paragraph)
    if words < 6 or not _PROSE_START.match(paragraph) or not _PROSE_END.search(paragraph[-8:]):
        return False
    lower = paragraph.lower()
    if any(phrase in lower for phrase in _MAIL_PHRASES) or _MAIL_START.match(paragraph):
        return False
    if (
        _DOCKET.search(paragraph)
        or _INVALID.search(paragraph)
        or len(_SYMBOL.findall(paragraph)) > 0.15 * len(paragraph)
    ):
        return False
    return words > 10 or not _FRAME.match(paragraph)


class _Seen:
    """The hashes of all sequences of 12 words in the paragraphs admitted so far."""

    def __init__(self) -> None:
        self._hashes: set[int] = set()
        self._numbers: dict[str, int] = {}
        powers = [pow(0x9E3779B97F4A7C15, index + 1, 1 << 64) for index in range(SEQUENCE)]
        self._powers = np.array(powers, np.uint64)

    def admit(self, paragraph: str) -> bool:
        """Return whether a paragraph shares no sequence with earlier ones; if so, remember it."""
        numbers = self._numbers
        ids = [numbers.setdefault(word, len(numbers) + 1) for word in split_words(paragraph)]
        hashes = self._hash_sequences(np.array(ids + [0] * (SEQUENCE - len(ids)), np.uint64))
        if not self._hashes.isdisjoint(hashes):
            return False
        self._hashes.update(hashes)
        return True

    def _hash_sequences(self, ids: npt.NDArray[np.uint64]) -> list[int]:
        # The numbers are first spread over 64 bits; sums of small numbers would collide.
        ids = (ids ^ (ids << np.uint64(32))) * np.uint64(0xBF58476D1CE4E5B9)
        ids ^= ids >> np.uint64(29)
        sums: list[int] = (np.lib.stride_tricks.sliding_window_view(ids, SEQUENCE) * self._powers).sum(axis=1).tolist()
        return sums
