"""Closed sets, maximal sets and covers: compared with brute force and with pyfim, on campaigns, with guards."""

import csv
import math
import random
from fractions import Fraction
from pathlib import Path

import fim
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neardup import _core
from neardup.cluster import Need, mine_concepts
from neardup.cluster.concepts import Limits
from neardup.represent import Images, ShingleImages, Shingles
from reference.concepts import as_images, find_closed, find_pairs, keep_maximal
from reference.examples import all_documents, open_texts

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def clusters_of(found):
    clusters = [(frozenset(found.of(index).tolist()), int(found.units[index])) for index in range(len(found))]
    assert len(set(clusters)) == len(clusters), "a cluster is listed twice"
    return set(clusters)


def pairs_of(found):
    return dict(zip(zip(found.a.tolist(), found.b.tolist(), strict=True), found.common.tolist(), strict=True))


def make_context(rng):
    documents, units, density = rng.randint(2, 8), rng.randint(2, 14), rng.random()
    return [{unit for unit in range(units) if rng.random() < density} for _ in range(documents)]


def needs(rng):
    k, share = rng.randint(1, 5), Fraction(rng.randint(1, 20), 20)
    return [
        (Need(units=k), lambda size: k),
        (Need(share=float(share)), lambda size: max(1, math.ceil(share * size))),
    ]


def check_all(images, need, least):
    closed = find_closed(images, least)
    context = as_images(images)
    assert clusters_of(mine_concepts(context, need, "closed")) == closed
    assert clusters_of(mine_concepts(context, need, "maximal")) == keep_maximal(closed)
    found = mine_concepts(context, need, "cover")
    check_cover(found, closed)
    assert pairs_of(found) == find_pairs(images, least)
    assert found.short.tolist() == [len(image) < least(len(image)) for image in images]


def check_cover(found, closed):
    """Check that a cover consists of closed sets and contains every clustered document, and needs each cluster."""
    cover = clusters_of(found)
    assert cover <= closed
    held = [documents for documents, _ in cover]
    clustered = frozenset().union(*(documents for documents, _ in closed))
    assert frozenset().union(*held) == clustered
    assert all(frozenset().union(*(held[:index] + held[index + 1 :])) != clustered for index in range(len(held)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_mining_random_contexts_equals_brute_force(part):
    rng = random.Random(part)
    for _ in range(200):
        images = make_context(rng)
        for need, least in needs(rng):
            check_all(images, need, least)


@pytest.mark.slow
@given(st.lists(st.frozensets(st.integers(0, 9)), max_size=7), st.integers(1, 4))
@settings(max_examples=200)
def test_mining_generated_contexts_equals_brute_force(images, units):
    check_all([set(image) for image in images], Need(units=units), lambda size: units)


def mine_with_pyfim(images: Images, units: int, target: str):
    """Mine the transposed context: items are documents, transactions the documents of a unit, support the units."""
    rows: dict[int, list[int]] = {}
    for document in range(len(images)):
        for unit in images.of(document).tolist():
            rows.setdefault(unit, []).append(document)
    found = fim.fpgrowth(list(rows.values()), target=target, supp=-units, zmin=2, report="a")
    return {(frozenset(documents), support) for documents, support in found}


def real_images(name: str, column: str, shingle: int, size: int) -> Images:
    with (EXAMPLES / name).open(encoding="utf-8", newline="") as stream:
        opened = open_texts([row[column] for row in csv.DictReader(stream)])
    return ShingleImages(Shingles(shingle), size).images_of(opened, all_documents(opened))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shingle", "size", "units"), [(1, 30, 26), (2, 60, 54), (3, 100, 70), (3, 100, 85), (5, 40, 40)]
)
def test_mining_real_contexts_equals_pyfim(shingle, size, units):
    images = real_images("licence_notices.csv", "text", shingle, size)
    mined = 0
    for kind, target in (("closed", "c"), ("maximal", "m")):
        wanted = mine_with_pyfim(images, units, target)
        assert clusters_of(mine_concepts(images, Need(units=units), kind)) == wanted
        mined += len(wanted)
    assert mined > 10


@pytest.mark.parametrize(
    ("documents", "units", "density", "support"),
    [
        (60, 40, 0.3, 4),
        (60, 40, 0.5, 10),
        (14, 60, 0.9, 20),
        (12, 400, 0.6, 20),
        (200, 20, 0.2, 3),
        (400, 200, 0.05, 3),
    ],
)
def test_mining_larger_contexts_equals_pyfim(documents, units, density, support):
    rng = random.Random(documents)
    images = as_images([{unit for unit in range(units) if rng.random() < density} for _ in range(documents)])
    for kind, target in (("closed", "c"), ("maximal", "m")):
        wanted = mine_with_pyfim(images, support, target)
        assert 50 < len(wanted) < 100_000
        assert clusters_of(mine_concepts(images, Need(units=support), kind)) == wanted


def make_campaign(documents, seed, units=100, edits=5):
    """Make near-copies of one image; in each, up to `edits` units are replaced by new ones."""
    rng, images = random.Random(seed), []
    for document in range(documents):
        image = set(range(units))
        for index, unit in enumerate(rng.sample(range(units), rng.randint(0, edits))):
            image = image - {unit} | {1000 + 100 * document + index}
        images.append(image)
    return images


@pytest.mark.parametrize("documents", [60, 100])
@pytest.mark.parametrize("kind", ["cover", "closed"])
def test_campaign_is_covered_in_few_steps(documents, kind):
    images = make_campaign(documents, documents)
    found = mine_concepts(as_images(images), Need(units=85), kind, limits=Limits(clusters=100, steps=10_000), threads=1)
    assert found.guards == ({} if kind == "cover" else {"components_mined_as_cover": 1})
    for index in range(len(found)):
        common = set.intersection(*(images[document] for document in found.of(index)))
        assert len(common) == found.units[index] >= 85
        assert [d for d, image in enumerate(images) if common <= image] == found.of(index).tolist()
    partnered = {document for pair in find_pairs(images, lambda size: 85) for document in pair}
    assert set(found.members.tolist()) == partnered == set(range(documents))


def test_chain_is_split_into_several_clusters():
    images = [set(range(start, start + 20)) for start in range(0, 60, 2)]
    found = mine_concepts(as_images(images), Need(units=16), "cover")
    assert found.facts["components"] == 1
    assert all(
        len(images[a] & images[b]) >= 16
        for index in range(len(found))
        for a in found.of(index)
        for b in found.of(index)
    )
    assert 10 <= len(found) <= 12
    assert set(found.members.tolist()) == set(range(30))


def test_clusters_do_not_depend_on_threads_or_document_order():
    images = [image for seed in range(3) for image in make_campaign(12, seed)]
    rng = random.Random(4)
    for kind in ("closed", "maximal", "cover"):
        one = mine_concepts(as_images(images), Need(units=90), kind, threads=1)
        for threads in (2, 8):
            other = mine_concepts(as_images(images), Need(units=90), kind, threads=threads)
            assert (other.members.tolist(), other.units.tolist()) == (one.members.tolist(), one.units.tolist())
        if kind != "cover":
            order = rng.sample(range(len(images)), len(images))
            shuffled = mine_concepts(as_images([images[index] for index in order]), Need(units=90), kind)
            back = {
                (frozenset(order[index] for index in documents), units) for documents, units in clusters_of(shuffled)
            }
            assert back == clusters_of(one)


def test_exceeded_limit_degrades_the_cluster_kind_and_is_counted():
    images = as_images([*make_campaign(18, 1), *({*range(5000, 5100), extra} for extra in (1, 2))])
    closed, maximal, cover = (mine_concepts(images, Need(units=90), kind) for kind in ("closed", "maximal", "cover"))
    assert len(closed) > len(maximal) > len(cover)
    apart = clusters_of(closed) - {cluster for cluster in clusters_of(closed) if max(cluster[0]) < 18}
    assert len(apart) == 1
    for most, wanted, guard in [
        (len(closed) - 1, closed, None),
        (len(closed) - 2, maximal, "components_mined_as_maximal"),
        (len(maximal) - 2, cover, "components_mined_as_cover"),
    ]:
        found = mine_concepts(images, Need(units=90), "closed", limits=Limits(clusters=most))
        assert clusters_of(found) == clusters_of(wanted) | apart
        assert found.guards == ({guard: 1} if guard else {})


def test_unexamined_pairs_are_counted_and_the_result_is_a_cover():
    rng = random.Random(5)
    images = [set(rng.sample(range(40), 36)) for _ in range(600)]
    found = mine_concepts(as_images(images), Need(units=32), "closed", limits=Limits(looks=20_000))
    assert found.guards["keys"] > 0
    assert found.guards["pairs_not_compared"] > 0
    assert found.guards["components_mined_as_cover"] > 0
    for index in range(len(found)):
        common = set.intersection(*(images[document] for document in found.of(index)))
        assert len(common) == found.units[index] >= 32
        assert {d for d, image in enumerate(images) if common <= image} == set(found.of(index).tolist())
    assert {*found.a.tolist(), *found.b.tolist()} == set(found.members.tolist())


def test_equal_images_beyond_the_limit_are_paired_with_the_first_only():
    images = as_images([{1, 2, 3}] * 1000 + [{1, 2, 3, 4}])
    for most, pairs in ((500_500, 500_500), (500_499, 999 + 1000)):
        found = mine_concepts(images, Need(units=3), limits=Limits(pairs=most))
        assert len(found.a) == pairs
        assert found.guards.get("pairs_not_listed", 0) == 500_500 - pairs
        assert [len(found.of(index)) for index in range(len(found))] == [1001]


def test_reductions_are_counted():
    found = mine_concepts(as_images([{1, 2, 3, 7}, {1, 2, 3, 7}, {1, 2, 3, 8}, {1, 2, 9}, set(), {5}]), Need(units=2))
    assert found.facts == {"images": 5, "units": 7, "shared_units": 3, "distinct_rows": 2, "components": 1}
    assert clusters_of(found) == {
        (frozenset({0, 1}), 4),
        (frozenset({0, 1, 2}), 3),
        (frozenset({0, 1, 2, 3}), 2),
    }


@pytest.mark.parametrize(
    ("units", "offsets"),
    [([2, 1], [0, 2]), ([1, 1], [0, 2]), ([1], [0, 2]), ([1], [1, 1]), ([], []), (range(20_000), [0, 20_000])],
)
def test_invalid_images_are_refused(units, offsets):
    with pytest.raises(ValueError, match=r"belong together|each image must be"):
        _core.Context.from_arrays(np.array(units, np.uint64), np.array(offsets, np.uint64))


def test_invalid_needs_and_kinds_are_refused():
    context = _core.Context.from_arrays(np.array([1], np.uint64), np.array([0, 1], np.uint64))
    for measure in (("shared", (0, 1)), ("shared", (3, 2)), ("share", (3, 2)), ("share", (0, 1)), ("other", (1, 1))):
        with pytest.raises(ValueError, match="the measure is"):
            context.overlaps(*measure, 10)
    with pytest.raises(ValueError, match="unknown kind"):
        context.overlaps("shared", (1, 1), 10).clusters("open", 10, 10)


def test_empty_context_has_no_clusters():
    for images in ([], [set()], [set(), set()], [{1}]):
        for kind in ("closed", "maximal", "cover"):
            found = mine_concepts(as_images(images), Need(units=1), kind)
            assert (len(found), len(found.a), found.guards) == (0, 0, {})
