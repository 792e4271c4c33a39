import pytest

import neardup
from neardup.detectors import METHODS, choose_method, make_detector
from neardup.errors import SettingsError

LONG = "A letter of many words, as people write them to an agency. " * 5


def test_auto_chooses_simfinder_for_short_texts_and_gives_the_reason():
    result = neardup.find(["save the whales now", "save the whales today", "no"])
    assert result.summary["method"] == "simfinder"
    assert "short (median 19 characters)" in result.summary["reason"]
    assert neardup.find(["save the whales now"], threshold=0.5, gram=2).summary["method"] == "simfinder"


def test_auto_chooses_jaccard_for_short_texts_with_shingle_settings():
    result = neardup.find(["save the whales now"], unit="word")
    assert (result.summary["method"], result.summary["settings"]["shingle"]) == ("jaccard", 2)
    assert "short" in result.summary["reason"]


def test_auto_chooses_jaccard_for_long_texts():
    result = neardup.find([LONG, LONG + "x"])
    assert (result.summary["method"], result.summary["settings"]["shingle"]) == ("jaccard", 5)
    assert result.summary["reason"]


def test_given_settings_override_those_of_auto():
    assert neardup.find(["a b"], shingle=3).summary["settings"]["shingle"] == 3


def test_auto_chooses_minhash_for_large_collections():
    name, settings, reason = choose_method(1000.0, 10 << 30)
    assert name == "minhash"
    assert make_detector(name, settings)
    assert "GB" in reason


def test_detector_object_is_accepted_without_further_settings():
    detector = make_detector("jaccard", {"threshold": 0.5})
    assert neardup.find(["a b c"], detector).summary["settings"]["threshold"] == 0.5
    with pytest.raises(SettingsError, match="has its settings already"):
        neardup.find(["a"], detector, threshold=0.8)


def test_every_method_has_a_source_and_a_docstring():
    for name, detector in METHODS.items():
        assert detector.name == name
        assert detector.source
        assert detector.__doc__
