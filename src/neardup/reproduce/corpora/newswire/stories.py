"""Generated news stories: invented words with the frequencies of real text, each story about a topic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from neardup.reproduce.random_stream import RandomStream

FIRST_DAY = 731_000
SPAN_DAYS = 240


@dataclass(frozen=True, slots=True)
class Story:
    """A text without its title, and the ordinal of its day of publication."""

    text: str
    day: int


FUNCTION_WORDS = (
    *("the", "of", "to", "and", "in", "a", "said", "for", "it", "on", "is", "that", "by", "was", "its", "with", "from"),
    *("as", "at", "be", "which", "has", "an", "will", "have", "not", "are", "this", "were", "been", "but", "their"),
    *("had", "or", "would", "more", "than", "up", "he", "also", "after", "about", "last", "could", "over", "into"),
)
ONSETS = (*"bcdfghlmnprstv", "br", "cr", "dr", "fl", "gr", "pl", "pr", "sh", "st", "th", "tr")
VOWELS = (*"aeiou", "ai", "ea", "ou")
CODAS = ("", "", "l", "n", "r", "s", "t", "nd", "rk", "st")


class Writer:
    """Writes stories of invented words; some words are common and most are rare, as in real text."""

    def __init__(self, rng: RandomStream, topics: int = 40, vocabulary: int = 1500) -> None:
        self.rng = rng
        words = dict.fromkeys(self._invent_word() for _ in range(2 * vocabulary))
        self.words = list(words)[:vocabulary]
        self.topics = [[self._draw_word() for _ in range(150)] for _ in range(topics)]

    def _invent_word(self) -> str:
        syllables = 2 + self.rng.below(2)
        pick = self.rng.pick
        return "".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(syllables))

    def _draw_word(self) -> str:
        # The third power of a uniform number approximates the frequencies of words.
        share = self.rng.random()
        return self.words[int(len(self.words) * share * share * share)]

    def write(self, day: int) -> Story:
        """Write one story."""
        topic = self.rng.pick(self.topics)
        sentences = [self.write_sentence(topic) for _ in range(8 + self.rng.below(16))]
        paragraphs = []
        while sentences:
            count = 1 + self.rng.below(3)
            paragraphs.append(" ".join(sentences[:count]))
            sentences = sentences[count:]
        return Story("\n\n".join(paragraphs), day)

    def write_sentence(self, topic: Sequence[str]) -> str:
        """Write one sentence about a topic."""
        words = []
        for _ in range(8 + self.rng.below(17)):
            kind = self.rng.random()
            if kind < 0.45:
                words.append(self.rng.pick(FUNCTION_WORDS))
            elif kind < 0.97:
                words.append(self.rng.pick(topic) if self.rng.happens(0.4) else self._draw_word())
            else:
                words.append(str(self.rng.below(2000)))
        return words[0].capitalize() + " " + " ".join(words[1:]) + "."


def invent_stories(seed: int, count: int, purpose: str = "news") -> list[Story]:
    """Write `count` stories, spread over eight months."""
    writer = Writer(RandomStream(seed, f"stories {purpose}"))
    return [writer.write(FIRST_DAY + index * SPAN_DAYS // max(count, 1)) for index in range(count)]
