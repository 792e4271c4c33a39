import sys
import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

from neardup import _core
from neardup.errors import InputError, SettingsError
from neardup.normalise import Normaliser
from neardup.records import Documents
from reference import tokens as twin
from reference.examples import all_documents, broken_texts, is_known, open_texts, texts
from reference.hashes import hash_word


def read(text, form="nfc", markup="plain"):
    """Return the words of a text as spelt in the original, and their hashes."""
    starts, ends, hashes = open_texts([text], form, markup).tokens(0)
    return [text[start:end] for start, end in zip(starts, ends, strict=True)], hashes.tolist()


@pytest.mark.slow
def test_every_assigned_character_has_the_class_of_the_definition():
    known = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000 and is_known(chr(code))]
    text = twin.normalise("".join(f"a{c}b {c} か{c}\u0301z " for c in known))
    starts, ends, _ = open_texts([text]).tokens(0)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == twin.find_spans(text)


def test_every_assigned_character_has_simple_case_folding():
    known = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000 and is_known(chr(code))]
    text = twin.normalise(" ".join(known))
    *_, hashes = open_texts([text]).tokens(0)
    assert hashes.tolist() == [hash_word(twin.fold(text[start:end])) for start, end in twin.find_spans(text)]


@given(texts)
@settings(max_examples=400)
def test_offsets_of_words_equal_the_definition(text):
    text = twin.normalise(text)
    starts, ends, _ = open_texts([text]).tokens(0)
    assert list(zip(starts.tolist(), ends.tolist(), strict=True)) == twin.find_spans(text)


@given(texts)
@settings(max_examples=400)
def test_word_hashes_do_not_change(text):
    text = twin.normalise("with words " + text)
    *_, hashes = open_texts([text]).tokens(0)
    assert hashes.tolist() == [hash_word(word) for word in twin.read_words(text)]


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
@given(text=texts)
@settings(max_examples=300)
def test_text_is_compared_in_its_normal_form(form, text):
    assert open_texts([text], form).prepared(0) == unicodedata.normalize(form.upper(), text)


@pytest.mark.parametrize("text", ["ㄱㅏ", "\u1100ㅏ", "ﾡￂ", "가ㄳ"])
def test_compatibility_jamo_compose_like_other_characters(text):
    assert open_texts([text], "nfkc").prepared(0) == unicodedata.normalize("NFKC", text)


@pytest.mark.parametrize("form", ["nfc", "nfkc"])
@given(text=texts)
@settings(max_examples=300)
def test_offsets_of_a_rebuilt_text_point_into_the_original(form, text):
    prepared = open_texts([text], form).prepared(0)
    starts, ends, hashes = open_texts([text], form).tokens(0)
    words = [prepared[start:end] for start, end in twin.find_spans(prepared)]
    assert len(hashes) == len(words)
    assert np.all(starts <= ends)
    assert np.all(np.diff(starts.astype(int)) >= 0)
    assert ends.max(initial=0) <= len(text)
    for word, start, end in zip(words, starts, ends, strict=True):
        assert word in unicodedata.normalize(form.upper(), text[start:end])


@given(broken_texts)
@settings(max_examples=200)
def test_surrogates_are_replaced_without_error(text):
    text = "with words " + text
    assert open_texts([text]).prepared(0) == twin.normalise(text)
    *_, hashes = open_texts([text]).tokens(0)
    assert hashes.tolist() == [hash_word(word) for word in twin.read_words(text)]


@pytest.mark.parametrize("codes", [[0xD800], [0xDC00], [0xDC00, 0xD800], [0xD83D, 0xDE00]])
def test_offsets_count_the_surrogates_of_the_original(codes):
    words, _ = read("".join(map(chr, codes)) + " hello")
    assert words[-1] == "hello"


@pytest.mark.parametrize("pad", range(0, 140, 3))
def test_words_across_block_boundaries_are_read_whole(pad):
    text = "." * pad + "ab中文éclair か\u3099❤\ufe0fxไทย" + "x" * 40
    assert read(text)[0] == ["ab", "中", "文", "éclair", "か\u3099", "❤\ufe0f", "x", "ไ", "ท", "ย", "x" * 40]


def test_texts_that_differ_in_case_form_or_selector_are_equal():
    same = ["ÉCOLE Σας ❤", "e\u0301cole σΑΣ ❤\ufe0f", "École, σασ — ❤"]
    assert len({tuple(read(text)[1]) for text in same}) == 1


@pytest.mark.parametrize(("text", "other"), [("[]", "{}"), (":-]", ":-}"), ("@", "`"), ("\\", "|"), ("^^", "~~")])
def test_texts_of_different_symbols_are_different(text, other):
    assert read(text)[1] != read(other)[1]


@pytest.mark.parametrize("text", ["", " ", "\0", "\n\t\x1f\x7f\x85\u00a0\u2028", "\0" * 200])
def test_blank_text_has_no_word(text):
    assert read(text) == ([], [])


@pytest.mark.parametrize("text", ["?!", "-", "½", "©", "…" * 1000, "?\0?"])
def test_text_without_a_word_is_one_token(text):
    assert read(f" {text}\0")[0] == [text]


def test_long_words_differ_in_their_last_character():
    stem = "a" * 100_000
    hashes = {read(stem + end)[1][0] for end in ("", "a", "b", "é", "\u0301")}
    assert len(hashes) == 5


@given(texts)
def test_arrow_columns_are_read_like_strings(text):
    strings = [text, "", "plain", text * 3]
    column = pa.chunked_array([pa.array(["cut", *strings[:2]])[1:], pa.array(strings[2:])])
    opened = Normaliser().open(Documents(column))
    wanted = open_texts(strings, markup="auto")
    assert len(opened) == 4
    assert [opened.prepared(at) for at in range(4)] == [wanted.prepared(at) for at in range(4)]


@pytest.mark.parametrize(
    "column",
    [
        pa.chunked_array([pa.array(["one", None, "two"])]),
        pa.chunked_array([pa.array(["one", None, "two"]).dictionary_encode()]),
        pa.chunked_array([pa.array(["one", None, "two"], pa.string_view())]),
        pa.chunked_array([pa.array([], pa.string()), pa.array(["x", "one", None, "two"])[1:]]),
    ],
)
def test_nulls_are_empty_texts_in_columns_of_any_string_type(column):
    opened = Normaliser().open(Documents(column))
    assert [opened.prepared(at) for at in range(3)] == ["one", "", "two"]


def test_list_item_that_is_not_a_string_is_an_empty_text():
    opened = Normaliser().open(Documents(["a", None, 3, b"bytes"]))
    assert [opened.prepared(at) for at in range(4)] == ["a", "", "", ""]


def test_column_that_is_not_utf8_raises_input_error():
    broken = pa.array([b"\xff\xfe", b"ok"], pa.binary()).view(pa.string())
    with pytest.raises(InputError, match="UTF-8"):
        Normaliser().open(Documents(pa.chunked_array([broken])))


@pytest.mark.parametrize("settings", [{"form": "nfd"}, {"markup": "xml"}, {"form": None}])
def test_unknown_forms_and_markups_are_refused(settings):
    with pytest.raises(SettingsError, match="must be one of"):
        Normaliser(**settings)


@pytest.mark.parametrize(
    ("offsets", "content"),
    [([0, 5], b"abc"), ([-1, 2], b"abc"), ([2, 1], b"abc"), ([0, 1, 2], "é".encode()), ([], b""), ([0, 1], b"\xff")],
)
def test_columns_whose_offsets_do_not_fit_are_refused(offsets, content):
    column = (np.array(offsets, np.int64), np.frombuffer(content, np.uint8))
    with pytest.raises(ValueError, match="does not hold UTF-8"):
        _core.Texts.from_columns([column], None, "nfc", "auto", 1)


def test_document_numbers_out_of_range_are_refused():
    opened = open_texts(["a", "b"])
    with pytest.raises(ValueError, match="no such document"):
        opened.tokens(2)
    with pytest.raises(ValueError, match="not below"):
        opened.simhashes(np.array([2], np.uint32), (1, "word"))
    assert len(opened.simhashes(all_documents(opened), (1, "word"))) == 2
