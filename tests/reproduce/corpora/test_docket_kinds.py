"""Letters of modern campaigns: what the gold says is what the letters contain."""

import re
from collections import Counter

import pytest

import neardup
from neardup.errors import SettingsError
from neardup.reproduce.corpora.docket import STYLES, DocketSettings, LetterWriter, make_docket, read_source
from neardup.reproduce.corpora.docket.bodies.forms import Form
from neardup.reproduce.corpora.docket.kinds.menus import list_points
from neardup.reproduce.corpora.docket.kinds.personal import name_relation
from neardup.reproduce.corpora.docket.kinds.rewriting import SYNONYMS

MODERN = ("personal", "menu", "joined", "quotation", "foreign", "rewritten", "synonyms", "empty", "modern")


def words(text):
    return Counter(re.findall(r"\w+", text.lower()))


def rows(letters, style, **settings):
    docket = make_docket(letters, DocketSettings(11, 150, style, campaigns=3, **settings))
    return docket.gold.to_pylist(), docket.documents["Comment"].to_pylist()


@pytest.mark.parametrize("style", MODERN)
def test_added_words_of_every_letter_are_in_its_text(style, letters):
    gold, texts = rows(letters, style, mix=dict.fromkeys(("html", "portal", "escaped", "hyphenated"), 0.0))
    for row, text in zip(gold, texts, strict=True):
        assert not words(row["added_text"]) - words(text), row["id"]
        assert not words(row["also_text"]) - words(text), row["id"]


@pytest.mark.parametrize("style", MODERN)
def test_clusters_of_the_gold_are_named_by_their_first_letter(style, letters):
    gold, _ = rows(letters, style)
    ids = {row["id"] for row in gold}
    assert len(gold) == 150 == len(ids)
    for row in gold:
        assert row["cluster"] in ids
        assert row["cluster"] <= row["id"]
        assert not row["also"] or row["also"] in ids
        if row["relation"] == "unique":
            assert row["cluster"] == row["id"]


@pytest.mark.parametrize("style", MODERN)
def test_same_seed_gives_the_same_docket_and_another_seed_another(style, letters):
    first, again = (make_docket(letters, DocketSettings(3, 60, style, campaigns=2)) for _ in range(2))
    assert first.documents.equals(again.documents)
    assert first.gold.equals(again.gold)
    assert not first.documents.equals(make_docket(letters, DocketSettings(4, 60, style, campaigns=2)).documents)


@pytest.mark.parametrize("style", ["personal", "joined", "foreign", "quotation"])
def test_relation_and_added_words_are_those_of_an_alignment_with_the_form_letter(style, letters):
    writer = LetterWriter(read_source(letters), DocketSettings(11, 120, style, campaigns=3, framed=False))
    checked = 0
    for owner, letter in zip(writer.plan.campaigns.tolist(), writer, strict=True):
        if letter.relation in ("unique", "reference"):
            continue
        compared = neardup.compare("\n\n".join(writer.campaigns[owner].form.paragraphs), letter.framed.text)
        assert compared.relation == letter.relation, letter.id
        spans = [(change.b_start, change.b_end) for change in compared.changes if change.kind != "equal"]
        added = words(" ".join(letter.framed.text[start:end] for start, end in spans))
        assert not words(letter.added) - added, letter.id
        checked += 1
    assert checked > 50


def test_nobody_sends_the_original_of_a_personal_campaign(letters):
    gold, _ = rows(letters, "personal", framed=False)
    assert not {"exact", "reference"} & {row["relation"] for row in gold}
    assert all(row["added_text"] or row["removed_text"] for row in gold if row["relation"] != "unique")
    _, texts = rows(letters, "personal", framed=False)
    assert len(set(texts)) == len(texts)


def test_style_with_originals_has_none_if_asked(letters):
    gold, _ = rows(letters, "foreign", originals=False)
    assert "reference" not in {row["relation"] for row in gold}


def test_menu_letters_have_the_points_that_the_gold_names(letters):
    gold, texts = rows(letters, "menu", framed=False)
    by_campaign = {}
    for row, text in zip(gold, texts, strict=True):
        if row["relation"] == "unique":
            assert row["points"] == ""
            continue
        assert row["relation"] == ""
        chosen = [int(number) for number in row["points"].split()]
        assert len(set(chosen)) == len(chosen) >= 2
        by_campaign.setdefault(row["cluster"], []).append((chosen, text))
    assert len(by_campaign) == 3
    for letters_of_one in by_campaign.values():
        have = {number: text for chosen, text in letters_of_one for number in chosen}
        assert len(have) >= 4
        assert any(chosen != sorted(chosen) for chosen, _ in letters_of_one)


def test_points_of_a_form_letter_cover_its_paragraphs():
    paragraphs = tuple(" ".join(f"word{i}x{j}" for j in range(30)) + "." for i in range(4))
    assert list_points(Form(paragraphs)) == paragraphs


def test_joined_letter_names_the_other_campaign_and_has_less_of_it(letters):
    gold, _ = rows(letters, "joined")
    joined = [row for row in gold if row["also"]]
    assert len(joined) > 10
    for row in joined:
        assert row["also"] != row["cluster"]
        assert 0 < words(row["also_text"]).total() < 160


def test_marked_quotations_are_letters_of_their_own_and_unmarked_ones_members(letters):
    gold, texts = rows(letters, "quotation")
    for row, text in zip(gold, texts, strict=True):
        edits = row["edits"].split()
        if "marked" in edits:
            assert (row["relation"], row["cluster"]) == ("unique", row["id"])
            assert row["also"]
            assert re.search(r"^> |“|\"|\[begin quote\]", text, re.MULTILINE)
        if "unmarked" in edits:
            assert row["relation"] == "key_block"
            assert words(row["added_text"]).total() >= 200
    assert {"opposed", "replied", "marked", "unmarked"} <= {edit for row in gold for edit in row["edits"].split()}


def test_foreign_docket_is_named_only_in_added_text(letters):
    gold, _ = rows(letters, "foreign")
    foreign = [row for row in gold if "foreign_docket" in row["edits"]]
    assert len(foreign) > 20
    for row in foreign:
        (other,) = [number for number in STYLES["foreign"].misfiled if number in row["added_text"]]
        assert row["docket"] != other
        assert row["relation"] == "block_added"


@pytest.mark.parametrize("style", ["rewritten", "synonyms"])
@pytest.mark.parametrize("share", [0.1, 0.3])
def test_rewriting_replaces_the_share_of_the_words(style, share, letters):
    gold, texts = rows(letters, style, framed=False, rewriting=share)
    for row, text in zip(gold, texts, strict=True):
        if "rewritten" in row["edits"]:
            assert len(row["added_text"].split()) == pytest.approx(share * len(text.split()), abs=2)


def test_no_synonym_stands_for_itself():
    assert len(SYNONYMS) > 200
    assert not [word for word, others in SYNONYMS.items() if word in others or not others]


def test_letters_without_content_are_short_and_single(letters):
    gold, texts = rows(letters, "empty")
    empty = [(row, text) for row, text in zip(gold, texts, strict=True) if "no_content" in row["edits"]]
    assert len(empty) > 20
    for row, text in empty:
        assert row["cluster"] == row["id"]
        assert len(text.split()) < 20


def test_single_edits_have_their_own_relation():
    assert [name_relation((deed,)) for deed in ("added", "deleted", "changed")] == [
        "block_added",
        "block_deleted",
        "minor_change",
    ]
    assert name_relation(("added", "changed")) == "minor_change_block_edit"


def test_rewriting_share_above_one_is_refused():
    with pytest.raises(SettingsError, match="words to rewrite"):
        DocketSettings(1, rewriting=1.5)
