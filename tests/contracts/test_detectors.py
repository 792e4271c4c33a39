"""The contract of every method."""

import json
import pickle
import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup.detectors import METHODS, make_detector
from neardup.engines import Job, run_local
from neardup.records import RELATIONS, Documents
from reference.examples import as_documents, collections, make_collection, pairs_of, run
from reference.runs import MEASURES, Record, run_slowly
from reference.tokens import normalise

VARIANTS = [
    *((method, {}) for method in METHODS),
    ("exact", {"docstring": "paper"}),
    ("full", {"threshold": 0.5, "denominator": "union", "shingle": 2}),
    ("full", {"threshold": 0.6, "unit": "char", "shingle": 5}),
    ("dsc", {"threshold": 0.4, "selection": "hash", "shingle": 2}),
    ("imatch", {"terms": 4, "skip": 1}),
    ("jaccard", {"threshold": 0.5, "shingle": 2}),
    ("jaccard", {"threshold": 0.6, "shingle": 4, "unit": "char", "keep": "longest"}),
    ("minhash", {"threshold": 0.5, "shingle": 2, "recall": 0.9999999}),
    ("simhash", {"threshold": 9, "shingle": 2}),
    ("jaccard", {"threshold": 0.5, "shingle": 2, "linkage": "components"}),
    ("simhash", {"threshold": 9, "shingle": 2, "linkage": "components"}),
    ("minhash", {"threshold": 0.5, "shingle": 2, "recall": 0.9999999, "keep": "latest"}),
    ("full", {"threshold": 0.4, "keep": "first"}),
    ("jaccard", {"threshold": 0.7, "shingle": 1, "form": "nfkc"}),
    ("conrad", {"threshold": 0.5, "reliable": 1, "terms": 12, "length_tolerance": 0.5}),
    ("conrad", {"threshold": 0.6, "reliable": 4, "terms": 30, "short": "pad_constant", "bins": 10, "keep": "latest"}),
    ("concepts", {"size": 20, "shingle": 2, "units": 5}),
    ("concepts", {"size": 20, "shingle": 1, "units": 4, "clusters": "closed"}),
    ("concepts", {"size": 30, "shingle": 2, "units": 0.4, "short": "relative", "clusters": "maximal"}),
    ("concepts", {"size": 40, "shingle": 1, "units": 0.3, "image": "permutations", "keep": "longest"}),
    ("concepts", {"size": 20, "units": 0.6, "image": "words", "keep": "latest"}),
    ("concepts", {"size": 10, "shingle": 1, "units": 3, "paper": True, "clusters": "maximal"}),
    ("simfinder", {"threshold": 0.4, "direction": "paper", "scale": "log", "length": "capped"}),
    ("simfinder", {"candidates": "fingerprints", "linkage": "components"}),
    ("simfinder", {"candidates": "fingerprints", "gram": 2, "features": 1, "scale": "equal", "keep": "longest"}),
    ("simfinder", {"paper": True, "threshold": 0.5}),
]
DEFINED = [(method, chosen) for method, chosen in VARIANTS if method in MEASURES]
every_method = pytest.mark.parametrize("method", METHODS)
every_variant = pytest.mark.parametrize(("method", "chosen"), VARIANTS, ids=str)
every_defined = pytest.mark.parametrize(("method", "chosen"), DEFINED, ids=str)


def rows_of(result):
    return result.documents.to_pylist()


def saved(result, folder):
    """Return the bytes of each file of a saved run; of `run.json` the content without seconds and memory."""
    files = {path.name: path.read_bytes() for path in sorted(result.save(folder).iterdir())}
    summary = json.loads(files.pop("run.json"))
    assert set(summary) >= {"format", "method", "settings", "fingerprint", "version", "inputs", "counts"}
    assert all(seconds >= 0 for seconds in summary.pop("seconds").values())
    assert summary.pop("peak_memory_bytes") > 0
    return files, summary


@every_variant
def test_saved_run_does_not_depend_on_the_number_of_threads(method, chosen, tmp_path):
    records = make_collection(11)
    one = saved(run(method, records, threads=1, **chosen), tmp_path / "1")
    for threads in (2, 8):
        assert saved(run(method, records, threads=threads, **chosen), tmp_path / str(threads)) == one


@every_variant
@pytest.mark.parametrize("timed", [True, False])
def test_shuffled_input_gives_the_same_rows_by_id(method, chosen, timed):
    if chosen.get("keep") == "first":
        chosen = {**chosen, "keep": None}
    records = [Record(each.id, each.text, each.time if timed else None) for each in make_collection(12)]
    result = run(method, records, **chosen)
    shuffled = random.Random(5).sample(records, len(records))
    other = run(method, shuffled, **chosen)
    by_id = {row["id"]: row for row in rows_of(result)}
    assert [by_id[record.id] for record in shuffled] == rows_of(other)
    assert other.pairs.equals(result.pairs)
    assert other.table("clusters").equals(result.table("clusters"))


@every_defined
def test_groups_of_a_collection_equal_the_reference_implementation(method, chosen):
    for seed in (21, 22):
        records = make_collection(seed)
        check_against_reference(method, chosen, records)
        check_against_reference(method, chosen, [Record(each.id, each.text) for each in records])


@pytest.mark.slow
@every_defined
@given(records=collections())
@settings(max_examples=25)
def test_groups_of_small_collections_equal_the_reference_implementation(method, chosen, records):
    check_against_reference(method, chosen, records)


def check_against_reference(method, chosen, records):
    result, wanted = run(method, records, **chosen), run_slowly(method, chosen, records)
    assert pairs_of(result) == pytest.approx(wanted.pairs, abs=1e-12)
    assert result.documents["cluster"].to_pylist() == wanted.references
    assert result.labels.tolist() == wanted.labels
    assert result.documents["similarity"].to_pylist() == pytest.approx(wanted.similarities, abs=1e-12)


@every_variant
def test_every_document_is_returned_and_the_counts_add_up(method, chosen):
    records = make_collection(31)
    result = run(method, records, **chosen)
    rows, counts = rows_of(result), result.summary["counts"]
    assert [row["id"] for row in rows] == [record.id for record in records]
    assert counts["documents"] == len(records)
    copies = sum(evidence == "exact" for evidence in result.pairs["evidence"].to_pylist())
    assert counts["distinct"] + copies + counts["empty"] + counts["unreadable"] == len(records)
    assert counts["empty"] == sum(row["status"] == "empty" for row in rows) == 2
    assert counts.get("too_short", 0) == sum(row["status"] == "too_short" for row in rows)
    assert counts["pairs"] == result.pairs.num_rows
    clusters = result.table("clusters").to_pylist()
    assert counts["clusters"] == len(clusters) == len(result.clusters)
    assert counts["duplicates"] == int((~result.kept).sum()) == len(rows) - len(set(result.labels.tolist()))
    if result.memberships is None:
        assert counts["duplicates"] == sum(cluster["size"] - 1 for cluster in clusters)


@every_variant
def test_rows_labels_and_clusters_are_consistent(method, chosen):
    result = run(method, make_collection(32), **chosen)
    rows = rows_of(result)
    numbers: dict[str, int] = {}
    assert result.labels.tolist() == [numbers.setdefault(row["cluster"], len(numbers)) for row in rows]
    assert result.labels.dtype == np.int64
    named: dict[str, list] = {}
    for row in rows:
        named.setdefault(row["cluster"], []).append(row)
    by_cluster = list_clusters(result)
    for name, members in named.items():
        (reference,) = [row["id"] for row in members if row["reference"]]
        assert name in (reference, f"{reference}#1")
        assert {row["relation"] for row in members} <= (set(RELATIONS) if name in by_cluster else {"unique"})
        for row in members:
            described = (row["similarity"], row["added"], row["removed"])
            if row["status"] != "ok" and row["relation"] == "unique":
                assert described == (None, None, None)
            elif row["relation"] in ("unique", "reference", "exact"):
                assert described == (1.0, "", "")
    listed = result.table("clusters").to_pylist()
    assert [row["size"] for row in listed] == sorted(map(len, by_cluster.values()), reverse=True)
    for row, cluster in zip(listed, result.clusters, strict=True):
        members = by_cluster[row["cluster"]]
        assert {member.id for member in cluster.members} == {member["id"] for member in members}
        assert (
            cluster.members[0].id == cluster.reference == next(m["id"] for m in members if m["relation"] == "reference")
        )
        assert cluster.id == row["cluster"]
        assert row["weakest"] == min(member["similarity"] for member in members)
        assert sum(row[relation] for relation in RELATIONS) == row["size"]
        assert 1 <= row["distinct"] <= row["size"] - row["exact"]
        assert cluster.excerpt


def list_clusters(result):
    """Return the members of each cluster of two or more, from the memberships where clusters overlap."""
    rows = [] if result.memberships is None else result.memberships.to_pylist()
    listed = {row["cluster"] for row in rows}
    rows += [row for row in rows_of(result) if row["cluster"] not in listed and row["relation"] != "unique"]
    clusters: dict[str, list] = {}
    for row in rows:
        clusters.setdefault(row["cluster"], []).append(row)
    return clusters


@every_variant
def test_star_member_is_paired_with_its_reference(method, chosen):
    if chosen.get("linkage") == "components":
        chosen = {**chosen, "linkage": "star"}
    result = run(method, make_collection(33), **chosen)
    pairs = {frozenset(pair) for pair in pairs_of(result)}
    same = {
        frozenset(pair)
        for pair, s in zip(pairs_of(result), result.pairs["evidence"].to_pylist(), strict=True)
        if s == "exact"
    }
    copies: dict[str, set[str]] = {}
    for a, b in same:
        group = copies.setdefault(a, {a}) | copies.setdefault(b, {b})
        copies.update(dict.fromkeys(group, group))
    leading = {row["cluster"]: row["id"] for row in rows_of(result) if row["reference"]}
    for row in rows_of(result):
        reference = leading[row["cluster"]]
        references = copies.get(reference, {reference})
        own = copies.get(row["id"], {row["id"]})
        assert own & references or any(frozenset((a, b)) in pairs for a in own for b in references)


@every_variant
def test_pairs_are_unique_and_ordered_and_copies_are_paired_with_the_first_only(method, chosen):
    records = [*make_collection(34), *(Record(f"x{number}", "one text again and again", 7) for number in range(50))]
    result = run(method, records, **chosen)
    times = {record.id: (record.time is None, record.time or 0, record.id) for record in records}
    pairs = list(zip(result.pairs["a"].to_pylist(), result.pairs["b"].to_pylist(), strict=True))
    assert all(times[a] < times[b] for a, b in pairs)
    assert len(set(pairs)) == len(pairs)
    assert [times[a] + times[b] for a, b in pairs] == sorted(times[a] + times[b] for a, b in pairs)
    assert sorted(b for a, b in pairs if a == "x0") == sorted(f"x{number}" for number in range(1, 50))


@every_method
@pytest.mark.parametrize("texts", [[], [""], ["one"], ["\0"], ["", " ", "\n"]], ids=repr)
def test_empty_and_tiny_collections_give_a_result(method, texts, tmp_path):
    result = neardup.find(texts, method=method)
    assert result.labels.tolist() == list(range(len(texts)))
    assert len(result.clusters) == 0
    assert result.pairs.num_rows == 0
    _, summary = saved(result, tmp_path / "run")
    assert summary["counts"]["documents"] == len(texts)
    assert neardup.load(tmp_path / "run").labels.tolist() == result.labels.tolist()


@every_method
def test_identical_texts_form_one_cluster_and_unrelated_texts_none(method):
    same = neardup.find(["The SAME text, of some words!"] * 5 + ["the same text of some words"], method=method)
    assert same.labels.tolist() == [0] * 6
    assert same.pairs.num_rows == 5
    assert len(same.clusters[0]) == 6
    words = iter(range(10_000))
    unrelated = neardup.find([" ".join(f"w{next(words)}" for _ in range(30)) for _ in range(20)], method=method)
    assert unrelated.labels.tolist() == list(range(20))


@every_method
def test_texts_of_one_character_are_grouped_by_character(method):
    texts = ["a", "b", "A", "中", "文", "中", "😀", "?", "!", "?", "", "\u0301", "7"]
    result = neardup.find(texts, method=method)
    assert result.labels.tolist() == [0, 1, 0, 2, 3, 2, 4, 5, 6, 5, 7, 8, 9]


@every_method
def test_null_bytes_separate_words_and_are_not_text(method):
    texts = ["\0a\0b\0c\0", "a b c", "\0\0\0", "a\0b c", "abc"]
    assert neardup.find(texts, method=method).labels.tolist() == [0, 0, 1, 0, 2]


@pytest.mark.slow
@every_method
@pytest.mark.parametrize("unit", ["x", "x ", "中", "e\u0301", "\u0301", "😀", "?", "\0", "<p>", "&amp;"], ids=ascii)
def test_long_text_of_one_character_is_grouped(method, unit):
    text = unit * (250_000 // len(unit))
    result = neardup.find([text, text, "a stranger"], method=method)
    assert result.labels.tolist() == ([0, 1, 2] if unit == "\0" else [0, 0, 1])
    assert result.documents.num_rows == 3


@every_method
def test_lone_surrogates_are_accepted(method, tmp_path):
    texts = ["some words \ud800 and others", "some words \udfff and others", "nothing in common"]
    result = neardup.find(texts, method=method)
    assert result.labels.tolist() == [0, 0, 1]
    saved(result, tmp_path / "run")


SCRIPTS = {
    "chinese": ("请保护鲸鱼不要再让它们在北方的海里被船和网杀死因为我们的孩子也想看到它们在水里游泳唱歌", "非常", ""),
    "japanese": (
        "クジラを守ってください北の海で船と網に殺されるのをもう見たくありません子供たちも泳ぐ姿を見たいのです",
        "とても",
        "",
    ),
    "thai": ("โปรดช่วยปลาวาฬจากอวนและเรือที่ล่าพวกมันในทะเลเหนือเพราะลูกหลานของเราก็อยากเห็นพวกมันว่ายน้ำ", "มาก", ""),
    "arabic": (
        "من فضلكم أنقذوا الحيتان من الشباك ومن السفن التي تصطادها في بحر الشمال لأن أطفالنا يريدون أن يروها",
        "كثيرا",
        " ",
    ),
    "hebrew": (
        "אנא הצילו את הלווייתנים מהרשתות ומהאוניות הצדות אותם בים הצפוני כי גם ילדינו רוצים לראות אותם שוחים",
        "מאוד",
        " ",
    ),
    "emoji": ("🐋🌊🚢🎣😢🙏🐳🧊🌍👶👀🏊💙🐬🦈🐠🐙🦀🐚🌅🌈⭐🌙🔥🍀🌲🌸🍎🍌🍒🥑🌽🍕🍔🍟🌭", "🎉", ""),
    "combining": (
        "cafe\u0301 re\u0301sume\u0301 " + " ".join(f"mo{letter}\u0302t" for letter in "aeiouaeiouaeiou"),
        "ne\u0301",
        " ",
    ),
}


@pytest.mark.parametrize("method", ["full", "jaccard", "minhash"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_near_duplicates_in_every_script_are_found_with_the_added_text(method, script):
    text, added, between = SCRIPTS[script]
    copy = text + between + added
    unrelated = "quite another text in Latin letters that has no word in common with any of them, not a single one"
    result = neardup.find([text, copy, unrelated], method=method, threshold=0.6, shingle=2, keep="first")
    assert result.labels.tolist() == [0, 0, 1]
    assert normalise(result.documents["added"].to_pylist()[1]) == normalise(added)
    assert result.documents["removed"].to_pylist()[1] == ""


@every_method
def test_strings_and_columns_give_the_same_result(method):
    records = make_collection(41)
    detector = make_detector(method, {})
    strings, column = (run_local(detector, Job(as_documents(records, column=column))) for column in (False, True))
    assert strings.documents.equals(column.documents)
    assert strings.pairs.equals(column.pairs)
    assert strings.table("clusters").equals(column.table("clusters"))


@every_method
def test_unreadable_document_keeps_its_status(method):
    texts = pa.chunked_array([pa.array(["a b c", None, "a b c", ""], pa.large_string())])
    statuses = pa.chunked_array([pa.array(["ok", "unreadable", "ok", "ok"])])
    result = run_local(make_detector(method, {}), Job(Documents(texts, statuses=statuses)))
    compared = "too_short" if method == "concepts" else "ok"
    assert result.documents["status"].to_pylist() == [compared, "unreadable", compared, "empty"]
    counts = result.summary["counts"]
    assert (counts["unreadable"], counts["empty"], counts["distinct"]) == (1, 1, 1)
    assert result.labels.tolist() == [0, 1, 0, 2]


comparing_methods = pytest.mark.parametrize("method", [name for name in METHODS if METHODS[name].compares_collections])


@pytest.mark.parametrize("method", [name for name in METHODS if not METHODS[name].compares_collections])
def test_method_that_cannot_compare_collections_raises_an_error(method):
    with pytest.raises(neardup.SettingsError, match=f"{method} does not compare two collections"):
        neardup.find(["a"], method=method, against=["a"])


@comparing_methods
@pytest.mark.parametrize("text", ["one two three", "one", "?!", "a few more words than that, but not so many at all"])
def test_same_short_text_in_two_collections_is_found(method, text):
    assert neardup.find([text, "other"], method=method, against=[text.upper()]).labels.tolist() == [0, 1, 0]


@comparing_methods
def test_comparison_returns_only_duplicates_between_the_collections(method):
    letter = "please save the whales from the nets and the ships that hunt them in the cold sea of the north "
    letter += " ".join(f"word{number}" for number in range(40))
    first = [letter, letter, "only here and twice", "only here and twice", "alone"]
    second = [letter.upper(), "nothing of the kind", "nothing of the kind", ""]
    result = neardup.find(first, method=method, against=second)
    ids = result.documents["id"].to_pylist()
    sides = {name: position < len(first) for position, name in enumerate(ids)}
    assert result.labels.tolist() == [0, 0, 1, 2, 3, 0, 4, 5, 6]
    assert all(sides[a] != sides[b] for a, b in pairs_of(result))
    assert result.summary["counts"]["pairs"] == result.pairs.num_rows
    assert result.clusters[0].reference == ids[5]


@every_variant
def test_loaded_run_equals_the_saved_run(method, chosen, tmp_path):
    result = run(method, make_collection(42), **chosen)
    loaded = neardup.load(result.save(tmp_path / "run"))
    assert loaded.labels.tolist() == result.labels.tolist()
    assert loaded.documents.equals(result.documents)
    assert loaded.pairs.equals(result.pairs)
    assert list(loaded.clusters) == list(result.clusters)
    assert loaded.memberships == result.memberships
    assert loaded.summary["fingerprint"] == make_detector(method, chosen).fingerprint()


@every_variant
def test_pickled_detector_gives_the_same_result(method, chosen):
    documents = as_documents(make_collection(43))
    detector = make_detector(method, chosen)
    there = pickle.loads(pickle.dumps(detector))
    assert run_local(there, Job(documents)).documents.equals(run_local(detector, Job(documents)).documents)


@every_method
@given(texts=st.lists(st.sampled_from(["a b c d e", "a b c d f", "x", "", "A B, C d e"]), max_size=8))
@settings(max_examples=20)
def test_labels_do_not_change_when_tables_are_built(method, texts):
    result = run_local(make_detector(method, {}), Job(Documents(list(texts))))
    before = result.labels.tolist()
    assert len(rows_of(result)) == len(texts)
    assert result.labels.tolist() == before
