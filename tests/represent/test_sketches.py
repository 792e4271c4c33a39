from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from reference import hashes
from reference.examples import all_documents, open_texts, sentences
from reference.sets import list_shingles
from reference.tokens import read_units

units = st.sampled_from(["word", "char"])
sizes = st.integers(1, 7)
words = sentences.map(lambda text: f"w {text}")


def hash_shingles(text, size, unit):
    return [hashes.hash_shingle(shingle, unit) for shingle in list_shingles(read_units(text, unit), size)]


@given(st.lists(words, max_size=5), sizes, units, st.integers(1, 40))
def test_bottom_sketch_contains_the_smallest_shingles(texts, size, unit, count):
    opened = open_texts(texts)
    values, offsets = opened.bottom(all_documents(opened), (size, unit), count)
    found = [values[start:end].tolist() for start, end in pairwise(offsets)]
    assert found == [hashes.bottom(hash_shingles(text, size, unit), count) for text in texts]


@given(st.lists(words, max_size=5), sizes, units)
def test_simhash_bits_are_the_majority_of_the_shingles(texts, size, unit):
    opened = open_texts(texts)
    found = opened.simhashes(all_documents(opened), (size, unit)).tolist()
    assert found == [hashes.simhash(hash_shingles(text, size, unit)) for text in texts]


@given(st.lists(words, min_size=1, max_size=4), sizes, units, st.integers(1, 12), st.integers(1, 6))
@settings(max_examples=40)
def test_sketches_and_band_keys_equal_the_reference_implementation(texts, size, unit, bands, rows):
    opened = open_texts(texts)
    survey = opened.survey(all_documents(opened), None, _core.FirstPass.sketches((size, unit), bands, rows))
    sketches = [hashes.sketch(hash_shingles(text, size, unit), bands * rows) for text in texts]
    assert survey.slots.reshape(len(texts), -1).tolist() == [[slot & 255 for slot in each] for each in sketches]
    assert survey.keys.reshape(len(texts), -1).tolist() == [hashes.band_keys(each, bands, rows) for each in sketches]


def test_share_of_equal_slots_estimates_similarity():
    shared = " ".join(f"s{number}" for number in range(80))
    texts = [f"{shared} " + " ".join(f"{side}{number}" for number in range(10)) for side in "ab"]
    opened = open_texts(texts)
    survey = opened.survey(all_documents(opened), None, _core.FirstPass.sketches((1, "word"), 1000, 4))
    slots = survey.slots.reshape(2, -1)
    assert (slots[0] == slots[1]).mean() == pytest.approx(0.8, abs=0.06)


@given(st.lists(sentences, max_size=12), st.integers(0, 2**32 - 1), st.booleans())
def test_identical_texts_are_represented_by_the_lowest_rank(texts, seed, joined):
    opened = open_texts(texts)
    rng = np.random.default_rng(seed)
    ranks = rng.permutation(len(texts)).astype(np.uint32)
    groups = rng.integers(0, 2, len(texts)).astype(np.uint32)
    survey = opened.survey(ranks, groups, _core.FirstPass.joined() if joined else None)
    words = [read_units(text, "word") for text in texts]
    names = [(group, "".join(each) if joined else tuple(each)) for each, group in zip(words, groups, strict=True)]
    assert survey.words.tolist() == [len(each) for each in words]
    for document, representative in enumerate(survey.representatives.tolist()):
        same = [other for other, name in enumerate(names) if name == names[document]]
        assert representative == (min(same, key=lambda other: ranks[other]) if words[document] else document)


def test_invalid_first_passes_are_refused():
    opened = open_texts(["a"])
    for shingling, bands, rows in [((1, "word"), 0, 1), ((1, "word"), 300, 300), ((0, "word"), 1, 1)]:
        with pytest.raises(ValueError, match=r"slots|at least one unit"):
            _core.FirstPass.sketches(shingling, bands, rows)
    with pytest.raises(ValueError, match="one rank for each"):
        opened.survey(np.zeros(2, np.uint32), None, None)
