from collections import Counter

from neardup.reproduce.random_stream import RandomStream


def test_seed_and_purpose_determine_the_numbers():
    rng = RandomStream(7, "plan")
    assert [rng.below(1000) for _ in range(6)] == [638, 476, 635, 963, 641, 395]
    other = RandomStream(7, "frames")
    assert [other.below(1000) for _ in range(6)] == [649, 6, 170, 22, 215, 833]


def test_numbers_cover_their_whole_range():
    rng = RandomStream(1, "bounds")
    assert {rng.below(3) for _ in range(200)} == {0, 1, 2}
    assert {rng.between(4, 6) for _ in range(200)} == {4, 5, 6}
    assert {rng.pick("ab") for _ in range(50)} == {"a", "b"}
    assert not any(rng.happens(0.0) for _ in range(50))
    assert all(rng.happens(1.0) for _ in range(50))


def test_picked_items_are_distinct_and_in_order():
    rng = RandomStream(2, "some")
    for _ in range(50):
        chosen = rng.pick_some("abcdef", 3)
        assert chosen == sorted(set(chosen))
        assert len(chosen) == 3
    assert rng.pick_some("ab", 5) == ["a", "b"]


def test_every_shuffled_order_is_equally_likely():
    rng = RandomStream(3, "shuffle")
    seen = Counter()
    for _ in range(1200):
        items = list("abc")
        rng.shuffle(items)
        seen["".join(items)] += 1
    assert len(seen) == 6
    assert min(seen.values()) > 150
