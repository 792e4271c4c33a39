import dataclasses
import json
import pickle

import numpy as np
import pytest

import neardup
from neardup.detectors import METHODS, make_detector
from neardup.errors import SettingsError

SETTINGS = {
    "linkage": "components",
    "keep": "longest",
    "markup": "plain",
    "form": "nfkc",
    "threshold": {"simhash": 2},
    "shingle": 4,
    "unit": "char",
    "denominator": "union",
    "selection": "hash",
    "recall": 0.9,
    "terms": 10,
    "skip": 2,
    "docstring": "paper",
    "mu": 2.0,
    "alpha": 0.1,
    "min_copies": 4,
    "must": "off",
    "cannot": "off",
    "family": 3,
    "seed": 1,
    "paper": True,
    "image": "permutations",
    "size": 50,
    "growth": "log",
    "offset": 2,
    "units": 0.5,
    "short": {"concepts": "relative", "conrad": "pad_constant"},
    "clusters": "closed",
    "max_clusters": 7,
}


def other_settings(method):
    """Return a value other than the default for each setting of a method."""
    known = [item.name for item in dataclasses.fields(METHODS[method])]
    values = {name: SETTINGS[name] for name in known if name in SETTINGS}
    if "threshold" in values:
        values["threshold"] = values["threshold"].get(method, 0.75)
    if "short" in values:
        values["short"] = values["short"][method]
    return values


@pytest.mark.parametrize("method", METHODS)
def test_fingerprint_is_stable_and_depends_on_every_setting(method):
    default = make_detector(method, {})
    prints = {default.fingerprint(), make_detector(method, {}).fingerprint()}
    assert len(prints) == 1
    changed = other_settings(method)
    for name, value in changed.items():
        prints.add(make_detector(method, {name: value}).fingerprint())
    assert len(prints) == 1 + len(changed)


def test_different_methods_have_different_fingerprints():
    assert len({make_detector(method, {}).fingerprint() for method in METHODS}) == len(METHODS)


DEFAULTS = {
    "exact": {"docstring": "safe"},
    "full": {"threshold": 0.8, "shingle": 3, "unit": "word", "denominator": "min"},
    "dsc": {"threshold": 0.8, "shingle": 3, "unit": "word", "denominator": "min", "selection": "position"},
    "imatch": {"terms": 30, "skip": 5, "lexicon": None},
    "jaccard": {"threshold": 0.8, "shingle": 5, "unit": "word"},
    "minhash": {"threshold": 0.8, "shingle": 5, "unit": "word", "recall": 0.999},
    "simhash": {"threshold": 3, "shingle": 3, "unit": "word"},
    "concepts": {
        **{"image": "bottom", "size": 100, "growth": "fixed", "shingle": 5, "unit": "word", "offset": 1},
        **{"units": 0.85, "short": "report", "clusters": "cover", "max_clusters": 10_000},
        **{"paper": False, "lexicon": None},
    },
}


@pytest.mark.parametrize("method", DEFAULTS)
def test_defaults_are_as_documented(method):
    common = {"markup": "auto", "boilerplate": "keep", "form": "nfc", "linkage": "star", "keep": None}
    assert make_detector(method, {}).settings() == {**common, **DEFAULTS[method]}


def test_equal_settings_have_equal_fingerprints():
    whole, decimal = make_detector("jaccard", {"threshold": 1}), make_detector("jaccard", {"threshold": 1.0})
    assert whole == decimal
    assert whole.fingerprint() == decimal.fingerprint()


@pytest.mark.parametrize("method", METHODS)
def test_settings_are_plain_values_and_detectors_can_be_pickled(method):
    detector = make_detector(method, other_settings(method))
    assert json.loads(json.dumps(detector.settings())) == detector.settings()
    copy = pickle.loads(pickle.dumps(detector))
    assert copy == detector
    assert copy.fingerprint() == detector.fingerprint()
    assert pickle.loads(pickle.dumps(copy.recipe())) == detector.recipe()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("wrong", "right"), [("linkge", "linkage"), ("keeep", "keep"), ("mark_up", "markup")])
def test_unknown_setting_is_refused_with_a_suggestion(method, wrong, right):
    with pytest.raises(SettingsError, match=f"{wrong!r}.*did you mean {right}"):
        make_detector(method, {wrong: 1})
    with pytest.raises(SettingsError, match=f"{method} has no setting"):
        neardup.find(["a"], method=method, something_else_entirely=1)


@pytest.mark.parametrize(("wrong", "right"), [("min_hash", "minhash"), ("jacard", "jaccard"), ("Exact", "exact")])
def test_unknown_method_is_refused_with_a_suggestion(wrong, right):
    with pytest.raises(SettingsError, match=f"did you mean {right}.*known: auto, exact"):
        neardup.find(["a"], method=wrong)


SHARES = [0, -0.1, 1.1, float("nan"), float("inf"), "0.8", None, True, [0.8]]
COUNTS = [0, -1, 1.5, "3", None, True, 10**9, float("nan")]
CHOICES = ["", "nothing", 3, None, ["star"], True]


@pytest.mark.parametrize(
    ("method", "name", "values"),
    [
        *((method, "threshold", SHARES) for method in ("full", "dsc", "jaccard", "minhash")),
        *((method, "threshold", [1, 1.0]) for method in ("full", "dsc")),
        ("simhash", "threshold", [-1, 12, 0.8, None, True]),
        ("minhash", "recall", [*SHARES, 1, 1.0]),
        *((method, "shingle", COUNTS) for method in ("full", "dsc", "jaccard", "minhash", "simhash")),
        *((method, "unit", CHOICES) for method in ("full", "dsc", "jaccard", "minhash", "simhash")),
        *((method, "denominator", CHOICES) for method in ("full", "dsc")),
        ("dsc", "selection", CHOICES),
        ("exact", "docstring", CHOICES),
        ("imatch", "terms", COUNTS),
        ("imatch", "skip", COUNTS[1:]),
        *((method, "lexicon", [3, {}]) for method in ("imatch", "concepts")),
        *(("concepts", name, COUNTS) for name in ("size", "shingle", "offset")),
        ("concepts", "max_clusters", COUNTS[:6]),
        ("concepts", "units", [0, -1, 101, 1.0, 85.0, 1e-9, "85", None, True, float("nan"), [3]]),
        *(("concepts", name, CHOICES) for name in ("image", "growth", "unit", "short", "clusters")),
        *((method, "linkage", CHOICES) for method in METHODS),
        *((method, "markup", CHOICES) for method in METHODS),
        *((method, "form", CHOICES) for method in METHODS),
        *((method, "keep", ["", "newest", 3, True]) for method in METHODS),
    ],
)
def test_invalid_values_are_refused_when_the_detector_is_made(method, name, values):
    for value in values:
        with pytest.raises(SettingsError, match=name):
            make_detector(method, {name: value})


@pytest.mark.parametrize("method", ["full", "dsc", "jaccard", "minhash"])
@pytest.mark.parametrize("threshold", [1e-300, 1e-30, 1e-9, 1e-7, 1e-6, 0.01, 0.22, 0.23, 0.3, 0.999999, 1 - 1e-9])
def test_every_threshold_works_or_is_refused(method, threshold):
    try:
        result = neardup.find(["a b c d e f g", "a b c d e f g h"], method=method, threshold=threshold)
    except SettingsError:
        return
    assert len(result.labels) == 2


@pytest.mark.parametrize("threshold", range(12))
def test_every_simhash_threshold_works(threshold):
    result = neardup.find(["a b c d e f g", "a b c d e f g", "x y z"], method="simhash", threshold=threshold)
    assert result.labels.tolist()[:2] == [0, 0]


@pytest.mark.parametrize("threads", [-1, 1.5, "two", True, 10**6])
def test_invalid_number_of_threads_is_refused(threads):
    with pytest.raises(SettingsError, match="threads"):
        neardup.find(["a"], method="exact", threads=threads)


@pytest.mark.parametrize(("given", "stored"), [(True, True), (False, False), (1, True), (0, False), (np.True_, True)])
def test_flag_is_stored_as_a_boolean(given, stored):
    assert make_detector("durian", {"paper": given}).settings()["paper"] is stored


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, [1], "0.8", None])
def test_threshold_that_is_no_finite_number_is_refused(value):
    with pytest.raises(SettingsError, match=r"threshold is .*, but must be a number: 0.001 to 1"):
        make_detector("jaccard", {"threshold": value})


def test_array_is_no_choice():
    with pytest.raises(SettingsError, match=r"linkage is .*, but must be one of star, components"):
        make_detector("jaccard", {"linkage": np.array(["star", "components"])})
