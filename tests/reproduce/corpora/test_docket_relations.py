"""The gold of a docket compared with a slow, independent implementation of section 2 of Yang & Callan 2006."""

import re
from collections import Counter

import pytest

from neardup.reproduce.corpora.docket import DocketSettings, make_docket

EVERYTHING = {
    "exact": 0.1,
    "unique": 0.05,
    "wrong_docket": 0.03,
    "minor_change": 0.15,
    "block_added": 0.15,
    "block_deleted": 0.1,
    "minor_change_block_edit": 0.12,
    "block_reordered": 0.06,
    "repeated": 0.06,
    "key_block": 0.12,
    "bag_of_words": 0.06,
}


def words(text):
    return re.findall(r"\w+", text.lower())


def size(paragraphs):
    """Return the least and the largest number of words by the usual ways of counting."""
    text = " ".join(paragraphs)
    ways = (len(words(text)), sum(any(map(str.isalnum, word)) for word in text.split()), len(text.split()))
    return min(ways), max(ways)


def edits(a, b):
    """Count the words to insert, delete or replace."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        above, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], min(above + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def common(a, b):
    """Count the words of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        above = 0
        for j, y in enumerate(b, 1):
            above, row[j] = row[j], above + 1 if x == y else max(row[j], row[j - 1])
    return row[-1]


def is_minor(paragraph, original):
    a, b = words(paragraph), words(original)
    changed = edits(a, b)
    return changed < 0.05 * len(b) or (changed <= 15 and common(a, b) >= 0.5 * max(len(a), len(b)))


def overlap(letter, reference):
    a, b = Counter(words(" ".join(letter))), Counter(words(" ".join(reference)))
    return (a & b).total() / max(a.total(), b.total())


def match(letter, reference):
    """Pair the paragraphs: the same ones first, then minor changes; return the pairs as indices, changed or not."""
    pairs = []
    free = list(range(len(reference)))
    for i, paragraph in enumerate(letter):
        same = [j for j in free if words(reference[j]) == words(paragraph)]
        if same:
            free.remove(same[0])
            pairs.append((i, same[0], False))
    for i in sorted(set(range(len(letter))) - {i for i, _, _ in pairs}):
        near = [j for j in free if is_minor(letter[i], reference[j])]
        if near:
            free.remove(near[0])
            pairs.append((i, near[0], True))
    return sorted(pairs)


def relate(letter, reference):  # noqa: PLR0911 - one for each rule
    """Return the relation of a letter to the reference copy: the first rule that applies."""
    if words(" ".join(letter)) == words(" ".join(reference)):
        return "exact"
    times = len(letter) / len(reference)
    if times >= 2 and Counter(letter) == Counter({p: n * int(times) for p, n in Counter(reference).items()}):
        return "repeated"
    pairs = match(letter, reference)
    added = size(p for i, p in enumerate(letter) if i not in {i for i, _, _ in pairs})
    gone = size(p for j, p in enumerate(reference) if j not in {j for _, j, _ in pairs})
    changed = any(altered for _, _, altered in pairs)
    indices = [j for _, j, _ in pairs]
    if added == gone == (0, 0):
        return "minor_change" if changed else "block_reordered" if indices != sorted(indices) else "exact"
    if pairs and added[1] < 200 and gone[1] < 200:
        if changed or (added[0] and gone[0]):
            return "minor_change_block_edit"
        return "block_added" if added[0] else "block_deleted"
    if pairs and (added[0] >= 200 or gone[0] >= 200):
        return "key_block"
    return "bag_of_words" if overlap(letter, reference) > 0.8 else "unique"


@pytest.fixture(scope="module")
def rows(letters):
    docket = make_docket(letters, DocketSettings(seed=11, size=400, campaigns=6, mix=EVERYTHING, framed=False))
    texts = dict(zip(docket.documents["Document ID"].to_pylist(), docket.documents["Comment"].to_pylist(), strict=True))
    return [
        gold | {"letter": texts[gold["id"]].split("\n\n"), "original": texts.get(gold["reference"], "").split("\n\n")}
        for gold in docket.gold.to_pylist()
    ]


def of(rows, *relations):
    found = [row for row in rows if row["relation"] in relations]
    assert len(found) >= 10
    return found


@pytest.mark.slow
def test_relations_agree_with_independent_implementation(rows):
    for row in rows:
        if row["relation"] not in ("reference", "unique"):
            assert relate(row["letter"], row["original"]) == row["relation"], row["id"]


def test_other_campaigns_share_at_most_one_paragraph(rows):
    references = [row for row in rows if row["relation"] == "reference"]
    most = 0
    for row in rows:
        for other in references:
            # The same letter on another docket belongs to another cluster.
            if other["cluster"] != row["cluster"] and other["docket"] == row["docket"]:
                shared = len(set(row["letter"]) & set(other["letter"]))
                most = max(most, shared)
                assert shared <= 1
                assert overlap(row["letter"], other["letter"]) < 0.7
    assert most == 1


def test_added_blocks_are_whole_new_paragraphs(rows):
    for row in of(rows, "block_added", "key_block"):
        original = row["original"]
        assert row["added_text"] == "\n\n".join(p for p in row["letter"] if p not in original)
        assert row["removed_text"] == "\n\n".join(p for p in original if p not in row["letter"])
        for added in row["added_text"].split("\n\n") if row["added_text"] else ():
            assert max(overlap([added], [p]) for p in original) < 0.6


def test_letter_with_deleted_blocks_keeps_a_long_paragraph(rows):
    for row in of(rows, "block_deleted"):
        assert row["removed_text"] == "\n\n".join(p for p in row["original"] if p not in row["letter"])
        assert row["removed_text"]
        assert not row["added_text"]
        assert max(len(words(p)) for p in row["letter"]) >= 20


def test_minor_changes_list_inserted_and_removed_words(rows):
    for row in of(rows, "minor_change"):
        new, old = Counter(words(row["added_text"])), Counter(words(row["removed_text"]))
        before, after = Counter(words(" ".join(row["original"]))), Counter(words(" ".join(row["letter"])))
        assert before - old + new == after
        assert new or old


def test_combined_edits_match_gold(rows):
    kinds = Counter(row["edits"] for row in of(rows, "minor_change_block_edit"))
    assert {"changed added", "changed deleted", "changed added deleted"} <= set(kinds)
    for row in of(rows, "minor_change_block_edit"):
        own = set(row["letter"]) - set(row["original"])
        assert ("added" in row["edits"]) == bool(own & set(row["added_text"].split("\n\n")))
        assert ("deleted" in row["edits"]) == bool(set(row["original"]) & set(row["removed_text"].split("\n\n")))


def test_copies_reorderings_and_repetitions_add_and_remove_nothing(rows):
    for row in of(rows, "exact", "block_reordered", "repeated", "reference", "unique"):
        assert (row["added_text"], row["removed_text"]) == ("", "")


def test_key_blocks_occur_in_every_variant(rows):
    manners = Counter(row["edits"] for row in of(rows, "key_block"))
    assert set(manners) == {"added", "deleted", "added deleted"}


def test_bag_of_words_lacks_exactly_one_sentence(rows):
    for row in of(rows, "bag_of_words"):
        left = Counter(words(" ".join(row["original"]))) - Counter(words(row["removed_text"]))
        assert left == Counter(words(" ".join(row["letter"])))
        assert 0.8 < overlap(row["letter"], row["original"]) < 1


def test_added_text_is_unique_while_the_source_lasts(letters):
    mix = {"exact": 0, "key_block": 0, "unique": 0.1, "block_added": 0.8}
    docket = make_docket(letters, DocketSettings(seed=3, size=50, campaigns=2, mix=mix, framed=False))
    assert docket.description["recombined_paragraphs"] == 0
    added = [p for text in docket.gold["added_text"].to_pylist() for p in text.split("\n\n") if len(p.split()) > 5]
    assert len(added) == len(set(added)) > 20
    everywhere = [p for text in docket.documents["Comment"].to_pylist() for p in text.split("\n\n")]
    assert all(everywhere.count(p) == 1 for p in added)


def test_text_is_divided_between_sentences_only(rows, letters):
    source = " ".join(" ".join(letter.split()) for letter in letters)
    for row in rows:
        if row["relation"] in ("block_added", "key_block", "unique", "bag_of_words", "block_deleted"):
            for sentence in re.split(r"(?<=[.!?]) ", " ".join(row["letter"])):
                assert sentence in source
            assert all(p[0].isupper() and p[-1] in ".!?" for p in row["letter"])
