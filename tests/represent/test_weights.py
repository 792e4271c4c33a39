import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from neardup.errors import FormatError, InputError, SettingsError
from neardup.represent import ClassTable, Lexicon, Weighting
from neardup.represent.weights import log2_fixed
from reference.examples import all_documents, as_distinct, open_texts, sentences, texts
from reference.messages import log_units, read_terms, weigh

MESSAGES = [
    "Free entry in 2 a weekly comp to win FA Cup tickets 21st May 2005, txt FA to 87121",
    "Don't forget: www.example.com/win or mail a.b@example.org #win @friend £1,000.50 12:30",
    "今晚我们去北京吃饭 ok? call 08452810075 U.S.A. e.g. http://t.co/x). 😀😀",
    "the the of and whale whales",
    "whale",
]


def read_distinct(strings):
    return as_distinct(open_texts(strings), _core.FirstPass.terms())


def weights_of(strings, **chosen):
    table = Weighting(**chosen).table(read_distinct(strings))
    return dict(zip(table["term"].to_pylist(), table["weight"].to_pylist(), strict=True))


marks = [*"..,:/@-'’+%#&()<>\" ", "://"]
signs = st.sampled_from([*marks, "www.", "http://", ".com", " u.s.", "don't", "1,000", "中国人", "é"])
pieces = st.one_of(signs, st.text("abiusz019ABZ_", max_size=4))


@given(st.one_of(texts, st.lists(pieces, max_size=14).map("".join)))
@settings(max_examples=600)
def test_terms_equal_the_reference_implementation(text):
    assert open_texts([text]).terms(0) == read_terms(text)


@pytest.mark.parametrize("direction", ["inverse", "paper"])
@pytest.mark.parametrize("scale", ["linear", "log", "equal"])
@pytest.mark.parametrize("length", ["off", "capped", "characters"])
def test_weights_equal_the_equations(direction, scale, length):
    chosen = {"direction": direction, "scale": scale, "length": length}
    assert weights_of(MESSAGES, **chosen) == weigh([read_terms(text) for text in MESSAGES], chosen)


@given(st.lists(sentences, max_size=8))
@settings(max_examples=50)
def test_weights_of_small_collections_equal_the_equations(strings):
    chosen = {"direction": "inverse", "scale": "log", "length": "capped"}
    assert weights_of(strings, **chosen) == weigh([read_terms(text) for text in strings], chosen)


def test_most_frequent_term_weighs_most_as_printed_and_least_when_inverse():
    strings = ["whale ship", "whale net", "whale of ship", "of the"]
    printed, turned = (weights_of(strings, direction=direction) for direction in ("paper", "inverse"))
    assert printed["whale"] == turned["net"] == 10_000
    assert printed["net"] == turned["whale"] == 7_000
    assert printed["ship"] == turned["ship"] == 8_500
    assert (printed["of"], turned["of"]) == (1_000, 1_000), "two classes of one word each: the middle"


def test_equally_frequent_terms_get_the_middle_of_the_interval():
    assert weights_of(["whale ship"]) == {"whale": 8_500, "ship": 8_500}


@given(st.integers(1, 2**32 - 1))
def test_logarithm_is_accurate_to_one_unit(number):
    found = int(log2_fixed(np.array([number]))[0])
    assert found == log_units(number)
    assert abs(found - math.log2(number) * 2**16) <= 1.5


def test_terms_missing_from_the_lexicon_count_as_rare():
    lexicon = Lexicon.count(open_texts(MESSAGES), np.arange(5, dtype=np.uint32), "terms")
    assert lexicon.unit == "terms"
    assert "//example.com/win" in lexicon.words.to_pylist()
    own, known = weights_of(MESSAGES), weights_of(MESSAGES, lexicon=lexicon)
    assert own == known
    other = weights_of(["whale unheardof"], lexicon=lexicon)
    assert other["whale"] == own["whale"]
    assert other["unheardof"] == own["whales"]


def test_lexicon_of_terms_is_saved_with_its_unit_and_lexicon_of_words_is_refused(tmp_path):
    opened = open_texts(MESSAGES)
    lexicon = Lexicon.count(opened, all_documents(opened), "terms")
    loaded = Lexicon.load(lexicon.save(tmp_path / "terms.lexicon"))
    assert (loaded.unit, loaded.fingerprint) == ("terms", lexicon.fingerprint)
    words = Lexicon.count(opened, all_documents(opened))
    assert words.fingerprint != replace(words, unit="terms").fingerprint
    with pytest.raises(SettingsError, match="build it with unit='terms'"):
        Weighting(lexicon=words)
    with pytest.raises(SettingsError, match="one of words, terms"):
        replace(words, unit="letters")


def test_part_of_the_class_table_can_be_replaced(tmp_path):
    path = tmp_path / "classes.toml"
    path.write_text('[weights]\nnoun = [0.5, 0.5]\n[words]\nname = ["whale"]\n')
    table = ClassTable.load(path)
    assert weights_of(["whale ship of"], classes=table) == {"whale": 8_500, "ship": 5_000, "of": 1_000}
    assert table.fingerprint != ClassTable.own().fingerprint


def test_words_of_the_class_table_also_apply_to_the_lexicon(tmp_path):
    path = tmp_path / "classes.toml"
    path.write_text('[words]\nname = ["whale"]\n')
    opened = open_texts(["whale net", "whale ship ship", "net"])
    lexicon = Lexicon.count(opened, all_documents(opened), "terms")
    found = weights_of(["whale net ship"], classes=ClassTable.load(path), lexicon=lexicon)
    assert found == {"whale": 8_500, "net": 7_000, "ship": 10_000}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[weights]\nnoun = [0, 1]", "above 0"),
        ("[weights]\nnoun = [0.5, 0.4]", "the smaller first"),
        ("[weights]\nnoun = [0.1234, 0.5]", "three decimals"),
        ("[weights]\nnoun = 3", "must be two numbers"),
        ('[weights]\nnoun = ["a", "b"]', "must be two numbers"),
        ("[weights]\nnuon = [0.1, 0.2]", "names a class 'nuon'"),
        ('[words]\nnuon = ["x"]', "names a class 'nuon'"),
        ("[others]\n", "may have weights and words"),
        ("noun = [", "not a TOML file"),
    ],
)
def test_invalid_class_table_is_refused(tmp_path, content, message):
    path = tmp_path / "classes.toml"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        ClassTable.load(path)


def test_missing_class_table_is_an_error():
    with pytest.raises(InputError, match="cannot read the class table"):
        ClassTable.load("nowhere.toml")


def test_every_class_has_an_interval():
    assert {name for name, _, _ in ClassTable.own().intervals} == set(_core.TERM_CLASSES)


def test_weighting_needs_a_survey_with_terms():
    with pytest.raises(ValueError, match="did not read terms"):
        Weighting().represent(as_distinct(open_texts(["a"])))
    with pytest.raises(SettingsError, match="direction is 'up'"):
        Weighting(direction="up")
