"""Formatted numbers."""

from math import nan

import pytest

from neardup.report.layout import format_bytes, format_count, format_seconds, format_share


@pytest.mark.parametrize(
    ("value", "digits", "formatted"),
    [
        (1.0, 2, "1.00"),
        (0.999, 2, "0.99"),
        (0.9949, 2, "0.99"),
        (None, 2, "-"),
        (nan, 4, "-"),
        (0.99999, 4, "0.9999"),
        (0.0, 2, "0.00"),
    ],
)
def test_share_below_one_is_never_formatted_as_one(value, digits, formatted):
    assert format_share(value, digits) == formatted


def test_durations_bytes_and_counts_are_formatted():
    assert [format_seconds(s) for s in (0.004, 1.25, 59.9, 61.4, 119.7, 7300)] == [
        "4 ms",
        "1.2 s",
        "59.9 s",
        "1 min 1 s",
        "2 min 0 s",
        "2 h 1 min",
    ]
    assert [format_bytes(b) for b in (310e6, 2.5e9)] == ["310 MB", "2.5 GB"]
    assert [format_count(1, "copy", "copies"), format_count(1200, "cluster")] == ["1 copy", "1,200 clusters"]
