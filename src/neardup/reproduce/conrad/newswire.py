"""News with known duplicate sets: stories, invented or real, and versions of some of them planted among the others.

The versions are those of Conrad, Guo & Schriber 2003, section 3: exact, excerpt, elaboration, insertion, revision,
focus. All but `focus` stay within the definition of duplicates that the paper's librarians gave, at least 80 % similar.
Beside them stands what the paper's algorithm mistook for duplicates: reports that return after weeks with other news in
the same words, and tables of numbers that change from day to day.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from neardup.errors import InputError
from neardup.reproduce.docket.chance import Chance

CATEGORIES = ("exact", "excerpt", "elaboration", "insertion", "revision", "focus")
SET_SIZES = [2] * 132 + [3] * 24 + [4] * 10 + [5] * 3 + [6]
"""How many documents the duplicate sets of Table 7 have, training and test together."""

COPY_DAYS = 28
RECURRING_DAYS = (50, 80)
FIRST_DAY = 731_000
SPAN_DAYS = 240
LEAST_WORDS = 80
PLANTED_SHARE = 0.15
RECURRING_SHARE = 0.01
NUMERIC_SERIES = 10


@dataclass(frozen=True, slots=True)
class Story:
    """A text without its title, and the day of its publication as Python counts days."""

    text: str
    day: int


@dataclass(frozen=True, slots=True)
class Item:
    """A document of the collection: its text under a title, its day, the set that it belongs to, and its category."""

    text: str
    day: int
    origin: int
    category: str = ""


FUNCTION_WORDS = (
    *("the", "of", "to", "and", "in", "a", "said", "for", "it", "on", "is", "that", "by", "was", "its", "with", "from"),
    *("as", "at", "be", "which", "has", "an", "will", "have", "not", "are", "this", "were", "been", "but", "their"),
    *("had", "or", "would", "more", "than", "up", "he", "also", "after", "about", "last", "could", "over", "into"),
)
ONSETS = (*"bcdfghlmnprstv", "br", "cr", "dr", "fl", "gr", "pl", "pr", "sh", "st", "th", "tr")
VOWELS = (*"aeiou", "ai", "ea", "ou")
CODAS = ("", "", "l", "n", "r", "s", "t", "nd", "rk", "st")


class Writer:
    """Writes stories of invented words: common and rare ones as in real text, each story about a topic."""

    def __init__(self, chance: Chance, topics: int = 40, vocabulary: int = 1500) -> None:
        self.chance = chance
        words = dict.fromkeys(self._invent_word() for _ in range(2 * vocabulary))
        self.words = list(words)[:vocabulary]
        self.topics = [[self._draw_word() for _ in range(150)] for _ in range(topics)]

    def _invent_word(self) -> str:
        syllables = 2 + self.chance.below(2)
        pick = self.chance.pick
        return "".join(pick(ONSETS) + pick(VOWELS) + pick(CODAS) for _ in range(syllables))

    def _draw_word(self) -> str:
        # The third power of a chance falls off somewhat as the frequencies of words do.
        share = self.chance.random()
        return self.words[int(len(self.words) * share * share * share)]

    def write(self, day: int) -> Story:
        """Write one story."""
        topic = self.chance.pick(self.topics)
        sentences = [self.write_sentence(topic) for _ in range(8 + self.chance.below(16))]
        paragraphs = []
        while sentences:
            count = 1 + self.chance.below(3)
            paragraphs.append(" ".join(sentences[:count]))
            sentences = sentences[count:]
        return Story("\n\n".join(paragraphs), day)

    def write_sentence(self, topic: Sequence[str]) -> str:
        """Write one sentence about a topic."""
        words = []
        for _ in range(8 + self.chance.below(17)):
            kind = self.chance.random()
            if kind < 0.45:
                words.append(self.chance.pick(FUNCTION_WORDS))
            elif kind < 0.97:
                words.append(self.chance.pick(topic) if self.chance.happens(0.4) else self._draw_word())
            else:
                words.append(str(self.chance.below(2000)))
        return words[0].capitalize() + " " + " ".join(words[1:]) + "."


def invent_stories(seed: int, count: int, purpose: str = "news") -> list[Story]:
    """Write so many stories, spread over eight months."""
    writer = Writer(Chance(seed, f"stories {purpose}"))
    return [writer.write(FIRST_DAY + place * SPAN_DAYS // max(count, 1)) for place in range(count)]


def split_paragraphs(text: str) -> list[list[str]]:
    """Return the sentences of each paragraph; paragraphs begin behind a blank line or with an indented one."""
    blocks = re.split(r"\n\s*\n|\n(?=[ \t]{2,}\S)", text)
    sentences = ([each for each in re.split(r"(?<=[.!?])\s+", " ".join(block.split())) if each] for block in blocks)
    return [block for block in sentences if block]


def join_paragraphs(paragraphs: Sequence[Sequence[str]]) -> str:
    """Return a text again."""
    return "\n\n".join(" ".join(sentences) for sentences in paragraphs if sentences)


def count_words(text: str) -> int:
    """Count the words between blanks."""
    return len(text.split())


class Editor:
    """Makes other versions of stories; what is new in them comes from the other stories."""

    def __init__(self, stories: Sequence[Story], chance: Chance) -> None:
        self.chance = chance
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
        """Return a sentence of some other story."""
        paragraphs = split_paragraphs(self.chance.pick(self.stories).text)
        return self.chance.pick(self.chance.pick(paragraphs)) if paragraphs else "No more was said."

    def foreign_word(self) -> str:
        """Return a word of some other story."""
        return self.chance.pick(self.foreign_sentence().split()).strip(".,;:!?\"'()") or "more"

    def excerpt(self, text: str) -> str:
        """Keep the first sentences: 84 to 96 % of the words."""
        wanted = count_words(text) * (84 + self.chance.below(13)) // 100
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
        """Add a paragraph, 4 to 15 % of the words, somewhere behind the first."""
        paragraphs = split_paragraphs(text)
        added = self._foreign_words(count_words(text) * (4 + self.chance.below(12)) // 100)
        paragraphs.insert(1 + self.chance.below(len(paragraphs)), [added])
        return join_paragraphs(paragraphs)

    def insert(self, text: str) -> str:
        """Add phrases inside the paragraphs, 3 to 12 % of the words."""
        paragraphs = split_paragraphs(text)
        left = count_words(text) * (3 + self.chance.below(10)) // 100
        while left > 0:
            size = min(left, 3 + self.chance.below(10))
            paragraph = self.chance.pick(paragraphs)
            paragraph.insert(self.chance.below(len(paragraph) + 1), self._foreign_words(size))
            left -= size
        return join_paragraphs(paragraphs)

    def revise(self, text: str) -> str:
        """Replace 2 to 8 % of the words, and change every third number."""
        paragraphs = split_paragraphs(text)
        share = (2 + self.chance.below(7)) / 100

        def revised(word: str) -> str:
            if re.fullmatch(r"[\d.,]+", word) and self.chance.happens(1 / 3):
                return str(self.chance.below(5000))
            return self.foreign_word() if self.chance.happens(share) else word

        return join_paragraphs([[" ".join(map(revised, each.split())) for each in block] for block in paragraphs])

    def rewrite(self, text: str) -> str:
        """Tell the same with a new focus: half of the sentences, in another order, every other word another one."""
        sentences = [each for block in split_paragraphs(text) for each in block]
        kept = self.chance.pick_some(sentences, max(len(sentences) // 2, 1))
        self.chance.shuffle(kept)
        told = [" ".join(self.foreign_word() if self.chance.happens(0.5) else w for w in each.split()) for each in kept]
        told += [self.foreign_sentence() for _ in range(len(sentences) - len(kept))]
        return join_paragraphs([told[place : place + 3] for place in range(0, len(told), 3)])

    def _foreign_words(self, count: int) -> str:
        words: list[str] = []
        while len(words) < count:
            words += self.foreign_sentence().split()
        return " ".join(words[: max(count, 1)]).rstrip(".,;") + "."

    def entitle(self, text: str) -> str:
        """Put a title above a text: some of its words, in capitals or not."""
        words = [word.strip(".,;:!?\"'()") for word in text.split()[:60]]
        title = " ".join(self.chance.pick_some([word for word in words if len(word) > 3] or words, 6))
        return f"{title.upper() if self.chance.happens(0.3) else title.capitalize()}\n\n{text}"


def plant_sets(stories: Sequence[Story], seed: int) -> list[Item]:
    """Plant duplicate sets of every category, returning reports and tables of numbers among the stories."""
    usable = [story for story in stories if count_words(story.text) >= LEAST_WORDS]
    if len(usable) < 50:
        raise InputError(
            f"{len(usable)} stories of {LEAST_WORDS} words or more are too few to plant duplicates among: "
            "give at least 50"
        )
    chance = Chance(seed, "planted sets")
    editor = Editor(usable, chance)
    items: list[Item] = []
    for origin, story in enumerate(usable):
        text = join_paragraphs(split_paragraphs(story.text))
        draw = chance.random()
        category = chance.pick(CATEGORIES) if draw < PLANTED_SHARE else ""
        items.append(Item(editor.entitle(text), story.day, origin, category))
        if category:
            items += _make_versions(items[-1], text, editor)
        elif draw < PLANTED_SHARE + RECURRING_SHARE:
            later = Story(editor.revise(text), story.day + chance.between(*RECURRING_DAYS))
            items.append(Item(editor.entitle(later.text), later.day, len(usable) + origin))
    items += _make_tables(editor, 2 * len(usable))
    chance.shuffle(items)
    return items


def _make_versions(original: Item, text: str, editor: Editor) -> Iterator[Item]:
    for _ in range(editor.chance.pick(SET_SIZES) - 1):
        version = editor.edits[original.category](text)
        day = original.day + editor.chance.below(COPY_DAYS + 1)
        yield replace(original, text=editor.entitle(version), day=day)


def _make_tables(editor: Editor, origin: int) -> Iterator[Item]:
    """Make tables of numbers under the same words, day after day: no two are duplicates."""
    chance = editor.chance
    for series in range(NUMERIC_SERIES):
        words = [editor.foreign_word() for _ in range(40)]
        start = chance.pick(editor.stories).day
        for day in range(3):
            rows = (f"{word} {chance.below(10_000)} {chance.below(10_000)} {chance.below(100)}" for word in words)
            yield Item(editor.entitle("\n".join(rows)), start + day, origin + series * 10 + day)
