"""Summaries in the terminal."""

import pytest

from neardup.report import render_summary


def test_summary_shows_figures_with_their_remarks(result, show):
    shown = show(render_summary(result), 140)
    for line in [
        "7 documents: 4 duplicates in 2 clusters",
        "duplicates          4  57.1 % of the documents",
        "pairs               5  verified; 9 candidates compared",
        "recall         0.9999  of the true pairs were found, measured on a sample of 1,000 (95 % interval ",
        "(95 % interval 0.9991 to 1.0000)",
        "guards                 cut off: 12 common keys",
        "settings               threshold 0.8, shingle 5, linkage star, paper false",
        "time        1 min 2 s  read 0.2 s, find 1 min 1 s",
    ]:
        assert line in shown
    assert "large groups" not in shown
    assert "lexicon" not in shown


@pytest.mark.parametrize("width", [30, 40, 80, 140])
def test_summary_fits_the_width_of_the_terminal(result, show, width):
    assert max(map(len, show(render_summary(result), width).splitlines())) <= width


def test_absent_keys_are_omitted(make_result, show):
    assert show(render_summary(make_result(summary={}))) == "7 documents, no duplicates\n\n  method  ?"


def test_control_characters_in_settings_are_escaped(make_result, show):
    shown = show(
        render_summary(make_result(summary={"method": "x", "settings": {"lexicon": "[red]\x1b[2J"}})), colour=True
    )
    assert "[red]␛[2J" in shown
