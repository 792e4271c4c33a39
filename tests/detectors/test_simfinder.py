import socket
from fractions import Fraction

import numpy as np
import pytest

import neardup
from neardup.detectors import make_detector
from neardup.errors import SettingsError
from reference.messages import DEFAULTS, degree, read_terms, weigh

EDITED = [
    "Free entry in 2 a weekly comp to win FA Cup final tickets on 21st May 2005",
    "FREE entry in 2 our weekly comp to win FA cup final tickets on 22nd May 2006!!",
    "今晚我们一起去北京饭店吃饭好吗",
    "今晚我们一起去北京饭店吃饭吧",
    "Go until jurong point, crazy.. Available only in bugis n great world",
]


def test_messages_that_differ_in_numbers_and_function_words_are_duplicates():
    result = neardup.find(EDITED, "simfinder")
    assert result.labels.tolist() == [0, 0, 1, 1, 2]
    assert result.clusters[0].members[1].removed == "a\n21st May 2005"


def test_degrees_are_exact():
    result = neardup.find(EDITED, "simfinder", threshold=0.3)
    terms = [read_terms(text) for text in EDITED]
    weights = weigh(terms, DEFAULTS)
    for row in result.pairs.to_pylist():
        exact = degree(set(terms[int(row["a"])]), set(terms[int(row["b"])]), weights)
        assert row["similarity"] == float(exact)
        assert Fraction(row["similarity"]) != 0
    assert result.pairs.num_rows == 2


def test_short_long_and_wordless_texts_are_all_reported():
    long = " ".join(f"word{number}" for number in range(1200))
    texts = [
        "ok",
        "OK!",
        "😀",
        "😀😀",
        "😀",
        "",
        "?!",
        "?!",
        long,
        long + " more",
        "x" * 10_000,
        "x" * 10_000,
        "1",
        "1",
    ]
    result = neardup.find(texts, "simfinder")
    assert result.labels.tolist() == [0, 0, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    assert result.documents["status"].to_pylist() == ["empty" if text == "" else "ok" for text in texts]
    assert result.summary["counts"]["documents"] == len(texts)


def test_text_with_the_same_terms_in_another_spelling_is_exact():
    result = neardup.find(["Don't call 1,000 times", "dont call 1000 TIMES", "don t call 1 000 times"], "simfinder")
    assert result.documents["relation"].to_pylist()[1] == "exact"
    assert result.labels.tolist()[:2] == [0, 0]


def test_paper_chooses_the_settings_as_printed():
    paper = make_detector("simfinder", {"paper": True}).settings()
    assert (paper["direction"], paper["scale"], paper["length"]) == ("paper", "linear", "characters")
    assert paper["candidates"] == "fingerprints"
    mixed = make_detector("simfinder", {"paper": True, "candidates": "prefix", "length": "off"}).settings()
    assert (mixed["candidates"], mixed["length"], mixed["direction"]) == ("prefix", "off", "paper")


def test_fingerprints_are_audited_and_the_join_is_not():
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 300, (40, 12))[rng.integers(0, 40, 400)]
    rows[np.arange(400), rng.integers(0, 12, 400)] = rng.integers(0, 300, 400)
    texts = [" ".join(f"w{word}" for word in row) for row in rows.tolist()]
    assert neardup.find(texts, "simfinder").audit is None
    most = texts + [f"u{index} v{index}" for index in range(5000)]
    found, missing = (
        neardup.find(most, "simfinder", candidates="fingerprints", gram=gram, features=extra).audit
        for gram, extra in ((2, 8), (7, 0))
    )
    assert found["true_pairs"] == missing["true_pairs"] > 100
    assert found["recall"] == 1.0
    assert missing["recall"] < 0.8


def test_skip_connected_saves_comparisons():
    texts = [f"please call our office about offer number {number} before friday evening" for number in range(40)]
    chosen = {"candidates": "fingerprints", "linkage": "components"}
    whole, some = (neardup.find(texts, "simfinder", skip_connected=skip, **chosen) for skip in (False, True))
    assert whole.summary["counts"]["candidates"] == 40 * 39 // 2
    assert some.summary["counts"]["candidates"] == 39
    assert whole.labels.tolist() == some.labels.tolist() == [0] * 40


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"skip_connected": True}, "needs linkage=components"),
        ({"threshold": 0}, "threshold is 0"),
        ({"gram": 0}, "gram is 0"),
        ({"features": -1}, "features is -1"),
        ({"direction": "up"}, "one of inverse, paper"),
        ({"scale": "square"}, "one of linear, log, equal"),
        ({"length": 3}, "one of off, capped, characters"),
        ({"candidates": "all"}, "one of prefix, fingerprints"),
        ({"classes": 5}, "path of a TOML file"),
        ({"lexicon": 5}, "must be a Lexicon"),
    ],
)
def test_invalid_settings_are_refused(chosen, message):
    with pytest.raises(SettingsError, match=message):
        make_detector("simfinder", chosen)


def test_lexicon_and_class_table_can_be_given_by_path(tmp_path):
    neardup.Lexicon.build(EDITED, unit="terms").save(tmp_path / "terms.lexicon")
    (tmp_path / "classes.toml").write_text("[weights]\nnumeral = [1, 1]\n")
    plain = neardup.find(EDITED, "simfinder")
    known = neardup.find(EDITED, "simfinder", lexicon=str(tmp_path / "terms.lexicon"))
    assert known.pairs.equals(plain.pairs)
    assert known.summary["settings"]["lexicon"] == neardup.Lexicon.load(tmp_path / "terms.lexicon").fingerprint
    strict = neardup.find(EDITED, "simfinder", classes=str(tmp_path / "classes.toml"))
    assert (plain.labels.tolist(), strict.labels.tolist()) == ([0, 0, 1, 1, 2], [0, 1, 2, 2, 3])


def test_no_network_connection_is_opened(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert neardup.find(EDITED, "simfinder").labels.tolist() == [0, 0, 1, 1, 2]


@pytest.mark.slow
def test_many_near_copies_of_a_message_are_guarded():
    number = 10_000
    texts = [
        f"please call our office about your offer before friday evening {index} {index * 7}" for index in range(number)
    ]
    result = neardup.find(texts, "simfinder")
    assert result.labels.max() == 0
    assert result.summary["guards"]["pairs_not_compared"] > 0
    assert result.summary["counts"]["pairs"] < 50 * number
