"""Form letters and their edits, on small letters with known words."""

from collections import Counter

import pytest

from neardup.errors import InputError
from neardup.reproduce.corpora.docket import DocketSettings, make_docket
from neardup.reproduce.corpora.docket.bodies.edits import EDITS, Desk, alter_words, delete_block, keep_key_block
from neardup.reproduce.corpora.docket.bodies.forms import Form, choose_forms, make_form, scramble, share_boilerplate
from neardup.reproduce.corpora.docket.bodies.source import count_words, split_sentences, split_words
from neardup.reproduce.corpora.docket.bodies.stock import Stock
from neardup.reproduce.random_stream import RandomStream


def sentence(number, words):
    return " ".join(
        ["The", *(f"{'abcdefghij'[number % 10] * 3}{chr(97 + index)}" for index in range(words - 2)), f"no{number}."]
    )


def paragraph(*numbers, words=12):
    return " ".join(sentence(number, words) for number in numbers)


LETTER = [paragraph(0, 1, 2), paragraph(3, words=7), paragraph(4, 5, 6), paragraph(7, 8, 9), paragraph(10, 11)]


def make_stock(singletons=0):
    letters = [[paragraph(n, n + 1, words=9), paragraph(n + 2, words=20)] for n in range(100, 160, 3)]
    return Stock(letters, frozenset(), singletons, RandomStream(1, "stock"))


@pytest.fixture
def desk():
    return Desk(RandomStream(1, "edits"), make_stock())


def test_long_letter_becomes_a_form_letter():
    form = make_form([paragraph(n, n + 1, n + 2) for n in range(0, 18, 3)])
    assert form is not None
    assert form.lengths == (36,) * 6
    assert form.substantial == tuple(range(6))


@pytest.mark.parametrize(
    "letter",
    [
        [paragraph(*range(3))] * 2,
        [paragraph(n, words=30) for n in range(3)],
        [paragraph(n, n + 1, n + 2) for n in range(0, 75, 3)],
        [paragraph(n, words=9) for n in range(20)],
        [*(paragraph(n, n + 1, n + 2) for n in range(0, 15, 3)), sentence(20, 195)],
    ],
    ids=["few words", "few paragraphs", "many words", "no long paragraph", "a sentence longer than a block"],
)
def test_unsuitable_letter_does_not_become_a_form_letter(letter):
    assert make_form(letter) is None


def test_at_most_half_of_suitable_letters_become_form_letters():
    letters = [[paragraph(n, n + 1, n + 2) for n in range(start, start + 18, 3)] for start in range(0, 100, 20)]
    forms, rest = choose_forms([*letters, ["Too short."]], 9, RandomStream(1, "forms"))
    assert (len(forms), len(rest)) == (3, 3)
    assert ["Too short."] in rest


def test_two_of_four_form_letters_share_a_paragraph():
    forms = [Form(tuple(paragraph(n, n + 1, n + 2) for n in range(start, start + 12, 3))) for start in (0, 20, 40, 60)]
    lender, borrower, *others = share_boilerplate(forms, RandomStream(1, "forms"))
    assert lender.paragraphs[lender.shared] == borrower.paragraphs[borrower.shared]
    assert lender.shared not in lender.substantial
    assert borrower.shared not in borrower.substantial
    assert others == forms[2:]
    assert share_boilerplate(forms[:3], RandomStream(1, "forms")) == forms[:3]


def test_shortened_letter_keeps_a_distinctive_paragraph(desk):
    form = Form(tuple(LETTER), shared=0)
    telling = {form.paragraphs[index] for index in form.substantial}
    assert len(telling) == 3
    for _ in range(200):
        assert telling & set(delete_block(form, desk).paragraphs)
        assert telling & set(keep_key_block(form, desk).paragraphs)


def test_scrambled_letter_has_no_minor_change_of_a_paragraph():
    form = Form((paragraph(0, words=25), paragraph(1, 2), paragraph(3, words=30), paragraph(4, 5, 6), paragraph(7, 8)))
    old = [Counter(split_words(part)) for part in form.paragraphs]
    made = [scramble(form, RandomStream(seed, "trial")) for seed in range(60)]
    assert sum(item is not None for item in made) > 40
    for paragraphs, removed in filter(None, made):
        assert sorted(s for p in [*paragraphs, removed] for s in split_sentences(p)) == sorted(form.sentences)
        for part in paragraphs:
            for bag in old:
                new = Counter(split_words(part))
                longer = max(new.total(), bag.total())
                assert longer - (new & bag).total() > 15 or (new & bag).total() < longer / 2


def test_letter_that_cannot_be_scrambled_is_reordered(desk):
    form = Form((sentence(0, 30), sentence(1, 30)))
    assert scramble(form, RandomStream(1, "trial")) is None
    edited = EDITS["bag_of_words"](form, desk)
    assert edited.relation == "block_reordered"
    assert edited.paragraphs == [form.paragraphs[1], form.paragraphs[0]]


def test_one_to_fifteen_words_are_altered(desk):
    text = " ".join(f"{chr(97 + n // 26)}{chr(97 + n % 26)}xyz" for n in range(200)).capitalize() + "."
    counts = Counter()
    for _ in range(300):
        altered, added, removed = alter_words(text, desk)
        assert Counter(split_words(altered)) == Counter(split_words(text)) - Counter(map(str.lower, removed)) + Counter(
            map(str.lower, added)
        )
        counts[max(len(added), len(removed))] += 1
    assert max(counts) <= 15
    assert min(counts) >= 1
    assert max(counts) > 10


def test_numbers_change_to_numbers_and_names_to_names(desk):
    text = "It was 1998 when Hale paid $1,200 for 45% of it."
    seen = Counter()
    for _ in range(200):
        _, added, removed = alter_words(text, desk)
        if len(added) == len(removed) == 1:
            old, new = removed[0], added[0]
            assert old.isdigit() == new.isdigit()
            assert old[0].isupper() == new[0].isupper()
            seen[old] += 1
    assert {"1998", "Hale", "200", "45"} <= set(seen)


def test_stock_recombines_sentences_after_all_paragraphs_are_used():
    stock = make_stock()
    fresh = [stock.take_piece() for _ in range(40)]
    assert len(set(fresh)) == 40
    assert stock.recombined == 0
    anew = [stock.take_piece() for _ in range(200)]
    assert stock.recombined == 200
    assert len({*fresh, *anew}) == 240
    used = Counter(s for piece in anew for s in split_sentences(piece))
    assert len(used) == 60
    assert max(used.values()) - min(used.values()) <= 1
    assert all(count_words(piece) <= 150 for piece in anew)


def test_singletons_get_whole_letters():
    stock = Stock(
        [[paragraph(n, n + 1, n + 2, words=16)] for n in range(0, 90, 3)], frozenset(), 8, RandomStream(1, "stock")
    )
    letters = [stock.take_letter() for _ in range(8)]
    whole = [paragraph(n, n + 1, n + 2, words=16) for n in range(0, 90, 3)]
    assert all(letter[0] in whole for letter in letters)
    assert len({letter[0] for letter in letters}) == 8


def test_stock_excludes_sentences_of_form_letters():
    letters = [[paragraph(n, n + 1, words=9)] for n in range(0, 60, 2)]
    taken = frozenset({split_words(sentence(0, 9)), split_words(sentence(1, 9)), split_words(paragraph(0, 1, words=9))})
    stock = Stock(letters, taken, 0, RandomStream(1, "stock"))
    assert not any("no0." in stock.take_piece() for _ in range(200))


def test_stock_with_few_sentences_is_refused():
    with pytest.raises(InputError, match="only 2 sentences outside the form letters, a docket needs 24"):
        Stock([[paragraph(1, 2)]], frozenset(), 0, RandomStream(1, "stock"))


def test_docket_larger_than_its_source_counts_recombined_paragraphs(letters):
    docket = make_docket(letters, DocketSettings(seed=1, size=500, framed=False))
    assert docket.description["recombined_paragraphs"] > 100
    blocks = Counter(text for text in docket.gold["added_text"].to_pylist() if len(text) > 60)
    assert max(blocks.values()) == 1
