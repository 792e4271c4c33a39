"""Categories of duplicates by Conrad, Guo & Schriber 2003, section 3.

The paper's assessors read the documents; here the words of both are aligned. The limits are ours: differences in up to
2 % of the words are slips, 20 consecutive new words are a paragraph, and texts with less than 60 % of their words in
common are rewritten (`focus`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

CATEGORY_NUMBERS = {"exact": 1, "excerpt": 2, "elaboration": 3, "insertion": 4, "focus": 5, "revision": 6}
SLIP = 0.02
PARAGRAPH_WORDS = 20
SAME_WORDS = 0.6
MOST_WORDS = 3000


def categorise(a: str, b: str) -> str:
    """Return the category of two duplicates."""
    longer, shorter = sorted((_words(a), _words(b)), key=len, reverse=True)
    if longer == shorter:
        return "exact"
    distinct = set(longer), set(shorter)
    if len(distinct[0] & distinct[1]) < SAME_WORDS * max(map(len, distinct)):
        return "focus"
    slips = SLIP * len(longer)
    ops = [each for each in SequenceMatcher(None, shorter, longer, autojunk=False).get_opcodes() if each[0] != "equal"]
    lost = sum(end - start for _, start, end, _, _ in ops)
    if lost > slips:
        return "revision"
    lengths = [end - start for _, _, _, start, end in ops]
    # An excerpt lacks the end of the other text and nothing else.
    at_end = ops[-1][4] == len(longer) and ops[-1][1] >= len(shorter) - slips
    if at_end and sum(lengths[:-1]) <= slips:
        return "excerpt"
    return (
        "elaboration" if sum(size for size in lengths if size >= PARAGRAPH_WORDS) * 2 >= sum(lengths) else "insertion"
    )


def categorise_set(texts: Sequence[str]) -> list[str]:
    """Return the category of each text but the first, compared with the first."""
    return [categorise(texts[0], text) for text in texts[1:]]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())[:MOST_WORDS]
