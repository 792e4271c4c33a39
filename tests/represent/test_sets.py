import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from neardup import _core
from reference.examples import all_documents, open_texts, sentences
from reference.sets import choose_shingles
from reference.tokens import read_units

shinglings = st.tuples(st.integers(1, 6), st.sampled_from(["word", "char"]))
selections = st.sampled_from([("all", 1), ("position", 5), ("position", 2), ("hash", 2), ("hash", 5)])
collections = st.lists(sentences.map(lambda text: f"w {text}"), min_size=2, max_size=8)


def wanted_sets(texts, shingling, selection):
    size, unit = shingling
    return [choose_shingles(read_units(text, unit), size, unit, *selection) for text in texts]


@given(collections, shinglings, selections, st.booleans())
def test_sizes_and_overlaps_equal_those_of_python_sets(texts, shingling, selection, counted):
    opened = open_texts(texts)
    counts = _core.FirstPass.counts(shingling, selection)
    survey = opened.survey(all_documents(opened), all_documents(opened), counts) if counted else None
    sets = opened.sets(all_documents(opened), shingling, selection, survey)
    wanted = wanted_sets(texts, shingling, selection)
    pairs = [(a, b) for a in range(len(texts)) for b in range(len(texts)) if a != b]
    a, b = np.array(pairs, np.uint32).T.copy()
    assert len(sets) == len(texts)
    assert sets.sizes().tolist() == [len(each) for each in wanted]
    assert sets.overlaps(a, b).tolist() == [len(wanted[x] & wanted[y]) for x, y in pairs]


@given(collections, shinglings, st.sampled_from([(1, 2), (4, 5), (1, 1), (1, 100)]))
def test_overlaps_below_the_threshold_are_zero(texts, shingling, threshold):
    opened = open_texts(texts)
    sets = opened.sets(all_documents(opened), shingling, ("all", 1), None)
    wanted = wanted_sets(texts, shingling, ("all", 1))
    a = np.zeros(len(texts) - 1, np.uint32)
    b = np.arange(1, len(texts), dtype=np.uint32)
    expected = []
    for other in wanted[1:]:
        shared = len(wanted[0] & other)
        passes = shared * threshold[1] >= threshold[0] * len(wanted[0] | other)
        expected.append(shared if passes else 0)
    assert sets.overlaps(a, b, "jaccard", threshold).tolist() == expected


def test_long_shingles_of_few_words_do_not_collide():
    # Two sequences of two words that a polynomial modulo a power of two cannot tell apart (Thue and Morse).
    parity = [number.bit_count() & 1 for number in range(1024)]
    texts = [" ".join(words[bit] for bit in parity) for words in ("ab", "ba")]
    opened = open_texts(texts)
    sets = opened.sets(all_documents(opened), (1024, "word"), ("all", 1), None)
    assert sets.overlaps(np.array([0], np.uint32), np.array([1], np.uint32)).tolist() == [0]


def test_spaces_around_single_character_tokens_are_ignored():
    texts = ["你好 world again 😀 x", "你好world again😀x", "你 好 world, again 😀 x"]
    sets = open_texts(texts).sets(np.arange(3, dtype=np.uint32), (3, "char"), ("all", 1), None)
    sizes = sets.sizes().tolist()
    assert sizes[0] == len("你好world again😀x") - 2
    assert sizes == sizes[:1] * 3
    assert sets.overlaps(np.array([0, 0], np.uint32), np.array([1, 2], np.uint32)).tolist() == sizes[:2]
