from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.errors import SettingsError
from neardup.represent import (
    FingerprintRepresenter,
    ShingleRepresenter,
    Shingles,
    SimHashRepresenter,
    WordSignatureRepresenter,
)
from neardup.stages import Candidates, threshold_fraction
from neardup.verify import Denominator, Hamming, Identical, Overlap, SameSignature
from reference.examples import as_distinct, open_texts, sentences
from reference.hashes import hash_shingle, simhash
from reference.sets import choose_shingles, list_shingles
from reference.tokens import read_units, read_words

collections = st.lists(
    sentences.map(lambda text: f"w {text}"), min_size=2, max_size=6, unique_by=lambda t: tuple(read_words(t))
)


def represent(representer, texts):
    return representer.represent(as_distinct(open_texts(texts), representer.first_pass))


def all_pairs(texts):
    a, b = np.triu_indices(len(texts), 1)
    return a.astype(np.uint32), b.astype(np.uint32)


@pytest.mark.parametrize("denominator", get_args(Denominator))
@given(texts=collections, size=st.integers(1, 3), unit=st.sampled_from(["word", "char"]), strict=st.booleans())
def test_overlaps_are_scored_and_linked_exactly(denominator, texts, size, unit, strict):
    shingles = represent(ShingleRepresenter(Shingles(size, unit)), texts)
    a, b = all_pairs(texts)
    verifier = Overlap(0.5, denominator, strict=strict, least=2)
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
    assert verifier.scores(shingles, a, b).tolist() == scores
    found = verifier.link(shingles, Candidates(a, b))
    assert list(zip(found.a.tolist(), found.b.tolist(), found.similarities.tolist(), strict=True)) == links


@given(collections, st.integers(1, 3), st.integers(0, 30))
def test_hamming_counts_differing_bits(texts, size, bits):
    simhashes = represent(SimHashRepresenter(Shingles(size)), texts)
    a, b = all_pairs(texts)
    hashes = [simhash([hash_shingle(s, "word") for s in list_shingles(read_words(text), size)]) for text in texts]
    differing = [(hashes[x] ^ hashes[y]).bit_count() for x, y in zip(a, b, strict=True)]
    verifier = Hamming(bits)
    assert verifier.scores(simhashes, a, b).tolist() == [1 - each / 64 for each in differing]
    linked = verifier.link(simhashes, Candidates(a, b))
    assert linked.similarities.tolist() == [1 - d / 64 for d in differing if d <= bits]


@given(collections)
def test_signatures_are_scored_by_words_and_distinct_texts_are_not_identical(texts):
    a, b = all_pairs(texts)
    words = [set(read_words(text)) for text in texts]
    wanted = [len(words[x] & words[y]) / len(words[x] | words[y]) for x, y in zip(a, b, strict=True)]
    signatures = represent(WordSignatureRepresenter(), texts)
    assert SameSignature().link(signatures, Candidates(a, b)).similarities.tolist() == wanted
    assert not Identical().scores(represent(FingerprintRepresenter(), texts), a, b).any()


def test_no_pairs_give_no_links():
    none = np.zeros(0, np.uint32)
    for verifier, representer in (
        (Overlap(0.5), ShingleRepresenter(Shingles())),
        (SameSignature(), WordSignatureRepresenter()),
        (Identical(), FingerprintRepresenter()),
        (Hamming(), SimHashRepresenter(Shingles())),
    ):
        assert len(verifier.link(represent(representer, ["a", "b"]), Candidates(none, none)).a) == 0


@pytest.mark.parametrize("threshold", [0.8, 0.1, 0.05, 2 / 3, 1 / 3, 0.99, 0.999999, 1, 1.0, 0.35])
def test_threshold_fraction_equals_its_decimals(threshold):
    numerator, denominator = threshold_fraction(threshold)
    assert numerator / denominator == pytest.approx(threshold, rel=1e-12)
    assert 0 < numerator <= denominator


@pytest.mark.parametrize("threshold", [1e-7, 1e-9, 1e-300])
def test_threshold_fraction_of_a_tiny_threshold_is_above_zero(threshold):
    assert threshold_fraction(threshold)[0] > 0


def test_invalid_shingles_are_refused():
    for wrong in ({"size": 0}, {"unit": "syllable"}):
        with pytest.raises(SettingsError, match="but must be"):
            Shingles(**wrong)
