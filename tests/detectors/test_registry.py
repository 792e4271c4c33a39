import pytest

import neardup
from neardup.detectors import METHODS, choose_method, make_detector
from neardup.errors import SettingsError

LONG = "A letter of many words, as people write them to an agency. " * 5


def test_the_terms_of_short_texts_are_compared_and_the_run_says_why():
    result = neardup.find(["save the whales now", "save the whales today", "no"])
    assert result.summary["method"] == "simfinder"
    assert "short (median 19 characters)" in result.summary["reason"]
    assert neardup.find(["save the whales now"], threshold=0.5, gram=2).summary["method"] == "simfinder"


def test_short_texts_are_joined_by_short_shingles_where_the_settings_are_those_of_shingles():
    result = neardup.find(["save the whales now"], unit="word")
    assert (result.summary["method"], result.summary["settings"]["shingle"]) == ("jaccard", 2)
    assert "short" in result.summary["reason"]


def test_long_texts_are_joined_by_the_usual_shingles():
    result = neardup.find([LONG, LONG + "x"])
    assert (result.summary["method"], result.summary["settings"]["shingle"]) == ("jaccard", 5)
    assert result.summary["reason"]


def test_settings_overrule_what_auto_chooses():
    assert neardup.find(["a b"], shingle=3).summary["settings"]["shingle"] == 3


def test_large_collections_are_sketched():
    name, settings, reason = choose_method(1000.0, 10 << 30)
    assert name == "minhash"
    assert make_detector(name, settings)
    assert "GB" in reason


def test_a_detector_object_can_be_given_and_takes_no_further_settings():
    detector = make_detector("jaccard", {"threshold": 0.5})
    assert neardup.find(["a b c"], detector).summary["settings"]["threshold"] == 0.5
    with pytest.raises(SettingsError, match="has its settings already"):
        neardup.find(["a"], detector, threshold=0.8)


def test_every_method_names_its_paper_and_what_it_is():
    for name, detector in METHODS.items():
        assert detector.name == name
        assert detector.source
        assert detector.__doc__
