import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup import _core
from neardup.detectors import make_detector
from neardup.normalise import BodyReader
from neardup.pipeline import publication_days
from neardup.represent import Lexicon
from neardup.stages import UNPLACED, undated
from reference.examples import all_documents, as_distinct, open_texts, pairs_of, run
from reference.runs import DEFAULTS, MICROSECONDS_A_DAY, Record, run_slowly
from reference.signatures import find_body, judge, sign_all
from reference.tokens import read_words

SYLLABLES = ["ba", "ko", "lu", "mi", "zeh", "tra", "fin", "or"]
NEWS_WORDS = [a + b + c for a in SYLLABLES for b in SYLLABLES for c in SYLLABLES]


def make_news(seed: int, stories: int = 30, days: int = 120) -> list[Record]:
    """Make stories of Zipf-distributed words in versions: words changed, text cut, other days or numbers, no date."""
    rng = random.Random(seed)
    weights = [1 / (rank + 3) for rank in range(len(NEWS_WORDS))]
    made: list[tuple[str, int | None]] = []
    for _ in range(stories):
        words = rng.choices(NEWS_WORDS, weights, k=rng.choice([12, 40, 90, 150]))
        if rng.random() < 0.3:
            words = [word if rng.random() < 0.6 else str(rng.randrange(100)) for word in words]
        for _ in range(rng.choice([1, 1, 2, 4])):
            version = [word if rng.random() > 0.04 else rng.choice(NEWS_WORDS) for word in words]
            version = version[: round(len(version) * rng.choice([1, 1, 0.9, 0.75]))]
            if rng.random() < 0.2:
                version = [str(rng.randrange(100)) if word.isdigit() else word for word in version]
            made.append((" ".join(version), None if rng.random() < 0.1 else rng.randrange(days)))
        made += [(made[-1][0], rng.randrange(days))] * rng.choice([0, 0, 1])
    rng.shuffle(made)
    return [
        Record(f"n{number}", text, None if day is None else day * MICROSECONDS_A_DAY + number)
        for number, (text, day) in enumerate(made)
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"threshold": 0.6},
        {"terms": 30, "days": 84},
        {"days": 0, "length_tolerance": 1.0},
        {"length_tolerance": 0, "threshold": 0.5},
        {"bins": 10, "reliable": 5},
        {"bins": 25, "max_idf": 0.5},
        {"short": "pad_constant"},
        {"short": "pad_constant", "reliable": 0, "threshold": 0.7},
        {"numeric_guard": False},
        {"linkage": "components", "keep": "latest"},
    ],
    ids=str,
)
def test_conrad_groups_equal_the_comparison_of_all_pairs(chosen):
    linked = 0
    for seed in range(4):
        records = make_news(seed)
        wanted, result = run_slowly("conrad", chosen, records), run("conrad", records, **chosen)
        assert pairs_of(result) == pytest.approx(wanted.pairs, abs=1e-12)
        assert result.labels.tolist() == wanted.labels
        linked += len(wanted.links)
    assert linked > 10


@given(seed=st.integers(0, 10_000), threshold=st.sampled_from([0.3, 0.5, 0.8, 1.0]), days=st.integers(0, 60))
@settings(max_examples=25)
def test_conrad_pairs_equal_the_comparison_of_all_pairs(seed, threshold, days):
    records = make_news(seed, stories=10)
    chosen = {"threshold": threshold, "days": days, "reliable": 2, "terms": 20}
    assert pairs_of(run("conrad", records, **chosen)) == pytest.approx(run_slowly("conrad", chosen, records).pairs)


@pytest.mark.parametrize(
    "chosen", [{}, {"bins": 10}, {"short": "pad_constant", "terms": 30}, {"max_idf": 0.4}], ids=str
)
def test_signatures_equal_the_reference_implementation(chosen):
    records = make_news(7)
    wanted = sign_all([read_words(record.text) for record in records], {**DEFAULTS["conrad"], **chosen})
    texts = open_texts([record.text for record in records])
    lexicon = Lexicon.count(texts, all_documents(texts))
    made = make_detector("conrad", chosen).signer.sign(texts, all_documents(texts), lexicon)
    _, _, lengths, keys, _, _, numeral_counts = made.arrays()
    assert made.terms().tolist() == [each.terms for each in wanted]
    assert lengths.tolist() == [each.length for each in wanted]
    assert [bytes(key) for key in keys.reshape(-1, 20)] == [each.key for each in wanted]
    assert numeral_counts.tolist() == [each.numeral_count for each in wanted]
    a, b = (np.array(side, np.uint32) for side in np.triu_indices(len(wanted), 1))
    shared = [len(wanted[i].vector & wanted[j].vector) for i, j in zip(a, b, strict=True)]
    assert made.overlaps(a, b).tolist() == shared


def test_stored_signatures_give_the_same_links_and_share_keys():
    records = make_news(3)
    detector = make_detector("conrad", {"reliable": 5})
    chosen = {**DEFAULTS["conrad"], "reliable": 5}
    texts = open_texts([record.text for record in records])
    lexicon = Lexicon.count(texts, all_documents(texts))
    made = detector.signer.sign(texts, all_documents(texts), lexicon)
    stored = _core.Signatures.from_arrays(*made.arrays(), detector.short, 1)
    a, b = (np.array(side, np.uint32) for side in np.triu_indices(len(records), 1))
    grounds, _ = stored.judge(a, b, undated(len(records)), detector.rule.arguments)
    signed = sign_all([read_words(record.text) for record in records], chosen)
    wanted = [judge(signed[i], signed[j], (None, None), chosen)[1] for i, j in zip(a, b, strict=True)]
    assert [(None, "identical", "terms")[ground] for ground in grounds] == wanted
    keys, offsets = stored.keys(detector.rule.arguments, lexicon.salt)
    own = [set(keys[offsets[i] : offsets[i + 1]].tolist()) for i in range(len(records))]
    assert all(own[i] & own[j] for i, j, ground in zip(a, b, wanted, strict=True) if ground)
    assert max(map(len, own)) == 60 - 48 + 1 + 1


def test_linked_documents_share_a_key_in_its_day_and_length_range():
    records = list({record.text: record for record in make_news(5)}.values())
    distinct = as_distinct(open_texts([record.text for record in records]))
    times = pa.chunked_array([pa.array([record.time for record in records], pa.timestamp("us", "UTC"))])
    recipe = make_detector("conrad", {}).recipe()
    signatures = recipe.represent.represent(replace(distinct, days=publication_days(times, distinct)))
    rule = recipe.candidates
    keys, found = rule.keys(signatures), rule.pairs(signatures)
    rows = [range(int(start), int(end)) for start, end in pairwise(keys.offsets)]
    linked = list(zip(found.a, found.b, strict=True))
    assert all(any(meets(keys, one, other) for one in rows[a] for other in rows[b]) for a, b in linked)
    assert len(linked) > 5
    assert rule.admit(signatures, found.a, found.b).all()


def meets(keys, one, other):
    def within(line, i, j):
        unplaced = line.position[j] == UNPLACED
        return unplaced or line.first[i] <= line.position[j] <= line.last[i]

    return keys.values[one] == keys.values[other] and all(
        within(line, one, other) and within(line, other, one) for line in (keys.key_range, keys.size_range)
    )


DAY = MICROSECONDS_A_DAY
STORY = " ".join(NEWS_WORDS[number * 7 % 400] for number in range(80))
CHANGED = STORY.replace("bakolu", "different").replace(NEWS_WORDS[7], "another")


def days_apart(distance: int, **chosen: object) -> bool:
    records = [Record("a", STORY, 0), Record("b", CHANGED, distance * DAY)]
    return run("conrad", records, **chosen).labels.tolist() == [0, 0]


def test_window_counts_days_and_ignores_identical_texts():
    assert days_apart(42)
    assert not days_apart(43)
    assert days_apart(43, days=43)
    far = [Record("a", STORY, 0), Record("b", STORY, 4000 * DAY), Record("c", CHANGED, 4001 * DAY)]
    assert run("conrad", far).labels.tolist() == [0, 0, 0]
    assert run("conrad", [Record("a", STORY), Record("b", CHANGED, 4000 * DAY)]).labels.tolist() == [0, 0]


def test_documents_with_the_same_key_are_linked_outside_the_window():
    filler = [Record(f"f{n}", " ".join(NEWS_WORDS[400:440]), 0) for n in range(6)]
    background = [Record(f"g{n}", f"{STORY} only{n}", 1000 * n * DAY) for n in range(1, 7)]
    last = STORY.rsplit(" ", 1)[0]
    records = [Record("a", f"{last} x1y", 0), Record("b", f"{last} x2y", 20_000 * DAY), *filler, *background]
    result = run("conrad", records)
    evidence = dict(zip(pairs_of(result), result.pairs["evidence"].to_pylist(), strict=True))
    assert evidence["a", "b"] == "identical"
    # With different terms it is another report with the same wording.
    records[1] = Record("b", f"{last.replace(NEWS_WORDS[0], NEWS_WORDS[399])} x2y", 20_000 * DAY)
    assert ("a", "b") not in pairs_of(run("conrad", records))


def test_different_titles_do_not_prevent_a_link():
    body = STORY.replace(NEWS_WORDS[70], NEWS_WORDS[70] + ".\n")
    texts = [f"{title}\n\n{body}" for title in ("Mills sold", "A FIRM SELLS ITS MILLS", "By Jane Roe")]
    assert neardup.find(texts, method="conrad").labels.tolist() == [0, 0, 0]
    kept = neardup.find(texts, method="conrad", header="keep")
    assert kept.summary["counts"]["distinct"] == 3


lines = st.lists(
    st.sampled_from(
        [
            "",
            "  ",
            "Title: of this",
            "Date: today",
            " continued",
            "A heading without an end",
            "SHOUTED LINE",
            "A sentence that ends.",
            "It goes on, and on, and on, without any end,",
            "x",
            '"Quoted?"',
            "中文",
        ]
    ),
    max_size=9,
)


@given(lines.map("\n".join), st.sampled_from(["", "\nA last sentence of seven words, or more than that.\n" * 4]))
def test_body_starts_equal_the_reference_implementation(header, body):
    text = header + body
    texts = open_texts([text])
    starts, ends = _core.find_bodies(texts)[1:]
    assert text.encode()[int(starts[0]) : int(ends[0])].decode() == find_body(text)
    assert len(BodyReader().open(texts)) == 1


def test_texts_of_few_terms_are_linked_only_if_identical_and_are_counted():
    short = [" ".join(NEWS_WORDS[:19]), " ".join([*NEWS_WORDS[:18], "other"])]
    result = neardup.find([*short, short[0]], method="conrad")
    assert result.labels.tolist() == [0, 1, 0]
    assert result.summary["guards"] == {"texts_of_few_terms": 2}
    assert neardup.find(short, method="conrad", reliable=19).labels.tolist() == [0, 0]


def test_numeric_guard_separates_tables_with_different_numbers():
    head = " ".join(NEWS_WORDS[:70])
    tables = [f"{head} " + " ".join(str(1000 * day + n) for n in range(60)) for day in (1, 2)]
    known = Lexicon.count(*_opened([head] * 5))
    assert neardup.find(tables, method="conrad", lexicon=known).labels.tolist() == [0, 1]
    for chosen in ({"numeric_guard": False}, {"paper": True}):
        assert neardup.find(tables, method="conrad", lexicon=known, **chosen).labels.tolist() == [0, 0]


def _opened(texts):
    opened = open_texts(texts)
    return opened, all_documents(opened)


def test_padding_with_constants_links_short_texts():
    texts = [" ".join(NEWS_WORDS[start : start + 22]) for start in (0, 2)]
    known = Lexicon.count(*_opened([" ".join(NEWS_WORDS[:40])] * 5))
    assert neardup.find(texts, method="conrad", lexicon=known).labels.tolist() == [0, 0]
    apart = [" ".join(NEWS_WORDS[start : start + 22]) for start in (0, 9)]
    assert neardup.find(apart, method="conrad", lexicon=known).labels.tolist() == [0, 1]
    assert neardup.find(apart, method="conrad", lexicon=known, short="pad_constant").labels.tolist() == [0, 0]


@pytest.mark.slow
def test_copies_of_a_template_form_one_cluster_in_few_comparisons():
    texts = [f"{STORY} {' '.join(f'u{number}v{place}' for place in range(4))}" for number in range(1500)]
    result = neardup.find(texts, method="conrad", header="keep")
    assert len(result.clusters) == 1
    assert len(result.clusters[0]) == 1500


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("threshold", 0, "threshold is 0"),
        ("terms", 0, "terms is 0"),
        ("days", -1, "days is -1"),
        ("days", 1.5, "days is 1.5"),
        ("length_tolerance", 1.1, "length_tolerance is 1.1"),
        ("bins", "ten", "bins is 'ten'"),
        ("short", "pad", "own, pad_constant"),
        ("header", "no", "skip, keep"),
        ("numeric_guard", 0.3, "true or false"),
        ("max_idf", 2, "max_idf is 2"),
        ("reliable", -1, "reliable is -1"),
        ("lexicon", 5, "Lexicon or the path"),
    ],
)
def test_invalid_setting_is_refused(name, value, message):
    with pytest.raises(neardup.SettingsError, match=message):
        make_detector("conrad", {name: value})
