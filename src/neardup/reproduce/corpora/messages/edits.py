"""Small edits that people make to a message before they forward it, in spaced scripts and in Chinese.

A message is a list of units: words, numbers, one or two Chinese characters, blanks, punctuation. Each edit changes one
unit, and returns False if there is none that it can change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from neardup.reproduce.random_stream import RandomStream

HAN = "㐀-䶿一-鿿"
UNIT = re.compile(rf"[{HAN}]{{1,2}}|[^\W\d_{HAN}]+(?:['’][^\W\d_]+)?|\d+|\s+|[^\w\s]+|_+")
DIGITS = re.compile(r"\d+")
LEAST_LETTERS = 2

ABBREVIATIONS = {
    **{"you": "u", "are": "r", "to": "2", "for": "4", "please": "pls", "tomorrow": "tmr", "tonight": "2nite"},
    **{"thanks": "thx", "because": "cos", "before": "b4", "with": "wif", "message": "msg", "people": "ppl"},
    **{"see": "c", "and": "n", "great": "gr8", "really": "rly", "weekend": "wkend", "what": "wat", "later": "l8r"},
    **{"you're": "ur", "your": "ur", "about": "abt", "minutes": "mins", "birthday": "bday", "love": "luv"},
    **{"谢谢": "3q", "再见": "88", "非常": "灰常", "喜欢": "稀饭", "什么": "神马", "没有": "木有", "朋友": "盆友"},
}

NAMES = {
    False: ("Anna", "Ben", "Clara", "David", "Elif", "Grace", "Hugo", "Ivy", "Jonas", "Mei", "Priya", "Sami", "Zoe"),
    True: ("小王", "小李", "老张", "阿强", "小红", "阿明", "小周", "老陈", "小林", "阿梅"),
}
FILLERS = {
    False: ("just", "really", "so", "also", "now", "please", "again", "maybe", "actually", "the", "a", "my", "lol"),
    True: ("了", "啊", "吧", "呢", "就", "也", "还", "真的", "都", "请", "哦", "那", "嘛"),
}
OPENINGS = {
    False: ("Hi", "Hello", "Hey", "FW:", "Dear all,", "Good morning,", "Fwd:", "Urgent!"),
    True: ("您好，", "亲，", "转发：", "大家好，", "【通知】", "早上好！", "紧急："),
}
CLOSINGS = {
    False: ("thanks", "bye", "take care", "pass it on", "cheers", "good night", "see you", ":)"),
    True: ("谢谢！", "再见", "请转发", "祝好", "收到请回复", "晚安", "么么哒"),
}
ENDS = {False: ("", ".", "!", "...", "!!!", "?"), True: ("", "。", "！", "……", "~")}


@dataclass(frozen=True, slots=True)
class Stock:
    """Words of a corpus that can replace others, in spaced scripts and in Chinese."""

    spaced: Sequence[str]
    chinese: Sequence[str]

    @classmethod
    def gather(cls, texts: Sequence[str], most: int = 20_000) -> Stock:
        """Collect the distinct words of the first `most` texts, in order of appearance."""
        words: dict[str, None] = {}
        for text in texts[:most]:
            words.update(dict.fromkeys(UNIT.findall(text)))
        chinese = [word for word in words if len(word) == LEAST_LETTERS and is_chinese(word)]
        spaced = [word for word in words if len(word) > LEAST_LETTERS and word.isalpha() and not is_chinese(word)]
        return cls(spaced or FILLERS[False], chinese or FILLERS[True])

    def of(self, chinese: bool) -> Sequence[str]:
        """Return the words of one kind."""
        return self.chinese if chinese else self.spaced


@dataclass(slots=True)
class Draft:
    """A message while it is edited."""

    units: list[str]
    rng: RandomStream
    stock: Stock
    words: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.words = [index for index, unit in enumerate(self.units) if unit[0].isalpha()]

    @property
    def chinese(self) -> bool:
        """Whether the message is mostly Chinese."""
        return 2 * sum(is_chinese(self.units[index]) for index in self.words) > len(self.words)


def is_chinese(unit: str) -> bool:
    """Return whether a unit consists of Chinese characters."""
    return "㐀" <= unit[0] <= "䶿" or "一" <= unit[0] <= "鿿"


def replace_word(draft: Draft) -> bool:
    """Replace a word by another word of the corpus."""
    if not draft.words:
        return False
    index = draft.rng.pick(draft.words)
    draft.units[index] = draft.rng.pick(draft.stock.of(is_chinese(draft.units[index])))
    return True


def drop_word(draft: Draft) -> bool:
    """Remove a word, if others remain."""
    if len(draft.words) < LEAST_LETTERS:
        return False
    index = draft.rng.pick(draft.words)
    following = draft.units[index + 1 : index + 2]
    draft.units[index : index + 2] = [] if following and following[0].isspace() else following
    return True


def insert_word(draft: Draft) -> bool:
    """Insert a filler, or sometimes any word of the corpus."""
    if not draft.words:
        return False
    index = draft.rng.pick(draft.words)
    chinese = is_chinese(draft.units[index])
    word = draft.rng.pick(draft.stock.of(chinese) if draft.rng.happens(0.25) else FILLERS[chinese])
    draft.units[index:index] = [word] if chinese else [word, " "]
    return True


def abbreviate(draft: Draft) -> bool:
    """Abbreviate a word as in text messages."""
    known = [index for index in draft.words if draft.units[index].lower() in ABBREVIATIONS]
    if not known:
        return False
    index = draft.rng.pick(known)
    draft.units[index] = ABBREVIATIONS[draft.units[index].lower()]
    return True


def change_number(draft: Draft) -> bool:
    """Replace the digits of a number."""
    numbers = [index for index, unit in enumerate(draft.units) if DIGITS.fullmatch(unit)]
    if not numbers:
        return False
    index = draft.rng.pick(numbers)
    draft.units[index] = "".join(str(draft.rng.between(1, 9)) for _ in draft.units[index])
    return True


def change_name(draft: Draft) -> bool:
    """Replace a word that looks like a name by another name."""
    names = [index for index in draft.words[1:] if draft.units[index][0].isupper()]
    names += [index for index in draft.words if draft.units[index][0] in "小老阿" and len(draft.units[index]) > 1]
    if not names:
        return False
    index = draft.rng.pick(names)
    draft.units[index] = draft.rng.pick(NAMES[is_chinese(draft.units[index])])
    return True


def greet(draft: Draft) -> bool:
    """Put a greeting before the message."""
    opening = draft.rng.pick(OPENINGS[draft.chinese])
    draft.units[:0] = [opening] if draft.chinese else [opening, " "]
    return True


def close(draft: Draft) -> bool:
    """Put a farewell after the message."""
    closing = draft.rng.pick(CLOSINGS[draft.chinese])
    draft.units += [closing] if draft.chinese else [" ", closing]
    return True


def punctuate(draft: Draft) -> bool:
    """Change the final punctuation, and sometimes write the message in lower case."""
    if draft.units and not draft.units[-1][0].isalnum():
        draft.units.pop()
    draft.units.append(draft.rng.pick(ENDS[draft.chinese]))
    if draft.rng.happens(0.3):
        draft.units = [unit.lower() for unit in draft.units]
    return True


EDITS: Mapping[Callable[[Draft], bool], int] = {
    replace_word: 5,
    drop_word: 5,
    insert_word: 6,
    abbreviate: 4,
    change_number: 4,
    change_name: 3,
    greet: 3,
    close: 3,
    punctuate: 5,
}
"""Each edit with its weight in the random choice."""

_WEIGHTED_EDITS = [edit for edit, share in EDITS.items() for _ in range(share)]


def edit_message(text: str, count: int, rng: RandomStream, stock: Stock) -> str:
    """Apply `count` random edits; a message of which nothing would remain is returned unchanged."""
    units = UNIT.findall(text)
    for _ in range(count):
        draft = Draft([unit for unit in units if unit], rng, stock)
        while not rng.pick(_WEIGHTED_EDITS)(draft):
            pass
        units = draft.units
    edited = "".join(units)
    return edited if edited.strip() else text
