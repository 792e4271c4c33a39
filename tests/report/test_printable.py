"""Hostile text shows and does nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.report.visible import one_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("bell\x07 null\x00 delete\x7f", "bell␇ null␀ delete␡"),
        ("\x9b31m", "<U+009B>31m"),
        ("evil\u202etxt.exe", "evil<U+202E>txt.exe"),
        ("a\u2066b\u2069", "a<U+2066>b<U+2069>"),
        ("zero\u200bwidth\ufeff", "zero<U+200B>width<U+FEFF>"),
        ("line\u2028end", "line<U+2028>end"),
        ("half \ud800 pair", "half <U+D800> pair"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("a\r\nb\rc\n\td", "a\nb␍c\n    d"),
        ("می‌خواهم 👩‍👧 naïve", "می‌خواهم 👩‍👧 naïve"),
    ],
)
def test_controls_are_shown(text, shown):
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_what_is_shown_can_be_printed_and_shows_itself(text):
    shown = visible(text)
    shown.encode("utf-8")
    assert visible(shown) == shown
    assert not any(ord(mark) < 32 and mark != "\n" for mark in shown)


def test_one_line_is_short_and_one_line():
    assert one_line("  a\n\n b\tc  ") == "a b c"
    assert one_line("word " * 100, 12) == "word word wo…"
    assert one_line("x" * 50_000_000, 5) == "xxxxx…"
    assert one_line("fits", 4) == "fits"
