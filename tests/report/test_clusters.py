"""Clusters in the terminal."""

import pytest

from neardup.errors import InputError
from neardup.report import render_cluster, render_clusters

LONG = "a/very/long/path/to/a/file/whose/name/does/not/fit/next/to/an/excerpt.txt"


def test_cluster_list_shows_the_excerpt_next_to_the_id(result, show):
    lines = show(render_clusters(result)).splitlines()
    assert lines[0] == "Clusters"
    assert lines[2] == "  texts  distinct  weakest  cluster  begins with"
    assert lines[3].startswith("      4         3     0.83  L1       Dear Administrator, I am writing")
    assert lines[3].endswith("…")
    assert lines[4] == "      2         2     0.85  P1       Two cups of tea"


def test_clusters_beyond_the_limit_are_counted(result, show):
    shown = show(render_clusters(result, 1))
    assert shown.startswith("Largest clusters")
    assert shown.endswith("and 1 more")
    assert "P1" not in shown
    assert "P1" in show(render_clusters(result, None))


def test_long_id_is_not_cut_and_the_excerpt_is_below_it(make_result, show):
    cluster = (LONG, 2, 2, None, None, "Dear Sir", 0.9, *[0] * 11, "")
    shown = show(render_clusters(make_result(clusters=[cluster])), 80)
    assert LONG in "".join(line[28:] for line in shown.splitlines()[3:5])
    assert shown.splitlines()[-1].strip() == "Dear Sir"


@pytest.mark.parametrize("width", [20, 40, 80, 140])
def test_lists_and_clusters_fit_the_width_of_the_terminal(result, show, width):
    for view in (render_clusters(result), render_cluster(result, "L1")):
        assert max(map(len, show(view, width).splitlines())) <= width


def test_wide_characters_are_measured_in_cells(make_result, show):
    cluster = ("信", 2, 2, None, None, "尊敬的局长" * 40, 0.9, *[0] * 11, "")
    line = show(render_clusters(make_result(clusters=[cluster])), 80).splitlines()[3]
    assert line.count("…") == 1
    assert len(line) + sum("\u4e00" <= letter <= "\u9fff" for letter in line) <= 80


def test_empty_cluster_list_is_a_sentence(make_result, show):
    assert show(render_clusters(make_result(clusters=[]))).startswith("No clusters")


def test_cluster_shows_what_each_member_changed(result, show):
    lines = show(render_cluster(result, "L1"), 120).splitlines()
    assert lines[:2] == ["Cluster L1", "4 texts, 3 distinct, weakest similarity 0.83, 2004-01-30 to 2004-04-12 09:30"]
    assert lines[5] == "  1 exact   1 block_added   1 minor_change_block_edit"
    assert lines[7:] == [
        "  reference  L1",
        "      exact  L2",
        "       0.91  L3  block_added",
        "             + My daughter has asthma.",
        "       0.83  L4  minor_change_block_edit",
        "             + [bold]please[/bold]",
        "             - kindly␛[31m <U+202E>txet",
    ]


def test_added_text_is_green_and_removed_text_red(result, show):
    shown = show(render_cluster(result, "L1"), colour=True)
    assert "\x1b[32mMy daughter has asthma." in shown
    assert "\x1b[31mkindly␛[31m <U+202E>txet" in shown


def test_cluster_is_found_by_the_id_of_any_member(result, show):
    assert show(render_cluster(result, "L4")) == show(render_cluster(result, "L1"))


def test_full_reference_text_is_shown_when_given(result, show):
    assert "Dear all,\n  the whole text" in show(render_cluster(result, "L1", {"L1": "Dear all,\nthe whole text"}))


def test_members_beyond_the_limit_are_counted(result, show):
    shown = show(render_cluster(result, "L1", limit=1))
    assert "L3" in shown
    assert "L4" not in shown
    assert "and 1 more" in shown
    assert "more" not in show(render_cluster(result, "L1", limit=2))


@pytest.mark.parametrize(("copies", "rest"), [(5, ""), (6, " and 1 more"), (5000, " and 4,995 more")])
def test_many_exact_copies_take_one_line(make_result, show, copies, rest):
    documents = [("c0", "c0", True, "reference", 1.0, "", "", "ok")]
    documents += [(f"c{n}", "c0", False, "exact", 1.0, "", "", "ok") for n in range(1, copies + 1)]
    cluster = ("c0", copies + 1, 1, None, None, "Spam", 1.0, *[0] * 11, "")
    shown = show(render_cluster(make_result(documents, [cluster]), "c0"))
    assert shown.endswith(f"exact  c1, c2, c3, c4, c5{rest}")
    assert f"{copies:,} exact" in shown


def test_copy_with_other_punctuation_is_listed_with_its_change(make_result, show):
    documents = [("a", "a", True, "reference", 1.0, "", "", "ok"), ("b", "a", False, "exact", 1.0, "!", "", "ok")]
    shown = show(render_cluster(make_result(documents, [("a", 2, 2, None, None, "Hi", 1.0, *[0] * 11, "")]), "a"))
    assert shown.endswith("1.00  b  exact\n             + !")


def test_unknown_id_raises_an_error_that_names_similar_ids(result):
    with pytest.raises(InputError, match=r"no cluster or document has the id L11 \(did you mean L1\?\)"):
        render_cluster(result, "L11")
    with pytest.raises(InputError, match="U1 is in no cluster"):
        render_cluster(result, "U1")


def test_document_that_was_not_compared_is_in_no_cluster(make_result):
    result = make_result([("e", None, None, None, None, None, None, "empty")], [])
    with pytest.raises(InputError, match="e is in no cluster"):
        render_cluster(result, "e")


@pytest.fixture
def with_template(make_result, result):
    """Return a function that builds the result with a template for its first cluster."""
    rows = [tuple(row.values()) for row in result.table("clusters").to_pylist()]
    return lambda template: make_result(clusters=[(*rows[0][:-3], template), *rows[1:]])


def test_template_is_shown_with_coloured_slots(with_template, show):
    result = with_template("Dear {…},\n\nplease\x1b act. {+}")
    assert "by many members\n  Dear {…}, please␛ act. {+}\n" in show(render_cluster(result, "L1"))
    assert "\n  Dear {…},\n\n  please␛ act. {+}\n" in show(render_cluster(result, "L1", limit=None))
    assert "\x1b[36m{…}\x1b[0m" in show(render_cluster(result, "L1"), colour=True)
    assert "Template" not in show(render_cluster(result, "P1"))
    assert "I am writing" not in show(render_cluster(result, "L1"))
    assert "whole text\n\nTemplate: " in show(render_cluster(result, "L1", {"L1": "the whole text"}))


def test_template_without_slots_is_not_shown(with_template, show):
    assert "Template" not in show(render_cluster(with_template("Dear all, nothing varies."), "L1"))
