"""Hostile text is made visible and has no effect on the terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neardup.printable import make_printable, one_line


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
def test_control_and_hidden_characters_are_made_visible(text, shown):
    assert make_printable(text) == shown


@given(st.text(st.characters()))
def test_printable_text_can_be_encoded_and_is_not_changed_again(text):
    shown = make_printable(text)
    shown.encode("utf-8")
    assert make_printable(shown) == shown
    assert not any(ord(mark) < 32 and mark != "\n" for mark in shown)


def test_one_line_joins_lines_and_cuts_long_text():
    assert one_line("  a\n\n b\tc  ") == "a b c"
    assert one_line("word " * 100, 12) == "word word wo…"
    assert one_line("x" * 50_000_000, 5) == "xxxxx…"
    assert one_line("fits", 4) == "fits"
