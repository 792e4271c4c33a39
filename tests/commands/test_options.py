"""The values of options."""

import pytest

from neardup.cli.options import Detection, parse_value
from neardup.errors import SettingsError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("0.85", 0.85),
        (".5", 0.5),
        ("1e-3", 0.001),
        ("true", True),
        ("False", False),
        ("star", "star"),
        ("", ""),
        ("nan", "nan"),
        ("1_000", "1_000"),
        ("٣", "٣"),
    ],
)
def test_option_values_are_parsed_to_their_type(text, value):
    parsed = parse_value(text)
    assert (parsed, type(parsed)) == (value, type(value))


def test_only_given_settings_are_passed_on():
    assert Detection().finding() == {
        "method": "auto",
        "against": None,
        "constraints": None,
        "engine": "local",
        "threads": None,
    }
    chosen = Detection(threshold=3, keep="latest", assignments=["length-tolerance = 4", "unit=a=b"]).finding()
    assert {name: chosen[name] for name in ("threshold", "keep", "length_tolerance", "unit")} == {
        "threshold": 3,
        "keep": "latest",
        "length_tolerance": 4,
        "unit": "a=b",
    }


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("unit", "--set name=value"),
        ("=3", "--set name=value"),
        (" =3", "--set name=value"),
        ("method=jaccard", "an option of its own, --method"),
        ("text=Comment", "an option of its own, --text"),
        ("threshold=0.6", "threshold is given twice"),
    ],
)
def test_invalid_assignments_are_refused(assignment, message):
    with pytest.raises(SettingsError, match=message):
        Detection(threshold=0.5, assignments=[assignment]).finding()
