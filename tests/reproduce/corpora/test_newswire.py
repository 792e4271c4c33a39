from collections import Counter

import pytest

from neardup.reproduce.corpora.newswire import CATEGORIES, COPY_DAYS, invent_stories, plant_sets
from neardup.reproduce.corpora.newswire.versions import Editor, count_words, split_paragraphs
from neardup.reproduce.random_stream import RandomStream


@pytest.fixture(scope="module")
def stories():
    return invent_stories(3, 300)


@pytest.fixture(scope="module")
def items(stories):
    return plant_sets(stories, 3)


def test_edits_change_the_stated_share_of_words(stories):
    editor = Editor(stories, RandomStream(1, "edits"))
    for story in stories[:40]:
        text, words = story.text, count_words(story.text)
        assert editor.edits["exact"](text) == text
        excerpt = editor.excerpt(text)
        assert " ".join(text.split()).startswith(" ".join(excerpt.split()))
        assert 0.8 < count_words(excerpt) / words < 0.98
        for edit, most in ((editor.elaborate, 1.18), (editor.insert, 1.15)):
            edited = edit(text)
            assert 1.02 < count_words(edited) / words < most
            left = iter(edited.replace("\n", " ").split())
            assert sum(word in left for word in text.split()) > 0.97 * words
        kept = set(text.split()) & set(editor.revise(text).split())
        assert len(kept) > 0.85 * len(set(text.split()))
        rewritten = set(editor.rewrite(text).split())
        assert len(rewritten & set(text.split())) < 0.75 * len(set(text.split()))


def test_planted_sets_have_one_category_and_span_at_most_28_days(items):
    sets: dict[int, list] = {}
    for item in items:
        sets.setdefault(item.origin, []).append(item)
    planted = [own for own in sets.values() if len(own) > 1]
    assert {own[0].category for own in planted} == set(CATEGORIES)
    for own in planted:
        assert len({item.category for item in own}) == 1
        assert max(item.day for item in own) - min(item.day for item in own) <= COPY_DAYS
    assert plant_sets(invent_stories(3, 300), 3) == items
    assert Counter(len(own) for own in planted).most_common(1)[0][0] == 2


def test_indented_line_starts_a_paragraph():
    text = "First line of\nthe story. It goes on.\n    Second\nparagraph.\n\nThird?"
    assert split_paragraphs(text) == [["First line of the story.", "It goes on."], ["Second paragraph."], ["Third?"]]
