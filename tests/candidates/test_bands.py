import math
from itertools import product

import pytest

from neardup.candidates import Blocks, choose_bands, collision, least_agreement
from neardup.detectors import make_detector
from neardup.engines import Job, run_local
from neardup.errors import SettingsError
from neardup.records import Documents

THRESHOLDS = [0.001, *(number / 100 for number in range(1, 101)), 1]
RECALLS = [0.01, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.999999, 1 - 1e-12]


@pytest.mark.parametrize("recall", RECALLS)
def test_chosen_bands_reach_the_requested_recall(recall):
    for threshold in THRESHOLDS:
        try:
            banding = choose_bands(threshold, recall)
        except SettingsError:
            continue
        assert collision(threshold, banding.bands, banding.rows) >= recall - 1e-12
        assert 1 <= banding.slots <= 2048


def test_threshold_too_low_for_sketches_is_refused_with_advice():
    for threshold in (1e-4, 1e-9, 1e-30, 1e-300, 5e-324):
        with pytest.raises(SettingsError, match="use method jaccard"):
            choose_bands(threshold, 0.999)


@pytest.mark.parametrize("recall", RECALLS)
def test_required_agreement_is_within_the_number_of_slots(recall):
    for threshold in THRESHOLDS:
        try:
            banding = choose_bands(threshold, recall)
        except SettingsError:
            continue
        needed = least_agreement(threshold, banding.slots, 0.1 * (1 - recall))
        assert 0 <= needed <= threshold * banding.slots + 1


def test_required_agreement_is_a_binomial_quantile():
    for threshold, slots, risk in product((0.3, 0.8, 0.95), (1, 10, 90), (1e-4, 0.01, 0.3)):
        needed = least_agreement(threshold, slots, risk)
        shares = [math.comb(slots, k) * threshold**k * (1 - threshold) ** (slots - k) for k in range(slots + 1)]
        assert sum(shares[:needed]) <= risk < sum(shares[: needed + 1])


# Sets at the threshold, from a few words to many: `shared` words of each `shared + own`.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("threshold", "shared", "own", "recall"),
    [
        (0.8, 8, 1, 0.999),
        (0.8, 80, 10, 0.999),
        (0.8, 320, 40, 0.999),
        (0.5, 2, 1, 0.999),
        (0.5, 4, 2, 0.999),
        (0.5, 4, 2, 0.99999),
        (0.5, 80, 40, 0.999),
        (0.6, 3, 1, 0.999),
    ],
)
def test_requested_share_of_pairs_at_the_threshold_is_found(threshold, shared, own, recall):
    pairs = 6000 if shared < 100 else 2000
    texts = []
    for number in range(pairs):
        common = " ".join(f"s{number}x{at}" for at in range(shared))
        texts += [f"{common} " + " ".join(f"{side}{number}x{at}" for at in range(own)) for side in "ab"]
    detector = make_detector("minhash", {"threshold": threshold, "shingle": 1, "recall": recall})
    missed = pairs - run_local(detector, Job(Documents(texts))).pairs.num_rows
    expected = pairs * (1 - recall)
    # A tail of about one in a hundred thousand for a Poisson count.
    assert missed <= expected + 4.5 * math.sqrt(expected) + 2


@pytest.mark.parametrize("bits", range(12))
@pytest.mark.parametrize("nodes", [0, 1, 10, 10_000, 100_000_000])
def test_there_are_more_blocks_than_bits_and_few_keys(bits, nodes):
    blocks = Blocks(bits).count_blocks(nodes)
    assert bits < blocks <= 20
    assert math.comb(blocks, bits) <= 64
