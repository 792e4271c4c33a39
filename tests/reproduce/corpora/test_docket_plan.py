from collections import Counter

import numpy as np
import pytest

from neardup.errors import InputError, SettingsError
from neardup.reproduce.corpora.docket import STYLES, DocketSettings, make_docket
from neardup.reproduce.corpora.docket.plan import OPENING, count_kinds, make_plan, share_out


def kinds_of(plan):
    return [plan.names[kind] for kind in plan.kinds]


def test_parts_add_up_and_largest_remainders_are_rounded_up():
    assert share_out(10, [1, 1, 1]) == [4, 3, 3]
    assert share_out(7, [0.5, 0.3, 0.2]) == [4, 2, 1]
    assert share_out(0, [1, 2]) == [0, 0]


@pytest.mark.parametrize("style", ["paper", "ntf", "ntf2"])
def test_shares_equal_those_of_the_paper(style):
    counts = count_kinds(DocketSettings(1, style=style), 20)
    near = 1000 - counts["exact"] - counts["unique"] - counts["wrong_docket"]
    assert counts["block_added"] + counts["key_block"] > near / 2
    assert counts["minor_change"] > near / 5
    assert counts["unique"] == 100
    # The paper's coders did not see exact copies but did see singletons: the shares hold of those too.
    assert counts["block_added"] + counts["key_block"] > (1000 - counts["exact"]) / 2
    assert counts["minor_change"] > (1000 - counts["exact"]) / 5
    assert sum(counts.values()) == 1000


def test_styles_differ_like_the_samples_of_the_paper():
    assert [STYLES[name].campaigns for name in ("ntf", "ntf2", "dot")] == [28, 26, 4]
    sizes = {}
    for name in ("ntf", "ntf2", "dot"):
        settings = DocketSettings(1, style=name)
        plan = make_plan(settings, settings.count_campaigns())
        sizes[name] = np.bincount(plan.campaigns[plan.campaigns >= 0])
        assert (np.diff(sizes[name]) <= 0).mean() > 0.8
    # Several campaigns of NTF2 are large, one of NTF is.
    assert sizes["ntf"][0] > 1.6 * sizes["ntf"][1]
    assert sizes["ntf2"][0] < 1.3 * sizes["ntf2"][1]
    assert len(STYLES["dot"].dockets) == 3
    assert kinds_of(plan).count("unique") == 450


def test_campaign_begins_with_reference_and_has_more_than_five_copies():
    settings = DocketSettings(5, size=400, campaigns=9)
    plan = make_plan(settings, 9)
    names = np.array(kinds_of(plan))
    assert (np.diff(plan.seconds) >= 0).all()
    assert plan.seconds[0] >= OPENING
    for campaign in range(9):
        mine = plan.campaigns == campaign
        assert names[mine][0] == "reference"
        assert plan.seconds[mine][1] >= plan.seconds[mine][0] + 60
        assert np.isin(names[mine], ["reference", "exact"]).sum() >= 7


def test_scattered_campaigns_have_no_two_identical_letters(letters):
    docket = make_docket(letters, DocketSettings(seed=2, size=120, campaigns=4, scattered=2, framed=False))
    gold = docket.gold.to_pylist()
    texts = dict(zip(docket.documents["Document ID"].to_pylist(), docket.documents["Comment"].to_pylist(), strict=True))
    copies = [
        max(Counter(texts[row["id"]] for row in gold if row["cluster"] == campaign["reference"]).values())
        for campaign in docket.description["campaigns"]
    ]
    assert copies[:2] >= [7, 7]
    assert copies[2:] == [1, 1]
    assert all(campaign["letters"] >= 4 for campaign in docket.description["campaigns"])


def test_edited_version_has_at_most_five_copies(letters):
    mix = {"block_deleted": 0.4, "repeated": 0.3, "block_reordered": 0.2, "unique": 0, "wrong_docket": 0}
    docket = make_docket(letters, DocketSettings(seed=2, size=300, campaigns=2, mix=mix, framed=False))
    gold = docket.gold.to_pylist()
    texts = dict(zip(docket.documents["Document ID"].to_pylist(), docket.documents["Comment"].to_pylist(), strict=True))
    copies = Counter(texts[row["id"]] for row in gold if row["relation"] not in ("exact", "reference"))
    assert max(copies.values()) == 5
    # Two campaigns times three ways to repeat a letter times five; the others have added something instead.
    assert docket.description["relations"]["repeated"] == 30
    assert docket.description["relations"]["block_added"] > 50


def test_scattered_campaigns_have_no_exact_copies(letters):
    gold = make_docket(letters, DocketSettings(seed=2, size=80, campaigns=3, scattered=3)).gold
    relations = Counter(gold["relation"].to_pylist())
    assert relations["exact"] == 0
    assert relations["reference"] == 3
    assert sum(relations.values()) == 80


def test_requested_shares_are_met_and_the_rest_is_proportional():
    mix = DocketSettings(1, mix={"unique": 0.5, "wrapped": 1.0}).resolve_mix()
    usual = DocketSettings(1).resolve_mix()
    assert mix["unique"] == 0.5
    assert sum(mix.values()) == pytest.approx(1)
    assert mix["key_block"] / mix["block_added"] == pytest.approx(usual["key_block"] / usual["block_added"])


def test_requested_shares_are_met_if_campaigns_need_more_copies():
    counts = count_kinds(DocketSettings(1, size=100, campaigns=8, mix={"unique": 0.2, "repeated": 0.1}), 8)
    assert (counts["exact"], counts["unique"], counts["repeated"]) == (56, 20, 10)
    assert sum(counts.values()) == 100


@pytest.mark.parametrize("name", ["exact", "block_added", "unique", "no_body"])
def test_docket_can_consist_of_one_kind(letters, name):
    relations = make_docket(letters, DocketSettings(seed=1, size=30, campaigns=1, mix={name: 1.0})).description[
        "relations"
    ]
    assert sum(relations.values()) == 30
    assert relations["reference"] == 1
    assert relations["exact"] == (29 if name == "exact" else 6)


def test_other_shapes_share_the_rest():
    frames = DocketSettings(1, mix={"wrapped": 1.0, "quoted": 0.99}).resolve_frames()
    assert (frames["wrapped"], frames["quoted"]) == (1, 0.99)
    assert frames["html"] + frames["forwarded"] == pytest.approx(0.01)
    assert DocketSettings(1, mix={"flat": 1}).resolve_frames()["html"] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"style": "ntf3"}, "paper, ntf, ntf2, dot"),
        ({"size": 6}, "too small"),
        ({"campaigns": 0}, "at least one"),
        ({"scattered": 3, "campaigns": 2}, "at most all"),
        ({"mix": {"uniqe": 0.1}}, "did you mean unique"),
        ({"mix": {"unique": 1.5}}, "between 0 and 1"),
        ({"mix": {"unique": float("nan")}}, "between 0 and 1"),
        ({"mix": {"unique": 0.7, "exact": 0.7}}, "add up to 1.4"),
        ({"mix": {"html": 0.7, "flat": 0.7}}, "exclude each other"),
    ],
)
def test_impossible_settings_are_refused(options, message):
    with pytest.raises(SettingsError, match=message):
        DocketSettings(1, **options)


def test_misfiled_letter_alone_on_its_docket_is_unique(letters):
    mix = {"wrong_docket": 0.01, "unique": 0}
    docket = make_docket(letters, DocketSettings(seed=2, size=100, campaigns=2, mix=mix, framed=False))
    gold = docket.gold.to_pylist()
    (stray,) = (row for row in gold if row["relation"] == "unique")
    texts = dict(zip(docket.documents["Document ID"].to_pylist(), docket.documents["Comment"].to_pylist(), strict=True))
    references = {row["id"]: row["docket"] for row in gold if row["relation"] == "reference"}
    (original,) = (name for name in references if texts[name] == texts[stray["id"]])
    assert stray["docket"] not in references.values()
    dated = make_docket(
        letters, DocketSettings(seed=2, size=100, campaigns=2, mix=mix | {"forged_date": 1, "missing_date": 0})
    ).documents
    times = dict(zip(dated["Document ID"].to_pylist(), dated["Received Date"].to_pylist(), strict=True))
    assert times[stray["id"]] > times[original]


def test_misfiled_letters_have_distinct_times():
    plan = make_plan(DocketSettings(1, size=20_000, campaigns=2, mix={"wrong_docket": 0.9}), 2)
    stray = plan.seconds[plan.kinds == plan.names.index("wrong_docket")]
    assert len(stray) == 18_000
    assert (np.diff(stray) > 0).all()


def test_too_many_campaigns_are_refused(letters):
    with pytest.raises(SettingsError, match="enough for 7 campaigns, not for 9"):
        make_docket(letters, DocketSettings(seed=1, campaigns=9))
    with pytest.raises(SettingsError, match="5 campaigns need 35 letters at least, the docket has 30"):
        make_docket(letters, DocketSettings(seed=1, size=30, campaigns=5))


def test_source_without_long_letters_is_refused():
    with pytest.raises(InputError, match="none of the 1 letters can be a form letter"):
        make_docket(["A letter of one line is too short to become the letter of a campaign."], DocketSettings(seed=1))


def test_source_with_one_letter_is_refused(letters):
    with pytest.raises(InputError, match="only 0 sentences outside the form letters"):
        make_docket(letters[:1], DocketSettings(seed=1))
