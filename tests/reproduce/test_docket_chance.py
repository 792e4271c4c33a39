from collections import Counter

from neardup.reproduce.docket.chance import Chance


def test_a_seed_and_a_purpose_give_the_same_numbers_everywhere():
    chance = Chance(7, "plan")
    assert [chance.below(1000) for _ in range(6)] == [638, 476, 635, 963, 641, 395]
    other = Chance(7, "frames")
    assert [other.below(1000) for _ in range(6)] == [649, 6, 170, 22, 215, 833]


def test_numbers_lie_within_their_bounds_and_reach_them():
    chance = Chance(1, "bounds")
    assert {chance.below(3) for _ in range(200)} == {0, 1, 2}
    assert {chance.between(4, 6) for _ in range(200)} == {4, 5, 6}
    assert {chance.pick("ab") for _ in range(50)} == {"a", "b"}
    assert not any(chance.happens(0.0) for _ in range(50))
    assert all(chance.happens(1.0) for _ in range(50))


def test_some_items_are_different_and_in_their_order():
    chance = Chance(2, "some")
    for _ in range(50):
        chosen = chance.pick_some("abcdef", 3)
        assert chosen == sorted(set(chosen))
        assert len(chosen) == 3
    assert chance.pick_some("ab", 5) == ["a", "b"]


def test_every_order_of_a_shuffle_is_as_likely():
    chance = Chance(3, "shuffle")
    seen = Counter()
    for _ in range(1200):
        items = list("abc")
        chance.shuffle(items)
        seen["".join(items)] += 1
    assert len(seen) == 6
    assert min(seen.values()) > 150
