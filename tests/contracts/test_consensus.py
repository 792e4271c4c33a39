"""Campaigns in which nobody sent the original unchanged: consensus, added text, menus, two campaigns in one letter."""

import random

import numpy as np
import pyarrow as pa
import pytest

import neardup

STOCK = [f"{a}{b}" for a in ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su") for b in "bcdfghklmnprst"]


def sentence(rng, words=14):
    return " ".join(rng.choice(STOCK) for _ in range(words)).capitalize() + "."


@pytest.fixture
def drafts():
    rng = random.Random(7)
    return [[sentence(rng) for _ in range(8)] for _ in range(2)]


def personal_letters(draft, count, seed):
    """Return letters with the draft and one sentence of the writer, and these sentences."""
    rng = random.Random(seed)
    own = [sentence(rng, 20) for _ in range(count)]
    return [" ".join([*draft[: n % 9], own[n], *draft[n % 9 :]]) for n in range(count)], own


def find(letters, **settings):
    table = pa.table({"id": [f"{n:04}" for n in range(len(letters))], "text": letters})
    return neardup.find(table, method="durian", **settings)


def test_consensus_is_the_draft_that_nobody_sent(drafts):
    letters, own = personal_letters(drafts[0], 30, 1)
    found = find(letters)
    (campaign,) = found.clusters
    assert len(campaign) == 30
    assert campaign.consensus.split() == " ".join(drafts[0]).split()
    assert [row["added"] for row in found.documents.to_pylist()] == own
    assert set(found.documents["removed"].to_pylist()) == {""}


def test_reference_is_the_letter_nearest_to_the_consensus(drafts):
    letters, _ = personal_letters(drafts[0], 12, 2)
    letters[7] = " ".join(drafts[0]) + " Thanks a lot indeed."
    (campaign,) = find(letters).clusters
    assert campaign.reference == "0007"
    assert campaign.members[0].relation == "reference"


def test_paper_has_no_consensus(drafts):
    letters, _ = personal_letters(drafts[0], 12, 2)
    assert all(cluster.consensus is None for cluster in find(letters, paper=True).clusters)


def test_campaign_with_six_identical_letters_has_an_original(drafts):
    letters, _ = personal_letters(drafts[0], 12, 2)
    (campaign,) = find([*letters, *[" ".join(drafts[0])] * 6]).clusters
    assert campaign.consensus is None
    assert campaign.reference == "0012"


def test_letter_of_two_campaigns_names_the_other(drafts):
    letters = personal_letters(drafts[0], 12, 3)[0] + personal_letters(drafts[1], 12, 4)[0]
    found = find([*letters, " ".join([*drafts[0], *drafts[1][:5]])])
    rows = found.documents.to_pylist()
    assert rows[24]["cluster"] == rows[0]["cluster"] != rows[12]["cluster"]
    assert rows[24]["also"] == [rows[12]["cluster"]]
    assert all(row["also"] is None for row in rows[:24])


def test_result_does_not_depend_on_order_or_threads(drafts):
    letters = personal_letters(drafts[0], 30, 5)[0] + personal_letters(drafts[1], 20, 6)[0]
    table = pa.table({"id": [f"{n:04}" for n in range(50)], "text": letters})
    shuffled = table.take(pa.array(np.random.default_rng(3).permutation(50)))
    first = neardup.find(table, method="durian", threads=1)
    second = neardup.find(shuffled, method="durian", threads=2)
    by_id = [("id", "ascending")]
    assert first.documents.sort_by(by_id).equals(second.documents.sort_by(by_id))
    assert first.table("clusters").equals(second.table("clusters"))


def test_misread_words_are_not_added_text(drafts):
    words = " ".join(drafts[0]).split()
    scanned = [word[:-1] + "z" if n % 17 == 5 else word for n, word in enumerate(words)]
    found = find([*[" ".join(words)] * 6, " ".join([*scanned, "My own words are here at the end of it."])])
    last = found.documents.to_pylist()[6]
    assert sum(a != b for a, b in zip(words, scanned, strict=True)) >= 3
    assert last["added"] == "My own words are here at the end of it."
