"""Partitions of a collection, processed in other processes, give the keys and links of the whole."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

import numpy as np
import pytest

from neardup.detectors import METHODS, LexiconDetector, Recipe, make_detector
from neardup.engines import Job, run_local
from neardup.pipeline import Collection, key_partition, stored_nodes, verify_features, verify_texts
from neardup.records import Documents
from neardup.represent import Features, Lexicon
from reference.examples import all_documents, make_collection, open_texts
from reference.tokens import read_words

PAIR_METHODS = [name for name in METHODS if isinstance(make_detector(name, {}).recipe(), Recipe)]
UNIT = {"simfinder": "terms"}


@pytest.fixture(scope="module")
def processes():
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.fixture(scope="module")
def texts():
    by_words = {tuple(read_words(record.text)): record.text for record in make_collection(71, groups=20)}
    return [text for words, text in by_words.items() if words]


def make_recipe(method, texts):
    """Make a recipe whose statistics do not depend on the partition."""
    detector = make_detector(method, {})
    if isinstance(detector, LexiconDetector):
        opened = open_texts(texts)
        detector = detector.with_lexicon(Lexicon.count(opened, all_documents(opened), UNIT.get(method, "words")))
    return detector, detector.recipe()


def keys_by_text(texts, partition):
    """Return the set of keys of each distinct text."""
    keys = partition.keys
    return {
        texts[document]: frozenset(keys.values[int(keys.offsets[node]) : int(keys.offsets[node + 1])].tolist())
        for node, document in enumerate(partition.documents.tolist())
    }


@pytest.mark.parametrize("method", PAIR_METHODS)
def test_keys_of_partitions_equal_those_of_the_whole(method, texts, processes):
    _, recipe = make_recipe(method, texts)
    parts = [texts[::2], texts[1::2]]
    work = [processes.submit(key_partition, recipe, Collection(Documents(part))) for part in parts]
    found = {}
    for part, done in zip(parts, work, strict=True):
        found |= keys_by_text(part, done.result())
    whole = keys_by_text(texts, key_partition(recipe, Collection(Documents(texts))))
    assert found == whole


# `exact` and `imatch` link whatever shares a key: their verifiers are not made for all pairs.
@pytest.mark.parametrize("method", [method for method in PAIR_METHODS if method not in ("exact", "imatch")])
def test_verification_in_another_process_finds_the_links_of_a_run(method, texts, processes):
    detector, recipe = make_recipe(method, texts)
    result = run_local(detector, Job(Documents(texts)))
    linked = {
        tuple(sorted((int(a), int(b)))): similarity
        for a, b, similarity in zip(*(result.pairs[name].to_pylist() for name in ("a", "b", "similarity")), strict=True)
        if texts[int(a)] != texts[int(b)]
    }
    first, second = np.array(list(combinations(range(len(texts)), 2)), np.uint32).T.copy()
    nodes = stored_nodes(np.ones(len(texts), np.uint32))
    links = processes.submit(verify_texts, recipe, Documents(texts), (first, second), nodes).result()
    found = dict(zip(zip(links.a.tolist(), links.b.tolist(), strict=True), links.similarities.tolist(), strict=True))
    assert linked.items() <= found.items()
    if recipe.represent.packer is not None:
        partition = key_partition(recipe, Collection(Documents(texts)))
        stored = partition.features.split()
        order = np.argsort(partition.documents)
        features = Features.join([stored[node] for node in order.tolist()])
        again = processes.submit(verify_features, recipe, features, (first, second), nodes).result()
        assert again.similarities.tolist() == links.similarities.tolist()


def test_keys_of_a_partition_need_a_given_lexicon(texts):
    with pytest.raises(ValueError, match="learn it from the whole collection first"):
        key_partition(make_detector("conrad", {}).recipe(), Collection(Documents(texts)))
