from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.errors import InputError, SettingsError
from neardup.reproduce.corpora.messages import LANGUAGES, grow, grow_to, write_messages
from neardup.reproduce.corpora.messages.edits import (
    EDITS,
    UNIT,
    Draft,
    Stock,
    abbreviate,
    change_name,
    change_number,
    drop_word,
    edit_message,
    insert_word,
    is_chinese,
    replace_word,
)
from neardup.reproduce.random_stream import RandomStream

STOCK = Stock(("zebra", "yacht"), ("斑马",))


def edit(change, text, seed=1):
    draft = Draft(UNIT.findall(text), RandomStream(seed, "test"), STOCK)
    done = change(draft)
    return "".join(draft.units) if done else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_generated_messages_are_distinct_and_complete(language):
    messages = write_messages(language, 3, 500)
    assert len(set(messages)) == len(messages) == 500
    assert not any("{" in message for message in messages)
    assert write_messages(language, 3, 500) == messages
    assert write_messages(language, 4, 500) != messages
    assert all(any(map(is_chinese, message)) is (language == "chinese") for message in messages)


def test_unknown_language_is_refused():
    with pytest.raises(SettingsError, match="'klingon'"):
        write_messages("klingon", 1, 10)


def test_edits_change_spaced_text():
    assert edit(replace_word, "one") in ("zebra", "yacht")
    assert edit(drop_word, "left right") in ("right", "left ")
    assert edit(drop_word, "alone") is None
    assert edit(insert_word, "word").endswith(" word")
    assert edit(abbreviate, "see You tomorrow") in ("c You tomorrow", "see u tomorrow", "see You tmr")
    assert edit(abbreviate, "nothing known") is None
    changed = edit(change_number, "call 5550 now")
    assert changed[5:9].isdigit()
    assert changed != "call 5550 now"
    assert edit(change_number, "no digits") is None
    assert edit(change_name, "ask Bob") != "ask Bob"
    assert edit(change_name, "Ask nobody") is None


def test_edits_change_chinese_text():
    assert edit(replace_word, "你好") == "斑马"
    assert edit(drop_word, "今天下雨") in ("今天", "下雨")
    assert " " not in edit(insert_word, "今天下雨")
    assert edit(change_name, "小王来了") != "小王来了"


@pytest.mark.parametrize("text", ["!!!", "😀", "ok", "好", "_", "3", "e\u0301", "שלום עולם", "a\x00b"])
@pytest.mark.parametrize("seed", range(20))
def test_edited_message_is_never_empty(text, seed):
    assert edit_message(text, 8, RandomStream(seed, "test"), STOCK).strip()


@given(st.text(min_size=1))
def test_units_cover_the_whole_text(text):
    assert "".join(UNIT.findall(text)) == text


def test_every_edit_gives_another_result():
    said = {edit(change, "Dear Bob, see you at 7 tomorrow") for change in EDITS}
    assert None not in said
    assert len(said) == len(EDITS)


def test_grown_corpus_has_size_copies_and_origins():
    source = write_messages("english", 1, 300)
    grown = grow(source, 5, 4000)
    assert len(grown) == len(grown.origins) == 4000
    texts = Counter(grown.texts)
    # The paper: more than 40 % of the messages have at least one identical copy.
    assert 0.4 < sum(count for count in texts.values() if count > 1) / 4000 < 0.6
    families = Counter(grown.origins.tolist())
    assert 40 < max(families.values()) <= 500
    assert set(source) & set(grown.texts)
    again = grow(source, 5, 4000)
    assert again.texts == grown.texts
    assert again.origins.tolist() == grown.origins.tolist()
    assert grow(source, 6, 4000).texts != grown.texts


def test_grown_corpus_without_copies_has_edited_versions_only():
    grown = grow(write_messages("chinese", 1, 300), 5, 2000, copies=0)
    texts = Counter(grown.texts)
    assert sum(count for count in texts.values() if count > 1) / 2000 < 0.1


def test_family_sizes_do_not_depend_on_corpus_size():
    source = write_messages("english", 1, 200)
    sizes = {count: Counter(Counter(grow(source, 5, count).origins.tolist()).values()) for count in (2000, 8000)}
    assert sizes[8000][2] == pytest.approx(4 * sizes[2000][2], rel=0.25)


def test_smaller_corpus_is_part_of_larger_one():
    source = write_messages("chinese", 1, 100)
    small, large = grow_to(source, 5, [300, 900])
    assert (len(small), len(large)) == (300, 900)
    assert not Counter(small.texts) - Counter(large.texts)
    assert small.texts != large.texts[:300]
    assert grow(source, 5, 300).texts == small.texts


def test_empty_source_is_refused():
    assert len(grow(["hello"], 1, 50)) == 50
    with pytest.raises(InputError, match="every text is empty"):
        grow(["", " "], 1, 50)
