"""Two texts merged into one view."""

import pytest

from neardup.records import Change, Comparison
from neardup.report import render_comparison


def compare(a, b, *changes, relation="minor_change"):
    return Comparison(
        a, b, relation, {"jaccard": 0.5, "word_overlap": 0.99999}, tuple(Change(*change) for change in changes)
    )


A, B = "The old cat sat.", "The new cat sat down."
WORDS = [
    ("equal", 0, 3, 0, 3),
    ("replaced", 4, 7, 4, 7),
    ("equal", 8, 15, 8, 15),
    ("added", 15, 15, 16, 20),
    ("equal", 15, 16, 20, 21),
]


def test_differences_are_marked_where_there_are_no_colours(show):
    shown = show(render_comparison(compare(A, B, *WORDS)))
    assert shown.splitlines() == [
        "minor change",
        "",
        "  jaccard       0.5000",
        "  word overlap  0.9999",
        "",
        "  The [-old-] {+new+} cat sat {+down+}.",
    ]


def test_colours_replace_the_marks(show):
    shown = show(render_comparison(compare(A, B, *WORDS)), colour=True)
    assert "\x1b[9;31mold\x1b[0m" in shown
    assert "\x1b[32mnew\x1b[0m" in shown
    assert "[-" not in shown
    assert "{+" not in shown


@pytest.mark.parametrize(
    ("changes", "merged"),
    [
        ([("equal", 0, 4, 0, 4), ("removed", 4, 8, 4, 4), ("equal", 8, 13, 4, 9)], "one [-two -]three"),
        ([("equal", 0, 3, 0, 3), ("removed", 4, 7, 3, 3), ("equal", 8, 13, 4, 9)], "one [-two-] three"),
        ([("removed", 4, 7, 4, 4)], "one [-two-] three"),
    ],
)
def test_removed_text_is_separated_by_a_space_wherever_the_offsets_put_it(show, changes, merged):
    assert show(render_comparison(compare("one two three", "one three", *changes))).endswith(f"  {merged}")


def test_moved_text_is_marked(show):
    changes = [("moved", 4, 7, 0, 3), ("equal", 3, 4, 3, 4), ("equal", 0, 3, 4, 7)]
    assert show(render_comparison(compare("one two", "two one", *changes))).endswith("  {~two~} one")


def test_long_equal_passage_is_shortened_unless_full_is_set(show):
    text = "word " * 200
    comparison = compare(text, text + "end", ("equal", 0, 1000, 0, 1000), ("added", 1000, 1000, 1000, 1003))
    shown = show(render_comparison(comparison), 10_000).splitlines()[-1]
    # 160 characters at each end, less the word at the cut.
    assert shown.count("word") == 62
    assert " … 691 characters … " in shown
    assert shown.endswith("{+end+}")
    assert show(render_comparison(comparison, full=True), 10_000).splitlines()[-1].count("word") == 200


def test_control_characters_are_escaped_and_the_width_is_kept(show):
    hostile = "[red]\x1b[2J\u202e"
    comparison = compare("", hostile, ("added", 0, 0, 0, len(hostile)), relation="other")
    assert show(render_comparison(comparison)).endswith("{+[red]␛[2J<U+202E>+}")
    assert max(map(len, show(render_comparison(compare(A, B, *WORDS)), 20).splitlines())) <= 20


def test_two_empty_texts_are_shown_as_exact(show):
    assert show(render_comparison(compare("", "", relation="exact"))).startswith("exact")
