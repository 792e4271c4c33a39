"""The terms of a lexicon: which words they are, in which order they are chosen, and what a later lexicon changes."""

import pickle
import unicodedata

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

import neardup
from neardup.errors import SettingsError
from neardup.represent import (
    Lexicon,
    TermChoice,
    TermSignatureRepresenter,
    compare_lexicons,
    measure_stability,
    pair_orders,
    spearman,
)
from reference.examples import all_documents, open_texts, sentences
from reference.signatures import is_term, normalised_idf
from reference.terms import count_words
from reference.tokens import read_words


def count(texts):
    opened = open_texts(texts)
    return Lexicon.count(opened, all_documents(opened))


@given(
    st.lists(sentences, max_size=8),
    st.integers(1, 5),
    st.sampled_from(["alphabetic", "alphanumeric", "all"]),
    st.integers(1, 5),
)
def test_terms_are_the_words_that_match_the_choice(texts, least, kind, letters):
    lexicon = count(texts).choose(TermChoice(least, kind, letters))
    words = count_words([read_words(text) for text in texts])
    allowed = [
        word
        for word, (documents, _) in words.items()
        if is_term(word, documents, min_documents=least, kind=kind, letters=letters)
    ]
    assert lexicon.list_terms() == sorted(allowed, key=lambda word: (words[word][0], word.encode()))


def test_letters_of_every_script_are_letters_and_symbols_are_not():
    words = ["straße", "дом_", "हिन्दी", "a1b", "x²y", "ab", "عربي", "❤❤❤"]
    assert all(unicodedata.is_normalized("NFC", word) for word in words)
    flags = TermChoice(1).among(pa.array(words, pa.large_string()), np.ones(len(words), np.uint32))
    assert flags.tolist() == [True, False, True, False, False, False, True, False]


def test_idf_equals_equation_1():
    lexicon = count(["one two", "one three", "one"])
    weights = dict(zip(lexicon.words.to_pylist(), lexicon.idf, strict=True))
    assert weights["two"] == pytest.approx(normalised_idf(3, 1))
    assert weights["one"] == pytest.approx(np.log(3.5 / 3) / np.log(4))
    # With the paper's 3.1 million documents five of them give 0.892, and 0.8 is about twenty.
    assert normalised_idf(3_100_000, 5) == pytest.approx(0.892, abs=5e-4)
    assert normalised_idf(3_100_000, 20) == pytest.approx(0.8, abs=2e-3)


@given(st.lists(st.lists(sentences, max_size=4), min_size=1, max_size=3))
def test_counts_of_several_collections_are_added(collections):
    merged = Lexicon.merge([count(texts) for texts in collections])
    together = count([text for texts in collections for text in texts])
    assert merged.fingerprint == together.fingerprint
    assert merged.words.equals(together.words)


def test_lexicon_is_saved_with_sources_and_choice(tmp_path):
    (tmp_path / "a.txt").write_text("some words here")
    built = neardup.Lexicon.build(tmp_path / "a.txt", min_documents=1, kind="all", min_letters=2, order="quantised")
    kept = neardup.Lexicon.load(built.save(tmp_path / "x.lexicon"))
    assert kept.choice == built.choice == TermChoice(1, "all", 2, "quantised")
    assert [(source.documents, source.name.endswith("a.txt")) for source in kept.sources] == [(1, True)]
    assert kept.fingerprint == built.fingerprint != built.choose(TermChoice()).fingerprint


@pytest.mark.parametrize("wrong", [{"kind": "words"}, {"order": "random"}, {"min_documents": 0}, {"min_letters": 1.5}])
def test_invalid_term_choice_is_refused(wrong):
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        TermChoice(**wrong)


numbers = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40)


@given(numbers)
def test_spearman_equals_scipy(pairs):
    a, b = zip(*pairs, strict=True)
    found = spearman(a, b)
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert found is None
    else:
        assert found == pytest.approx(spearmanr(a, b).statistic, abs=1e-12)


def test_spearman_of_many_and_of_few_values():
    rng = np.random.default_rng(1)
    a = rng.integers(0, 5000, 300_000)
    b = a + rng.integers(0, 900, 300_000)
    assert spearman(a, b) == pytest.approx(spearmanr(a, b).statistic, abs=1e-9)
    assert spearman([], []) is None
    assert spearman([1], [2]) is None
    assert spearman([1, 2, 3], [3, 2, 1]) == -1.0


def test_lexicons_are_compared_over_their_common_terms():
    choice = TermChoice(1, min_letters=1)
    a = count(["x y z", "x y", "x"]).choose(choice)
    b = count(["x y w", "x y", "x", "w", "w w"]).choose(choice)
    found = compare_lexicons(a, b)
    assert (found.terms, found.common) == ((3, 3), 2)
    assert found.spearman == pytest.approx(spearmanr([3, 2], [3, 2]).statistic)


def make_stories(seed, stories):
    rng = np.random.default_rng(seed)
    words = np.array([a + b + c for a in "bdfgklmnprst" for b in "aeiou" for c in ("lan", "mor", "ten", "vik", "zu")])
    weights = 1 / (np.arange(len(words)) + 4)
    return [" ".join(rng.choice(words, 60, p=weights / weights.sum())) for _ in range(stories)]


def test_stability_equals_a_direct_count():
    texts = make_stories(1, 150)
    a, b = count(texts[:100]), count(texts)
    found = measure_stability(open_texts(texts[:100]), a, b, 12)
    ranks = [{term: rank for rank, term in enumerate(each.list_terms())} for each in (a, b)]
    chosen = [
        [sorted(set(read_words(text)) & set(rank), key=lambda word, own=rank: own[word]) for text in texts[:100]]
        for rank in ranks
    ]
    for length in range(1, 13):
        pairs = [(first[:length], second[:length]) for first, second in zip(*chosen, strict=True)]
        assert found.sets[length - 1] == np.mean([set(first) != set(second) for first, second in pairs])
        assert found.orders[length - 1] == np.mean([first != second for first, second in pairs])
    assert found.documents == 100
    assert found.rows()[3]["sets"] == found.sets[3]


def test_quantised_order_changes_less_and_followed_order_least():
    texts = make_stories(2, 700)
    a, b = count(texts[:600]), count(texts)
    opened = open_texts(texts[:300])
    found = {name: measure_stability(opened, *pair) for name, pair in pair_orders(a, b).items()}
    assert found["idf"].orders[5] > 3 * found["quantised"].orders[5]
    assert found["followed"].sets[:20].max() == 0


def test_lexicon_that_follows_another_keeps_the_order_of_known_terms(tmp_path):
    texts = make_stories(3, 300)
    choice = TermChoice(order="quantised")
    first = count(texts[:200]).choose(choice)
    second = count(texts[100:]).choose(choice).after(first)
    third = count([*texts[150:], *["brandnew words word words"] * 9]).choose(choice).after(second)
    common = third.standings & 2
    for earlier, later in ((first, second), (second, third)):
        known = set(earlier.list_terms())
        assert [term for term in later.list_terms() if term in known] == earlier.list_terms()
    rare = [term for term, flag in zip(third.words.to_pylist(), common, strict=True) if not flag]
    assert third.list_terms().index("brandnew") > max(
        third.list_terms().index(term) for term in second.list_terms() if term in rare
    )
    assert Lexicon.load(third.save(tmp_path / "third")).list_terms() == third.list_terms()
    assert pickle.loads(pickle.dumps(third)).fingerprint == third.fingerprint != third.alone().fingerprint
    with pytest.raises(SettingsError, match="choose them before it follows"):
        third.choose(TermChoice())
    with pytest.raises(SettingsError, match="quantised"):
        count(texts).after(first)


def test_keys_of_different_lexicons_are_disjoint():
    texts = make_stories(4, 120)
    opened, signer = open_texts(texts), TermSignatureRepresenter(terms=20)
    rule = ((4, 5), 42, (1, 5), (0, 1), 1, True)
    keys = [
        set(signer.sign(opened, all_documents(opened), lexicon).keys(rule, lexicon.salt)[0].tolist())
        for lexicon in (count(texts[:60]), count(texts))
    ]
    assert not keys[0] & keys[1]


def test_lexicon_with_cached_tables_can_be_pickled():
    lexicon = count(make_stories(5, 50))
    _ = lexicon.table(0.8), lexicon.terms
    copy = pickle.loads(pickle.dumps(lexicon))
    assert copy.list_terms(5) == lexicon.list_terms(5)
