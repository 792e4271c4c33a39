from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from neardup.candidates import TermGrams, WeightedPrefix
from neardup.represent import Lexicon, Weighting
from neardup.stages import Candidates
from neardup.verify import WeightedOverlap
from reference.examples import all_documents, as_distinct, open_texts, sentences
from reference.messages import DEFAULTS, degree, fingerprints, read_terms, weigh

PHRASES = ("save the whales", "now", "please call 0800 1234", "win £100", "www.win.com", "今晚我们去北京", "ok", "not")


def read_distinct(strings, threads=2):
    return as_distinct(open_texts(strings, threads=threads), _core.FirstPass.terms(), threads=threads)


def weigh_terms(strings, threads=2, **chosen):
    return Weighting(**chosen).represent(read_distinct(strings, threads))


def listed(candidates):
    return dict(
        zip(zip(candidates.a.tolist(), candidates.b.tolist(), strict=True), candidates.similarities, strict=True)
    )


def join_slowly(strings, threshold, sharing=False, **chosen):
    texts = [terms for terms in map(read_terms, strings) if terms]
    chosen = {**DEFAULTS, "threshold": threshold, **chosen}
    weights = weigh(texts, chosen)
    keys = [fingerprints(terms, weights, chosen) for terms in texts]
    found = {}
    for a, b in combinations(range(len(texts)), 2):
        exact = degree(set(texts[a]), set(texts[b]), weights)
        if exact >= Fraction(str(threshold)) and (not sharing or keys[a] & keys[b]):
            found[a, b] = float(exact)
    return found


messages = st.one_of(sentences, st.lists(st.sampled_from(PHRASES), max_size=5).map(" ".join))


@given(st.lists(messages, max_size=16), st.sampled_from([0.2, 0.5, 0.65, 0.9, 1.0]), st.integers(1, 3))
@settings(max_examples=80)
def test_weighted_join_finds_every_pair_with_its_exact_degree(strings, threshold, threads):
    weighted = weigh_terms(strings, threads)
    assert listed(WeightedPrefix(threshold).pairs(weighted)) == join_slowly(strings, threshold)


@given(st.lists(messages, max_size=16), st.sampled_from([0.3, 0.65, 1.0]), st.integers(1, 4), st.booleans())
@settings(max_examples=80)
def test_pairs_that_share_a_fingerprint_are_found(strings, threshold, gram, thorough):
    chosen = {"gram": gram, "features": gram + 2 * thorough, "paper": not thorough}
    printed = {} if thorough else {"direction": "paper", "length": "characters"}
    weighted = weigh_terms(strings, order="heavy", **printed)
    found = TermGrams(threshold, gram, thorough=thorough).pairs(weighted)
    assert listed(found) == join_slowly(strings, threshold, sharing=True, **chosen)
    assert found.examined >= len(found.a)


def test_every_pair_shares_a_prefix_key():
    strings = [" ".join(f"w{number * step % 17}" for number in range(9)) for step in range(1, 40)]
    weighted = weigh_terms(strings)
    found = WeightedPrefix(0.65).keys(weighted)
    keys, offsets = found.values, found.offsets
    own = [set(keys[offsets[index] : offsets[index + 1]].tolist()) for index in range(len(weighted.nodes))]
    assert all(own[a] & own[b] for a, b in listed(WeightedPrefix(0.65).pairs(weighted)))


def test_with_a_lexicon_keys_of_a_text_do_not_depend_on_the_collection():
    strings = ["save the whales now", "please save the whales", "call 0800 1234 now", "whales whales"]
    opened = open_texts(strings)
    lexicon = Lexicon.count(opened, all_documents(opened), "terms")
    whole = WeightedPrefix(0.65).keys(weigh_terms(strings, lexicon=lexicon))
    for index, text in enumerate(strings):
        alone = WeightedPrefix(0.65).keys(weigh_terms([text], lexicon=lexicon)).values
        assert alone.tolist() == whole.values[whole.offsets[index] : whole.offsets[index + 1]].tolist()


def make_messages(count, vocabulary):
    rng = np.random.default_rng(count)
    base = rng.integers(0, vocabulary, (count // 8, 10))
    rows = base[rng.integers(0, len(base), count)]
    rows[np.arange(count), rng.integers(0, 10, count)] = rng.integers(0, vocabulary, count)
    return [" ".join(f"w{word}" for word in row) for row in rows.tolist()]


def test_skip_connected_gives_the_same_components_with_fewer_comparisons():
    distinct = read_distinct(make_messages(1500, 400))
    weighted = Weighting(order="heavy").represent(distinct)
    whole, some = (TermGrams(0.65, skip_connected=skip).pairs(weighted) for skip in (False, True))
    named = [_core.components(len(weighted.nodes), found.a, found.b).tolist() for found in (whole, some)]
    assert named[0] == named[1]
    assert some.examined < whole.examined / 2
    assert set(listed(some)) < set(listed(whole))
    prefix = WeightedPrefix(0.65, skip_connected=True).pairs(Weighting().represent(distinct))
    exact = WeightedPrefix(0.65).pairs(Weighting().represent(distinct))
    assert _core.components(len(weighted.nodes), prefix.a, prefix.b).tolist() == (
        _core.components(len(weighted.nodes), exact.a, exact.b).tolist()
    )


def test_every_pair_can_be_scored():
    weighted = weigh_terms(["save the whales", "save the seals", "other words"])
    a, b = np.array([0, 0], np.uint32), np.array([1, 2], np.uint32)
    scores = WeightedOverlap(0.65).scores(weighted, a, b)
    assert scores.tolist() == [join_slowly(["save the whales", "save the seals", "other words"], 0.1)[0, 1], 0.0]
    linked = WeightedOverlap(0.1).link(weighted, Candidates(a, b))
    assert (linked.a.tolist(), linked.b.tolist(), linked.grounds) == ([0], [1], ("degree",))


def test_invalid_arguments_are_refused():
    distinct = read_distinct(["a b", "b c"])
    terms, sets = distinct.survey.terms, Weighting().represent(distinct).sets
    ones, order = np.ones(3, np.uint32), np.arange(3, dtype=np.uint32)
    for ranks, weights in ((order, ones * 0), (ones, ones), (order[:2], ones[:2]), (order + 5, ones)):
        with pytest.raises(ValueError, match=r"rank of its own|is not below"):
            terms.weigh(distinct.documents, ranks, weights)
    with pytest.raises(ValueError, match="threshold"):
        sets.similar((3, 2), None, 10)
    with pytest.raises(ValueError, match="from 1 to 12"):
        sets.gram_keys((1, 2), 0, 3, True)
    with pytest.raises(ValueError, match="do not belong together"):
        sets.compare_sharing(np.zeros(1, np.uint64), np.zeros(3, np.uint64), (1, 2), None, 10)
    with pytest.raises(ValueError, match="no such"):
        sets.of(5)
    with pytest.raises(ValueError, match="no such"):
        terms.of(5)
    assert sets.of(0).tolist() == sorted(sets.of(0).tolist())
    assert terms.of(0).shape == (2,)
    assert (len(terms), len(sets), sets.sizes().tolist()) == (3, 2, [2, 2])
