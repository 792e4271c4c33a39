"""Suggests `durian` where a collection looks like letters to an agency; `auto` prints the suggestion.

A sample of the texts is examined: how many have a salutation or a closing, and how many have text of their own around
text that others share. Runs of words are counted only in a collection with many letters or with a docket column, so
that manuals, pages and news cost next to nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from neardup.records import Documents

SAMPLE = 800
FEWEST = 20
BEGINNING, END = 500, 300
RUN = 12
MOST_WORDS = 400
SHARED_WORDS, OWN_WORDS = 20, 10
"""A letter with additions has this many words in runs that two others have, and this many words of its own."""

LETTERS, ADDITIONS = 0.25, 0.2
"""The least shares of letters and of additions in a collection without a docket column."""

DOCKET_LETTERS, DOCKET_ADDITIONS = 0.03, 0.05
"""Those in a collection with a docket column: people write to portals without salutations."""

_SALUTATION = re.compile(
    r"(?:^|\n)\s*(?:dear\b|to whom it may|attn\b|attention:|sirs?[,:]|(?:hello|hi|greetings)[,!:])", re.IGNORECASE
)
_CLOSING = re.compile(
    r"(?:^|\n|[.!?] )\s*(?:yours|sincerely|respectfully|(?:best |kind |warm |with )?regards|best wishes|cordially"
    r"|thank you|thanks)\b[^\n.]{0,30}(?:[,.]|$)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Impression:
    """Whether a collection has docket numbers, and its shares of letters and of texts with additions."""

    docket: bool
    letters: float
    additions: float

    @property
    def is_letters(self) -> bool:
        """Whether the collection looks like letters of campaigns."""
        if self.docket:
            return self.letters >= DOCKET_LETTERS and self.additions >= DOCKET_ADDITIONS
        return self.letters >= LETTERS and self.additions >= ADDITIONS


def suggest_letters(documents: Documents) -> str | None:
    """Return a note that suggests `durian`, with the reasons; None if the collection does not look like letters."""
    impression = examine(documents)
    if not impression.is_letters:
        return None
    return (
        f"The documents look like letters ({'a docket column, ' if impression.docket else ''}"
        f"{impression.letters:.0%} with a salutation or closing, {impression.additions:.0%} with own words around "
        "shared text): --method durian groups campaigns and shows what each writer added."
    )


def examine(documents: Documents) -> Impression:
    """Examine a sample of the documents, evenly spaced."""
    docket = _has_docket(documents)
    if len(documents) < FEWEST:
        return Impression(docket, 0.0, 0.0)
    texts = [documents.text(int(row)) for row in np.unique(np.linspace(0, len(documents) - 1, SAMPLE).astype(np.int64))]
    letters = sum(bool(_SALUTATION.search(text[:BEGINNING]) or _CLOSING.search(text[-END:])) for text in texts)
    share = letters / len(texts)
    worth = share >= (DOCKET_LETTERS if docket else LETTERS)
    return Impression(docket, share, _measure_additions(texts) if worth else 0.0)


def _has_docket(documents: Documents) -> bool:
    table = documents.attributes
    return table is not None and "docket" in table.column_names and table["docket"].null_count < len(table)


def _measure_additions(texts: list[str]) -> float:
    """Return the share of different texts with words of their own around text that two others have."""
    letters = [_WORD.findall(text.lower())[:MOST_WORDS] for text in dict.fromkeys(texts)]
    counts = Counter(run for letter in letters for run in set(_list_runs(letter)))
    return sum(_has_additions(letter, counts) for letter in letters) / len(letters)


def _list_runs(letter: list[str]) -> list[tuple[str, ...]]:
    return [tuple(letter[start : start + RUN]) for start in range(len(letter) - RUN + 1)]


def _has_additions(letter: list[str], counts: Counter[tuple[str, ...]]) -> bool:
    shared = np.zeros(len(letter), bool)
    for start, run in enumerate(_list_runs(letter)):
        if counts[run] > 2:
            shared[start : start + RUN] = True
    common = int(shared.sum())
    return common >= SHARED_WORDS and len(letter) - common >= OWN_WORDS
