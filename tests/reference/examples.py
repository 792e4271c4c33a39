"""Examples for property tests: strings of every kind, small collections with edits, and functions to run them."""

import random
import unicodedata
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from neardup import _core
from neardup.detectors import make_detector
from neardup.engines import Job, run_local
from neardup.records import Documents, Result
from neardup.represent import DistinctTexts
from neardup.stages import Nodes
from reference.runs import Record

SCRIPTS = {
    "latin": "aAbZéÉßẞıİſﬁＡ",
    "greek": "αΑςσΣΐ\u1fd3ᾈ",
    "cyrillic": "жЖёЁ",
    "hebrew": "אבּג",
    "arabic": "عَربٌيـ٣",
    "devanagari": "हिन्दी०",
    "hangul": "한글\u1100\u1161\u11abㄱㅏㄳ",
    "han": "中文々〇\U00020000",
    "kana": "かがカﾞｶー\u3099",
    "thai": "ไทยก็ำ",
    "lao": "ລາວ",
    "khmer": "ខ្មែរ",
    "myanmar": "မြန်မာ",
    "digits": "0٣९７½²Ⅷ",
    "marks": "\u0301\u0323\u0327\u0338\u0345\u20e3\ufe0f\u0f73",
    "emoji": "😀❤👍🏽🇩🇪👨\u200d👩Ⓜ㊗",
    "signs": " \t\n.,-_'’\"[]{}@`\\|^~?!=<>&;#©™→≠",
    "invisible": "\0\x1f\x7f\x85\u00a0\u00ad\u200b\u2028\ufeff\ufffd\U0001f3fd",
}


def is_known(character: str) -> bool:
    """Whether this Python's Unicode tables contain the character: those of the native module are newer."""
    return unicodedata.category(character) != "Cn"


characters = st.one_of(
    st.sampled_from("".join(SCRIPTS.values())), st.characters(exclude_categories=["Cs"]).filter(is_known)
)
surrogates = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF, categories=["Cs"])
texts = st.text(characters, max_size=80)
broken_texts = st.text(st.one_of(characters, surrogates), max_size=40)

WORDS = ["the", "please", "save", "whales", "now", "Straße", "дом", "中", "文", "ก", "❤", "x_y", "42"]
sentences = st.lists(st.sampled_from(WORDS), max_size=24).map(" ".join)


@st.composite
def collections(draw: st.DrawFn, most: int = 14, *, timed: bool | None = None) -> list[Record]:
    """Draw records that are copies and edits of a few originals, some without a word or a time."""
    originals = draw(st.lists(sentences, min_size=1, max_size=4))
    made = [edit(draw, draw(st.sampled_from(originals))) for _ in range(draw(st.integers(0, most)))]
    with_times = draw(st.booleans()) if timed is None else timed
    times = st.one_of(st.none(), st.integers(0, 3)) if with_times else st.none()
    ids = draw(st.permutations([f"d{number}" for number in range(len(made))]))
    return [Record(name, text, draw(times)) for name, text in zip(ids, made, strict=True)]


def edit(draw: st.DrawFn, text: str) -> str:
    words = text.split()
    kind = draw(st.sampled_from(["copy", "case", "replace", "add", "drop", "blank"]))
    at = draw(st.integers(0, max(len(words) - 1, 0)))
    if kind == "case":
        return text.upper()
    if kind == "blank":
        return draw(st.sampled_from(["", " \0 ", "?!", "[]", "\ufe0f"]))
    changed = {"copy": words, "replace": [*words[:at], "new", *words[at + 1 :]], "add": [*words, "more"]}
    return " ".join(changed.get(kind, words[:at] + words[at + 1 :]))


def open_texts(strings: Sequence[str], form: str = "nfc", markup: str = "plain", threads: int = 2) -> _core.Texts:
    return _core.Texts.from_strings(list(strings), None, form, markup, threads)


def all_documents(texts: _core.Texts) -> Any:
    return np.arange(len(texts), dtype=np.uint32)


def as_distinct(texts: _core.Texts, first_pass: _core.FirstPass | None = None, *, threads: int = 0) -> DistinctTexts:
    """Make a node of each text that has a word."""
    survey = texts.survey(all_documents(texts), all_documents(texts), first_pass)
    documents = np.flatnonzero(survey.words > 0).astype(np.uint32)
    copies = np.ones(len(documents), np.uint32)
    nodes = Nodes(survey.words[documents], copies, survey.fingerprints[documents], threads=threads)
    return DistinctTexts(texts, survey, documents, nodes)


def as_documents(records: Sequence[Record], *, column: bool = False) -> Documents:
    """Return records as the reader would: with times only if there are any."""
    texts = [record.text for record in records]
    times = None
    if any(record.time is not None for record in records):
        times = pa.chunked_array([pa.array([record.time for record in records], pa.timestamp("us", "UTC"))])
    return Documents(
        pa.chunked_array([pa.array(texts, pa.large_string())]) if column else texts,
        ids=pa.chunked_array([pa.array([record.id for record in records], pa.string())]),
        times=times,
    )


def run(method: str, records: Sequence[Record], *, threads: int = 2, **settings: Any) -> Result:
    return run_local(make_detector(method, settings), Job(as_documents(records), threads=threads))


def pairs_of(result: Result) -> dict[tuple[str, str], float]:
    table = result.pairs.to_pydict()
    pairs = dict(zip(zip(table["a"], table["b"], strict=True), table["similarity"], strict=True))
    assert len(pairs) == result.pairs.num_rows, "a pair is listed twice"
    return pairs


VOCABULARY = [f"{first}{second}" for first in ("ba", "ko", "lu", "mi", "zeh", "tra") for second in range(40)]


def make_collection(seed: int, groups: int = 12, copies: int = 6, length: int = 60) -> list[Record]:
    """Make a collection of letters with exact and edited copies, unrelated, empty and wordless texts."""
    rng = random.Random(seed)
    made: list[str] = []
    for _ in range(groups):
        letter = rng.choices(VOCABULARY, k=rng.randint(8, length))
        made.append(" ".join(letter))
        for _ in range(rng.randint(0, copies)):
            changed = list(letter)
            for _ in range(rng.choice([0, 0, 1, 1, 2, 6])):
                changed[rng.randrange(len(changed))] = rng.choice(VOCABULARY)
            made.append((", ".join if rng.random() < 0.5 else " ".join)(changed))
    made += ["", " \0\n", "?!", "?!", "中文" * 20, "中文" * 20 + "字", "ok", "OK!"]
    times = [rng.choice([None, rng.randrange(40)]) for _ in made]
    records = [Record(f"n{number:03}", text, time) for number, (text, time) in enumerate(zip(made, times, strict=True))]
    rng.shuffle(records)
    return records
