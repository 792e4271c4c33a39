import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from reference.examples import open_texts, sentences, texts
from reference.tokens import read_words

KINDS = {"equal", "added", "removed", "replaced", "moved"}


def describe(member, reference):
    """Return relation, added and removed text of a member."""
    found = open_texts([reference, member]).describe(np.array([1], np.uint32), np.array([0], np.uint32))
    return tuple(column[0] for column in found)


@given(st.one_of(sentences, texts), st.one_of(sentences, texts))
@settings(max_examples=200)
def test_changes_cover_the_words_of_both_texts_and_equal_ones_match(a, b):
    comparison = neardup.compare(a, b)
    for change in comparison.changes:
        assert change.kind in KINDS
        assert 0 <= change.a_start <= change.a_end <= len(a)
        assert 0 <= change.b_start <= change.b_end <= len(b)
    of_a = sorted((c.a_start, c.a_end) for c in comparison.changes if c.a_start < c.a_end)
    of_b = [(c.b_start, c.b_end) for c in comparison.changes if c.b_start < c.b_end]
    assert of_b == sorted(of_b)
    for text, spans in ((a, of_a), (b, of_b)):
        if read_words(text):
            assert [word for start, end in spans for word in read_words(text[start:end])] == read_words(text)
    for change in comparison.changes:
        if change.kind in ("equal", "moved"):
            assert read_words(a[change.a_start : change.a_end]) == read_words(b[change.b_start : change.b_end])


@given(st.one_of(sentences, texts))
@settings(max_examples=60)
def test_text_is_an_exact_copy_of_itself(text):
    comparison = neardup.compare(text, text)
    assert {change.kind for change in comparison.changes} <= {"equal"}
    assert set(comparison.similarities.values()) == {1.0}


@given(sentences, sentences)
@settings(max_examples=100)
def test_added_text_is_in_the_copy_and_removed_text_in_the_reference(reference, member):
    _, added, removed = describe(member, reference)
    assert all(piece in member for piece in added.split("\n"))
    assert all(piece in reference for piece in removed.split("\n"))


@pytest.mark.parametrize(
    ("before", "added", "after"),
    [
        ("one two three four ", "(new!)", " five six seven"),
        ("🐋🌊🚢🎣😢", "🎉", "🙏🐳🧊🌍👶"),
        ("ไม่", "มาก", "ดีเลยนะครับผมคิดว่า"),
        ("हिन्दी भाषा ठीक् ", "बहुत", " सुन्दर है और सरल भी"),
        ("a snake_case_ ", "word", " of some _programmers here"),
        ("请保护鲸鱼不要再让", "非常", "它们在北方的海里"),
    ],
)
def test_only_the_added_text_is_reported(before, added, after):
    assert describe(before + added + after, before + after)[1:] == (added, "")
    assert describe(before + after, before + added + after)[1:] == ("", added)


def test_offsets_are_code_points_of_the_original():
    a = "\ufeff😀 caf\u00e9 noir und cafe\u0301 blanc, bitte sehr"
    b = "\ufeff😀 caf\u00e9 noir und cafe\u0301 ganz blanc, bitte sehr"
    added = [change for change in neardup.compare(a, b).changes if change.kind == "added"]
    assert [b[change.b_start : change.b_end] for change in added] == ["ganz"]
