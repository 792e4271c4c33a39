"""Edited versions of a story, by the categories of Conrad, Guo & Schriber 2003, section 3.

All categories but `focus` stay within the definition of duplicates that the paper's librarians gave: at least 80 %
similar.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from neardup.reproduce.corpora.newswire.stories import Story
from neardup.reproduce.random_stream import RandomStream

CATEGORIES = ("exact", "excerpt", "elaboration", "insertion", "revision", "focus")


def split_paragraphs(text: str) -> list[list[str]]:
    """Return the sentences of each paragraph; a paragraph begins after a blank line or with an indented line."""
    blocks = re.split(r"\n\s*\n|\n(?=[ \t]{2,}\S)", text)
    sentences = ([each for each in re.split(r"(?<=[.!?])\s+", " ".join(block.split())) if each] for block in blocks)
    return [block for block in sentences if block]


def join_paragraphs(paragraphs: Sequence[Sequence[str]]) -> str:
    """Join paragraphs of sentences to a text."""
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs if sentences)


def count_words(text: str) -> int:
    """Count the words, separated by white space."""
    return len(text.split())


class Editor:
    """Makes edited versions of stories; new text comes from the other stories."""

    def __init__(self, stories: Sequence[Story], rng: RandomStream) -> None:
        self.rng = rng
        self.stories = stories
        self.edits: dict[str, Callable[[str], str]] = {
            "exact": lambda text: text,
            "excerpt": self.excerpt,
            "elaboration": self.elaborate,
            "insertion": self.insert,
            "revision": self.revise,
            "focus": self.rewrite,
        }

    def foreign_sentence(self) -> str:
        """Return a sentence of a random story."""
        paragraphs = split_paragraphs(self.rng.pick(self.stories).text)
        return self.rng.pick(self.rng.pick(paragraphs)) if paragraphs else "No more was said."

    def foreign_word(self) -> str:
        """Return a word of a random story."""
        return self.rng.pick(self.foreign_sentence().split()).strip(".,;:!?\"'()") or "more"

    def excerpt(self, text: str) -> str:
        """Keep the first sentences: 84 to 96 % of the words."""
        wanted = count_words(text) * (84 + self.rng.below(13)) // 100
        kept: list[list[str]] = []
        words = 0
        for paragraph in split_paragraphs(text):
            kept.append([])
            for sentence in paragraph:
                own = sentence.split()[: max(wanted - words, 0)]
                kept[-1].append(" ".join(own))
                words += len(own)
        return join_paragraphs([[sentence for sentence in paragraph if sentence] for paragraph in kept])

    def elaborate(self, text: str) -> str:
        """Add a paragraph of 4 to 15 % of the words, anywhere after the first."""
        paragraphs = split_paragraphs(text)
        added = self._foreign_words(count_words(text) * (4 + self.rng.below(12)) // 100)
        paragraphs.insert(1 + self.rng.below(len(paragraphs)), [added])
        return join_paragraphs(paragraphs)

    def insert(self, text: str) -> str:
        """Add phrases inside the paragraphs, 3 to 12 % of the words."""
        paragraphs = split_paragraphs(text)
        left = count_words(text) * (3 + self.rng.below(10)) // 100
        while left > 0:
            size = min(left, 3 + self.rng.below(10))
            paragraph = self.rng.pick(paragraphs)
            paragraph.insert(self.rng.below(len(paragraph) + 1), self._foreign_words(size))
            left -= size
        return join_paragraphs(paragraphs)

    def revise(self, text: str) -> str:
        """Replace 2 to 8 % of the words, and change every third number."""
        paragraphs = split_paragraphs(text)
        share = (2 + self.rng.below(7)) / 100

        def revised(word: str) -> str:
            if re.fullmatch(r"[\d.,]+", word) and self.rng.happens(1 / 3):
                return str(self.rng.below(5000))
            return self.foreign_word() if self.rng.happens(share) else word

        return join_paragraphs([[" ".join(map(revised, each.split())) for each in block] for block in paragraphs])

    def rewrite(self, text: str) -> str:
        """Rewrite with a new focus: half of the sentences, in another order, with half of their words replaced."""
        sentences = [each for block in split_paragraphs(text) for each in block]
        kept = self.rng.pick_some(sentences, max(len(sentences) // 2, 1))
        self.rng.shuffle(kept)
        rewritten = [
            " ".join(self.foreign_word() if self.rng.happens(0.5) else word for word in each.split()) for each in kept
        ]
        rewritten += [self.foreign_sentence() for _ in range(len(sentences) - len(kept))]
        return join_paragraphs([rewritten[index : index + 3] for index in range(0, len(rewritten), 3)])

    def _foreign_words(self, count: int) -> str:
        words: list[str] = []
        while len(words) < count:
            words += self.foreign_sentence().split()
        return " ".join(words[: max(count, 1)]).rstrip(".,;") + "."

    def entitle(self, text: str) -> str:
        """Put a title above a text: some of its words, sometimes in capitals."""
        words = [word.strip(".,;:!?\"'()") for word in text.split()[:60]]
        title = " ".join(self.rng.pick_some([word for word in words if len(word) > 3] or words, 6))
        return f"{title.upper() if self.rng.happens(0.3) else title.capitalize()}\n\n{text}"
