"""Errors of character recognition: half a per cent of the characters are read as others, lost or split.

The gold keeps what the letter shows: the added text has the errors that it got in the letter.
"""

from __future__ import annotations

from dataclasses import replace

from neardup.reproduce.corpora.docket.bodies.edits import Edited
from neardup.reproduce.random_stream import RandomStream

RATE = 0.005

_CONFUSIONS = {
    **{"l": "1I", "I": "l1", "O": "0", "0": "O", "o": "0ce", "e": "co", "c": "eo", "a": "o", "i": "lj", "t": "fl"},
    **{"h": "b", "b": "h", "n": "u", "u": "n", "s": "5", "S": "5", "g": "q", "r": "n", "f": "t", "v": "y", "1": "l"},
    **{"m": ("rn",), "w": ("vv",), "d": ("cl",)},
}


def distort(text: str, rng: RandomStream) -> str:
    """Return a text with errors in half a per cent of its characters; blanks stay where they are."""
    if not text:
        return text
    characters = list(text)
    for index, character in enumerate(characters):
        if rng.random() < RATE and not character.isspace():
            options = _CONFUSIONS.get(character)
            if options and rng.happens(0.85):
                characters[index] = rng.pick(options)
            elif character.isalpha():
                characters[index] = ""
    return "".join(characters)


def add_noise(edited: Edited, rng: RandomStream) -> Edited:
    """Distort a body word by word, and the added text, that of the other campaign and quoted mail in the same way."""
    clean = [paragraph.split() for paragraph in edited.paragraphs]
    noisy = [[distort(word, rng) for word in words] for words in clean]
    trace = _Trace([word for words in clean for word in words], [word for words in noisy for word in words])
    return replace(
        edited,
        paragraphs=[" ".join(filter(None, words)) for words in noisy],
        added=tuple(map(trace.find, edited.added)),
        other=tuple(map(trace.find, edited.other)),
    )


class _Trace:
    """The words of a body before and after, to find what became of a piece of it."""

    def __init__(self, clean: list[str], noisy: list[str]) -> None:
        self._clean, self._noisy = clean, noisy
        self._starts: dict[str, list[int]] = {}
        for index, word in enumerate(clean):
            self._starts.setdefault(word, []).append(index)

    def find(self, piece: str) -> str:
        """Return a piece of the body as it reads now; words that are not together are found one by one."""
        words = piece.split()
        whole = self._find_run(words)
        return " ".join(
            filter(None, whole if whole else (w for word in words for w in self._find_run([word]) or [word]))
        )

    def _find_run(self, words: list[str]) -> list[str]:
        for start in self._starts.get(words[0], []) if words else []:
            if self._clean[start : start + len(words)] == words:
                return self._noisy[start : start + len(words)]
        return []
