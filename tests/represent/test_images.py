from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from neardup.represent import STOP_WORDS, Lexicon, ShingleImages, Shingles, WordImages
from reference.concepts import make_image
from reference.examples import all_documents, open_texts, sentences
from reference.hashes import hash_shingle, hash_word
from reference.tokens import read_units


def images_of(texts, maker):
    opened = open_texts(texts)
    images = maker.images_of(opened, all_documents(opened))
    assert len(images) == len(texts)
    return [images.of(document).tolist() for document in range(len(texts))]


@given(
    st.lists(sentences, max_size=5),
    st.integers(1, 4),
    st.sampled_from(["word", "char"]),
    st.integers(1, 3),
    st.sampled_from(["bottom", "permutations"]),
    st.integers(1, 60),
    st.sampled_from(["fixed", "log", "linear"]),
)
@settings(max_examples=150)
def test_images_equal_the_reference_implementation(texts, shingle, unit, offset, choice, size, growth):
    maker = ShingleImages(Shingles(shingle, unit), size, choice, offset, growth)
    settings = {"shingle": shingle, "offset": offset, "choice": choice, "size": size, "growth": growth}
    units = [read_units(text, unit) for text in texts]
    wanted = [make_image(each, lambda shingle: hash_shingle(shingle, unit), **settings) for each in units]
    assert images_of(texts, maker) == wanted


@pytest.mark.parametrize("choice", ["bottom", "permutations"])
def test_share_of_common_units_estimates_similarity(choice):
    shared = [f"s{number}" for number in range(800)]
    texts = [" ".join([*shared, *(f"{side}{number}" for number in range(100))]) for side in "ab"]
    for literal in (False, True):
        first, second = images_of(texts, ShingleImages(Shingles(1), 400, choice, literal=literal))
        common = len(set(first) & set(second)) / max(len(first), len(second))
        assert common == pytest.approx(0.8, abs=0.12)


def test_paper_counts_a_shingle_that_is_minimal_twice_once():
    text = " ".join(f"w{number}" for number in range(40))
    (tagged,), (literal,) = (
        images_of([text], ShingleImages(Shingles(1), 100, "permutations", literal=literal)) for literal in (False, True)
    )
    assert len(tagged) == 100
    assert len(literal) <= 40
    assert set(literal) <= {hash_shingle((f"w{number}",), "word") for number in range(40)}


def test_images_do_not_depend_on_the_number_of_threads():
    texts = [" ".join(f"w{number * step % 97}" for number in range(150)) for step in range(1, 300)]
    for choice in ("bottom", "permutations"):
        maker = ShingleImages(Shingles(3), 50, choice)
        made = [maker.images_of(open_texts(texts, threads=threads), all_documents(texts)) for threads in (1, 2, 8)]
        assert all((each.units == made[0].units).all() for each in made)
        for document in range(len(texts)):
            assert (np.diff(made[0].of(document).astype(object)) > 0).all()


def test_word_images_contain_words_of_medium_frequency():
    texts = [f"the common word{number % 4} alone{number} twice{number // 2}" for number in range(40)]
    opened = open_texts(texts)
    lexicon = Lexicon.count(opened, all_documents(opened))
    chosen = set(np.array(lexicon.words.to_pylist())[WordImages(100).choose(lexicon)])
    assert chosen == {f"word{number}" for number in range(4)} | {f"twice{number}" for number in range(20)}
    images = images_of(texts, WordImages(100))
    assert images == [sorted({hash_word(f"word{n % 4}"), hash_word(f"twice{n // 2}")}) for n in range(40)]


def test_frequency_interval_is_narrowed_to_the_requested_image_size():
    texts = [" ".join(f"w{word}" for word in range(1, 60) if document % word == 0) for document in range(1, 400)]
    opened = open_texts(texts)
    lexicon = Lexicon.count(opened, all_documents(opened))
    sizes = []
    for size in (1, 2, 3, 5, 100):
        lengths = [len(image) for image in images_of(texts, WordImages(size))]
        assert sum(lengths) <= size * len(texts)
        sizes.append(int(WordImages(size).choose(lexicon).sum()))
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_stop_words_and_lexicon_determine_the_words_of_an_image():
    texts = ["whale and ship", "whale and net", "ship and net", "cloud and rain"]
    assert "and" in STOP_WORDS
    kept = images_of(texts, WordImages(100, stop_words=frozenset()))
    assert [len(image) for image in kept] == [2, 2, 2, 0]
    opened = open_texts(["cloud rain", "cloud", "rain", "x", "y"])
    other = Lexicon.count(opened, all_documents(opened))
    assert [len(image) for image in images_of(texts, WordImages(100, lexicon=other))] == [0, 0, 0, 2]


def test_invalid_image_settings_are_refused():
    opened = open_texts(["a"])
    for choice, growth, wrong in [("top", "fixed", "choice"), ("bottom", "cubic", "growth")]:
        with pytest.raises(ValueError, match=f"unknown {wrong}"):
            _core.images(opened, all_documents(opened), (1, "word"), 1, choice, 1, growth, False)


def test_long_text_of_few_distinct_words_has_a_short_image():
    texts = ["x " * 200_000, "a b c d " * 50_000]
    images = images_of(texts, ShingleImages(Shingles(5), 100))
    assert [len(image) for image in images] == [1, 4]
    assert all(a < b for image in images for a, b in pairwise(image))
