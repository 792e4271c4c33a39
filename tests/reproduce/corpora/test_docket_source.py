import pytest

from neardup.reproduce.corpora.docket.bodies.source import (
    count_words,
    is_prose,
    read_source,
    recut,
    split_paragraphs,
    split_sentences,
)

LAKE = "The lake behind our house was clear when we moved here, and by the end of every summer it is brown."
DOCK = "My brother has rebuilt his dock three times since the spring, and he will not do it a fourth time."


def test_blank_lines_separate_paragraphs():
    assert split_paragraphs("One line\r\nand its end.\r\n \r\nAnother.\n\n\n\nA third.") == [
        "One line and its end.",
        "Another.",
        "A third.",
    ]


def test_long_lines_without_blank_lines_are_paragraphs():
    assert split_paragraphs(f"{LAKE} {LAKE}\n{DOCK}") == [f"{LAKE} {LAKE}", DOCK]
    assert split_paragraphs("Short lines\nof one\nparagraph.") == ["Short lines of one paragraph."]


def test_markup_is_removed():
    assert split_paragraphs("<p>Fish &amp; boats.</p><p>One<br/>two <b>three</b></p>") == [
        "Fish & boats.",
        "One",
        "two three",
    ]
    assert split_paragraphs("It is < 5 and > 3.") == ["It is < 5 and > 3."]


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Mr. Hale met Dr. Oak at 5 p.m. Then he left.", ["Mr. Hale met Dr. Oak at 5 p.m. Then he left."]),
        ("The U.S. Senate voted. It passed.", ["The U.S. Senate voted.", "It passed."]),
        ('He said "Stop." She did.', ['He said "Stop."', "She did."]),
        ("1. Keep the limit. 2. Fund it.", ["1. Keep the limit.", "2. Fund it."]),
        ("It costs 3.5 cents. no capital follows.", ["It costs 3.5 cents. no capital follows."]),
    ],
)
def test_abbreviations_do_not_end_sentences(paragraph, sentences):
    assert split_sentences(paragraph) == sentences


def test_recut_keeps_all_words_and_whole_sentences():
    text = " ".join(f"Sentence number {n} has exactly seven words." for n in range(20))
    pieces = recut(text, 40)
    assert " ".join(pieces) == text
    assert [count_words(piece) for piece in pieces] == [35, 35, 35, 35]
    assert recut("Short enough.", 40) == ["Short enough."]


@pytest.mark.parametrize(
    "paragraph",
    [
        "Too short to tell.",
        "Dear Administrator and all of your staff, hello.",
        "Sincerely yours, with best wishes for the season.",
        "Write to me at somebody@letters.example about the rule today.",
        "This concerns ENV-HQ-2024-0056 and nothing else in the world.",
        "Please put this letter into the docket for the record, as usual.",
        "From: the people of the lake and the river, all of them.",
        "> I had quoted this paragraph from a mail that somebody sent.",
        "A paragraph that does not end as a sentence would end",
        "12 34 56 78 90 12 34 56 78 90 11.",
        "There is a replacement character \ufffd in this paragraph of eleven words.",
        "This message was sent by a league of friends of the lake.",
    ],
)
def test_frame_lines_are_not_prose(paragraph):
    assert not is_prose(paragraph)


def test_running_text_is_prose():
    assert is_prose(LAKE)
    assert is_prose("Thank you for the rng to say what this rule would mean for all of us who fish.")
    assert is_prose("“It was better before,” she said to me.")


def test_paragraph_that_repeats_twelve_words_is_left_out():
    copied = f"Everybody says so. {LAKE}"
    source = read_source([f"{LAKE}\n\n{DOCK}", f"A{copied[1:]}\n\nNobody else wrote these few words of mine."])
    paragraphs = [paragraph for letter in source.letters for paragraph in letter]
    assert len(paragraphs) == 3
    assert sum(LAKE in paragraph for paragraph in paragraphs) == 1


def test_repeated_short_paragraph_is_kept_once():
    short = "Please keep our lakes as clean as ever."
    assert sum(len(letter) for letter in read_source([f"{short}\n\n{LAKE}", f"{short}\n\n{DOCK}"]).letters) == 3


def test_source_is_independent_of_order_and_repetition():
    texts = [f"{LAKE}\n\nIt is six words at least here.", DOCK]
    assert read_source(texts) == read_source([*reversed(texts), DOCK, "", "  "])
    assert read_source(texts).fingerprint != read_source(texts[:1]).fingerprint
