import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.errors import SettingsError
from neardup.stages import Candidates, Corpus, Shingles, threshold_fraction
from neardup.verify import DENOMINATORS, Hamming, Identical, Overlap, Same
from reference.examples import everyone, open_texts, sentences
from reference.hashes import hash_shingle, simhash
from reference.sets import choose_shingles, list_shingles
from reference.tokens import read_units, read_words

collections = st.lists(
    sentences.map(lambda text: f"w {text}"), min_size=2, max_size=6, unique_by=lambda t: tuple(read_words(t))
)


def as_corpus(texts):
    opened = open_texts(texts)
    survey = opened.survey(everyone(opened), None, None)
    return Corpus(opened, survey, everyone(opened), survey.words, np.ones(len(texts), np.uint32))


def all_pairs(texts):
    a, b = np.triu_indices(len(texts), 1)
    return a.astype(np.uint32), b.astype(np.uint32)


@pytest.mark.parametrize("denominator", DENOMINATORS)
@given(texts=collections, size=st.integers(1, 3), unit=st.sampled_from(["word", "char"]), strict=st.booleans())
def test_overlaps_are_scored_and_linked_exactly(denominator, texts, size, unit, strict):
    corpus = as_corpus(texts)
    a, b = all_pairs(texts)
    verifier = Overlap(Shingles(size, unit), 0.5, denominator, strict=strict, least=2)
    sets = [choose_shingles(read_units(text, unit), size, unit) for text in texts]
    scores, links = [], []
    for x, y in zip(a.tolist(), b.tolist(), strict=True):
        whole = {
            "union": len(sets[x] | sets[y]),
            "min": min(len(sets[x]), len(sets[y])),
            "reference": len(sets[x]),
            "document": len(sets[y]),
        }[denominator]
        shared = len(sets[x] & sets[y])
        scores.append(shared / whole)
        passed = 2 * shared > whole if strict else 2 * shared >= whole
        if passed and min(len(sets[x]), len(sets[y])) >= 2:
            links.append((x, y, shared / whole))
    assert verifier.scores(corpus, a, b).tolist() == scores
    found = verifier.link(corpus, Candidates(a, b))
    assert list(zip(found.a.tolist(), found.b.tolist(), found.similarities.tolist(), strict=True)) == links


@given(collections, st.integers(1, 3), st.integers(0, 30))
def test_bits_are_counted(texts, size, bits):
    corpus = as_corpus(texts)
    a, b = all_pairs(texts)
    hashes = [simhash([hash_shingle(s, "word") for s in list_shingles(read_words(text), size)]) for text in texts]
    differing = [(hashes[x] ^ hashes[y]).bit_count() for x, y in zip(a, b, strict=True)]
    verifier = Hamming(Shingles(size), bits)
    assert verifier.scores(corpus, a, b).tolist() == [1 - each / 64 for each in differing]
    assert verifier.link(corpus, Candidates(a, b)).similarities.tolist() == [1 - d / 64 for d in differing if d <= bits]


@given(collections)
def test_signatures_are_scored_by_their_words_and_distinct_texts_are_not_identical(texts):
    corpus = as_corpus(texts)
    a, b = all_pairs(texts)
    words = [set(read_words(text)) for text in texts]
    wanted = [len(words[x] & words[y]) / len(words[x] | words[y]) for x, y in zip(a, b, strict=True)]
    assert Same().link(corpus, Candidates(a, b)).similarities.tolist() == wanted
    assert not Identical().scores(corpus, a, b).any()


def test_no_pairs_are_no_links():
    corpus = as_corpus(["a", "b"])
    none = np.zeros(0, np.uint32)
    for verifier in (Overlap(Shingles(), 0.5), Same(), Identical(), Hamming(Shingles())):
        assert len(verifier.link(corpus, Candidates(none, none)).a) == 0


@pytest.mark.parametrize("threshold", [0.8, 0.1, 0.05, 2 / 3, 1 / 3, 0.99, 0.999999, 1, 1.0, 0.35])
def test_a_threshold_is_the_fraction_that_its_decimals_mean(threshold):
    numerator, denominator = threshold_fraction(threshold)
    assert numerator / denominator == pytest.approx(threshold, rel=1e-12)
    assert 0 < numerator <= denominator


@pytest.mark.parametrize("threshold", [1e-7, 1e-9, 1e-300])
def test_a_threshold_above_zero_stays_above_zero(threshold):
    assert threshold_fraction(threshold)[0] > 0


def test_shingles_that_cannot_be_are_refused():
    for wrong in ({"size": 0}, {"unit": "syllable"}):
        with pytest.raises(SettingsError, match="but must be"):
            Shingles(**wrong)
