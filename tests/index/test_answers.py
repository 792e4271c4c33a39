"""The answers of an index: errors, matches, groups, cluster numbers and events."""

import os
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pytest
from crash import check_tables
from index_documents import make_documents

import neardup
from neardup.index import Index
from neardup.index.store import Store

JACCARD = {"method": "jaccard", "threshold": 0.5, "shingle": 1}
CAT = "the cat sat on the mat in the sun"


def put(index, **texts):
    return index.add([{"id": name, "text": text} for name, text in texts.items()])


def list_events(index, since=0):
    return [(event.kind, event.document, event.cluster, event.other) for event in index.events(since)]


@pytest.fixture
def index(url):
    with Index(url, **JACCARD) as opened:
        yield opened


def test_stored_settings_are_used_when_an_index_is_opened(url):
    with Index(url, **JACCARD, keep="longest") as index:
        put(index, a=CAT)
    with Index(url) as index:
        assert (index.method, index.settings["threshold"], index.settings["keep"]) == ("jaccard", 0.5, "longest")
        assert index.stats()["documents"] == 1
    with Index(url, "jaccard", threshold=0.5) as index:
        assert index.get("a").text == CAT


@pytest.mark.parametrize(
    ("asked", "both"),
    [
        ({"method": "minhash"}, ("'jaccard'", "'minhash'")),
        ({"method": "jaccard", "threshold": 0.9}, ("0.5", "0.9")),
        ({"shingle": 4}, ("1", "4")),
    ],
)
def test_different_settings_are_refused_with_both_values_and_the_remedy(url, asked, both):
    Index(url, **JACCARD).close()
    with pytest.raises(neardup.FormatError) as refused:
        Index(url, **asked)
    for expected in (*both, "leave it out", "build another"):
        assert expected in str(refused.value)


@pytest.mark.parametrize("fact", ["format", "tokeniser"])
def test_different_version_is_refused_with_both_values_and_the_remedy(url, fact):
    Index(url, **JACCARD).close()
    store = Store.open(url)
    with store.writing():
        store.facts.update(fact, b"0.0")
    store.close()
    with pytest.raises(neardup.FormatError, match=rf"{fact} '0.0', this version reads '.+': .*build it again"):
        Index(url)


def test_different_lexicon_is_refused(url):
    lexicon = neardup.Lexicon.build([CAT, "a dog"])
    with Index(url, "imatch", lexicon=lexicon) as index:
        assert index.lexicon.fingerprint == lexicon.fingerprint
        put(index, a=CAT)
    with Index(url, "imatch", lexicon=lexicon) as index:
        assert index.lexicon.fingerprint == lexicon.fingerprint
    other = neardup.Lexicon.build(["another one"])
    with pytest.raises(neardup.FormatError, match=f"{lexicon.fingerprint}.*{other.fingerprint}"):
        Index(url, lexicon=other)


def test_lexicon_is_learned_from_the_first_documents_and_stored(url):
    with Index(url, "imatch", terms=3, skip=0) as first, Index(url) as second:
        assert first.lexicon is None
        assert first.query(CAT) == ()
        put(first, a=CAT, b="a dog barked")
        learned = first.lexicon.fingerprint
        put(second, c="something else entirely")
        assert second.lexicon.fingerprint == first.lexicon.fingerprint == learned
        assert first.lexicon.documents == 2


@pytest.mark.parametrize(
    ("path", "options", "error", "words"),
    [
        ("x.db", {"method": "durian"}, neardup.SettingsError, "pair by pair"),
        ("x.db", {"method": "nothing"}, neardup.SettingsError, "unknown method"),
        ("x.db", {"method": "jaccard", "threshhold": 1}, neardup.SettingsError, "threshold"),
        ("missing/x.db", {"method": "jaccard"}, neardup.OutputError, "folder"),
        (".", {"method": "jaccard"}, neardup.OutputError, "cannot be opened"),
        ("x.db", {"read_only": True}, neardup.FormatError, "index build"),
        ("mysql://x", {"method": "jaccard"}, neardup.SettingsError, "postgresql"),
        ("postgresql:///?host=/nowhere", {"method": "jaccard"}, neardup.OutputError, "cannot be reached"),
        ("postgresql:///?host=/nowhere&nonsense=1", {"method": "jaccard"}, neardup.OutputError, "cannot be reached"),
    ],
)
def test_invalid_path_or_settings_are_refused_without_a_file(tmp_path, monkeypatch, path, options, error, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        Index(path, **options)
    assert list(tmp_path.iterdir()) == []


def test_file_of_another_program_is_refused_and_unchanged(tmp_path):
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE x (y)")
    connection.close()
    text = tmp_path / "text.db"
    text.write_bytes(b"this is no database " * 100)
    for path in (other, text):
        before = path.read_bytes()
        with pytest.raises(neardup.FormatError):
            Index(path, **JACCARD)
        assert path.read_bytes() == before


def test_existing_ids_are_refused_skipped_or_replaced(index):
    put(index, a=CAT, b="a dog")
    docs = [{"id": "b", "text": "a bird"}, {"id": "c", "text": "a fish"}]
    with pytest.raises(neardup.DuplicateId, match=r"'b'.*update"):
        index.add(docs)
    assert index.stats()["documents"] == 2
    assert index.add(docs, existing="skip").skipped == 1
    assert (index.get("b").text, index.get("c").text) == ("a dog", "a fish")
    assert index.add(docs, existing="replace").updated == 2
    assert index.get("b").text == "a bird"


def test_missing_ids_are_refused_skipped_or_added(index):
    put(index, a=CAT)
    docs = [{"id": "a", "text": "a bird"}, {"id": "b", "text": "a fish"}]
    with pytest.raises(neardup.IdNotFound, match="'b'"):
        index.update(docs)
    assert index.get("a").text == CAT
    assert (index.update(docs, missing="skip").updated, index.stats()["documents"]) == (1, 1)
    changes = index.update(docs, missing="add")
    assert (changes.updated, changes.added) == (1, 1)
    for question in (
        lambda: index.remove(["a", "x"]),
        lambda: index.get("x"),
        lambda: index.query(id="x"),
        lambda: index.cluster("x"),
        lambda: index.cluster(99),
    ):
        with pytest.raises(neardup.IdNotFound):
            question()
    assert index.stats()["documents"] == 2
    assert index.remove(["a", "x"], missing="skip").removed == 1


def test_documents_without_ids_get_the_next_free_numbers(index):
    index.add(["one text", "another text"])
    index.add(["a third text"])
    assert index.documents()["id"].to_pylist() == ["0", "1", "2"]
    put(index, **{"3": "taken"})
    index.add(["next"])
    assert index.get("4").text == "next"
    with pytest.raises(neardup.InputError, match="ids"):
        index.update(["something"])


def test_any_string_can_be_an_id_and_a_text(index, url):
    odd = ["0", "a\0b", "é😀", "x" * 500, "'; DROP TABLE documents; --", "%s ?", "\ufffd"]
    texts = ["\0", "a\0b c", "שלום עולם", "", "%s ? x", "😀", "ก" * 3]
    index.add([{"id": name, "text": text} for name, text in zip(odd, texts, strict=True)])
    assert [index.get(name).text for name in odd] == texts
    assert index.get("a\0b").status == "ok"
    assert index.get("x" * 500).status == "empty"
    assert index.query(id="x" * 500) == ()
    assert index.remove(odd).removed == len(odd)
    check_tables(url)


def test_query_returns_similarity_and_relation(index):
    put(index, a=CAT, b=CAT.upper() + "!", c=CAT + " today", d="nothing of the kind")
    found = {match.id: match for match in index.query(CAT)}
    assert list(found) == ["a", "b", "c"]
    assert [match.relation for match in found.values()] == ["exact", "exact", "minor_change"]
    assert found["c"].similarity == pytest.approx(7 / 8)
    assert len({match.cluster for match in found.values()}) == 1
    assert [match.id for match in index.query(id="a")] == ["b", "c"]
    assert [match.id for match in index.query(CAT, limit=1)] == ["a"]
    assert index.query(CAT, limit=0) == ()
    assert index.query("") == index.query("unheard of") == ()
    for arguments in ({}, {"text": CAT, "id": "a"}):
        with pytest.raises(neardup.InputError):
            index.query(**arguments)


def test_cluster_keeps_its_number_when_its_reference_changes(url):
    with Index(url, **JACCARD) as index:
        index.add([{"id": "b", "text": CAT, "time": "2003-02-02"}])
        number = index.get("b").cluster
        index.add([{"id": "a", "text": CAT + " today", "time": "2003-01-01"}])
        assert index.cluster(number).reference == "a"
        assert list_events(index, 1)[1:] == [("reference_changed", "a", number, None)]
        index.remove(["a"])
        assert index.cluster("b").number == number
        assert list_events(index, 3) == [("removed", "a", number, None), ("reference_changed", "b", number, None)]


def test_merged_cluster_keeps_the_lower_number_and_the_other_becomes_former(url):
    with Index(url, **JACCARD, linkage="components") as index:
        put(index, a="one two three four five", c="four five six seven eight")
        first, second = index.get("a").cluster, index.get("c").cluster
        put(index, b="one two three four five six seven")
        put(index, d="three four five six seven eight")
        assert index.get("c").cluster == first
        assert index.cluster(second).number == first
        assert index.cluster(first).former == (second,)
        assert ("merged", None, first, second) in list_events(index)


def test_larger_part_of_a_split_cluster_keeps_the_number(url):
    with Index(url, "jaccard", threshold=0.3, shingle=1, linkage="components") as index:
        put(
            index,
            a="one two three four",
            m="three four five six",
            x="five six seven eight",
            y="five six seven eight nine",
        )
        number = index.get("a").cluster
        assert {index.get(name).cluster for name in "amxy"} == {number}
        index.remove(["m"])
        assert {index.get(name).cluster for name in "xy"} == {number}
        assert index.get("a").cluster != number
        assert ("split", None, number, index.get("a").cluster) in list_events(index)


def test_members_have_their_relation_to_the_reference(index):
    put(index, a=CAT, b=CAT, c=CAT + " today", d="something else")
    found = index.cluster("c")
    assert (found.reference, found.size) == ("a", 3)
    assert [(member.id, member.relation) for member in found.members] == [
        ("a", "reference"),
        ("b", "exact"),
        ("c", "minor_change"),
    ]
    assert found.members[2].added == "today"
    assert [member.id for member in index.cluster("a", limit=2).members] == ["a", "b"]
    assert [member.relation for member in index.cluster("d").members] == ["unique"]


def test_group_keeps_every_result_and_puts_copies_under_their_leader(index):
    put(index, a=CAT, b="something else", c=CAT + " today", d=CAT)
    groups = index.group(["c", "b", "unknown", "a", "d", "a"])
    assert (groups.count, groups.results, groups.next) == (3, 6, None)
    assert [[result.id for result in group.results] for group in groups.groups] == [
        ["c", "a", "d", "a"],
        ["b"],
        ["unknown"],
    ]
    assert [result.known for group in groups.groups for result in group.results] == [True] * 5 + [False]
    assert groups.groups[0].results[1].similarity == pytest.approx(7 / 8)
    assert [result.rank for result in groups.groups[0].results] == [0, 3, 4, 5]


@pytest.mark.parametrize(("leader", "first"), [("rank", "b"), ("first", "c"), ("last", "a"), ("longest", "d")])
def test_leader_setting_decides_which_result_leads_a_group(url, leader, first):
    with Index(url, **JACCARD) as index:
        days = {"a": 9, "b": 5, "c": 1, "d": 6}
        index.add(
            [
                {"id": name, "text": CAT + " today" * (name == "d"), "time": f"2003-01-0{day}"}
                for name, day in days.items()
            ]
        )
        groups = index.group(["b", "a", "d", "c"], leader=leader).groups
        assert [group.leader for group in groups] == [first]
        assert sorted(result.id for result in groups[0].results) == ["a", "b", "c", "d"]


def test_pages_of_groups_make_up_the_whole_list(index):
    index.add(make_documents(200))
    ids = [f"d{number}" for number in range(200)]
    whole = index.group(ids).groups
    assert len(whole) > 20
    paged, at = [], 0
    while at is not None:
        page = index.group(ids, offset=at, limit=7)
        assert page.count == len(whole)
        paged += page.groups
        at = page.next
    assert tuple(paged) == whole
    # Later results do not change the leaders of earlier ones.
    half = index.group(ids[:100]).groups
    assert [group.leader for group in half] == [group.leader for group in whole][: len(half)]


def test_documents_that_are_not_stored_are_grouped(index):
    put(index, a=CAT)
    docs = [{"id": "x", "text": CAT}, {"id": "y", "text": "other"}, {"id": "z", "text": CAT + " today"}]
    for given in (docs, pa.Table.from_pylist(docs)):
        assert [group.leader for group in index.group(given).groups] == ["x", "y"]
    assert index.stats()["documents"] == 1
    assert index.group([]).groups == ()
    for wrong in ({"leader": "best"}, {"offset": -1}, {"limit": -1}):
        with pytest.raises(neardup.NeardupError):
            index.group(["a"], **wrong)
    with pytest.raises(neardup.InputError):
        index.group("a")


def test_expire_removes_documents_before_a_time(url):
    with Index(url, **JACCARD) as index:
        index.add([{"id": f"d{day}", "text": CAT, "time": f"2003-01-{day:02}"} for day in range(1, 11)])
        put(index, undated="no date")
        assert index.expire("2003-01-04").removed == 3
        assert index.expire(datetime(2003, 1, 6, tzinfo=UTC)).removed == 2
        assert index.stats()["documents"] == 6
        with pytest.raises(neardup.InputError, match="not a time"):
            index.expire("yesterday or so")


def test_many_copies_of_one_text_share_one_node(url):
    with Index(url, **JACCARD) as index:
        index.add([{"id": f"d{number:05}", "text": CAT} for number in range(30_000)])
        stats = index.stats()
        assert (stats["documents"], stats["distinct"], stats["links"]) == (30_000, 1, 0)
        assert stats["keys"] < 20
        assert len(index.query(CAT, limit=5)) == 5
        for number in range(20):
            index.remove([f"d{number:05}"])
            assert index.cluster(f"d{number + 1:05}", limit=1).reference == f"d{number + 1:05}"
        assert index.cluster("d29999", limit=1).size == 29_980


@pytest.mark.slow
@pytest.mark.parametrize("method", ["jaccard", "full"])
@pytest.mark.parametrize("at_once", [2000, 50])
def test_common_shingles_are_not_used_as_keys(tmp_path, method, at_once):
    footer = " ".join(f"footer{number}" for number in range(40))
    texts = [" ".join(f"w{number // 2}x{word}" for word in range(60 - number % 2)) for number in range(2000)]
    docs = [{"id": str(number), "text": f"{text} {footer}"} for number, text in enumerate(texts)]
    with Index(tmp_path / "index.db", method, shingle=2, threshold=0.8) as index:
        for start in range(0, len(docs), at_once):
            index.add(docs[start : start + at_once])
        assert index.stats()["links"] == 1000
        keys = np.concatenate([columns[0][columns[1] == 0] for columns in index._store.keys.read_all()])
        assert np.unique(keys, return_counts=True)[1].max() <= 300
        assert [match.id for match in index.query(f"{texts[3]} {footer}")] == ["3", "2"]
        index.remove([str(number) for number in range(2000)])
        assert index.stats()["keys"] == 0
    check_tables(str(tmp_path / "index.db"))


@pytest.mark.slow
def test_backup_and_compact_work_while_others_read(url, tmp_path):
    with Index(url, **JACCARD) as index, Index(url, read_only=True) as reader:
        index.add(make_documents(800))
        copy = index.backup(tmp_path / "copy.db")
        before = index.documents()
        with Index(copy) as restored:
            assert restored.documents().equals(before)
            assert restored.events() == index.events()
            assert restored.query(id="d5") == index.query(id="d5")
            put(restored, more=CAT)
        check_tables(str(copy))
        with pytest.raises(neardup.OutputError, match="already"):
            index.backup(copy)
        index.remove([f"d{number}" for number in range(700)])
        assert len(reader.documents()) == 100
        sizes = index.compact()
        assert len(reader.documents()) == 100
        if "://" not in url:
            assert sizes["bytes_after"] < sizes["bytes_before"] / 2
        assert index.documents().equals(reader.documents())


def test_read_only_index_refuses_changes(url):
    with Index(url, **JACCARD) as index:
        put(index, a=CAT)
    with Index(url, read_only=True) as reader:
        for change in (lambda: put(reader, b="x"), lambda: reader.remove(["a"]), lambda: reader.expire("2003-01-01")):
            with pytest.raises(neardup.OutputError, match="read-only"):
                change()
        assert reader.stats()["documents"] == 1


WRITER = """
import sys
import neardup
with neardup.Index({url!r}) as index:
    for number in range(12):
        text = "the cat sat on the mat in the sun " + "today " * (number % 3)
        index.add([{{"id": f"{name}{{number}}", "text": text}}])
"""


@pytest.mark.slow
def test_several_processes_write_to_one_index(url):
    Index(url, **JACCARD).close()
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER.format(url=url, name=name)], env=os.environ)
        for name in ("a", "b", "c")
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    check_tables(url)
    with Index(url) as index:
        assert index.stats()["documents"] == 36
        assert len(set(index.documents()["cluster"].to_pylist())) == 1


def test_events_are_returned_after_a_given_number(index):
    assert put(index, a=CAT, b="else").last_event == 2
    index.update([{"id": "b", "text": CAT}])
    index.remove(["a"])
    kinds = [event.kind for event in index.events()]
    assert kinds == ["added", "added", "updated", "merged", "removed", "reference_changed"]
    assert index.events(since=2)[0].kind == "updated"
    assert [event.number for event in index.events(since=1, limit=2)] == [2, 3]
    assert index.events(since=10**9) == ()


@pytest.mark.parametrize("docs", [[], [""], ["one"]], ids=repr)
def test_empty_and_tiny_collections_can_be_indexed(url, docs):
    with Index(url, "conrad") as index:
        index.add(docs)
        assert len(index.documents()) == len(docs)
        assert index.query("one") == () if docs != ["one"] else True
        assert index.group([]).count == 0
        assert index.backup is not None


def test_text_of_megabytes_is_stored_and_found(tmp_path):
    text = " ".join(f"word{number % 5000}" for number in range(400_000))
    with Index(tmp_path / "index.db", "minhash") as index:
        index.add([{"id": "large", "text": text}])
        assert index.get("large").text == text
        assert [match.id for match in index.query(text + " more")] == ["large"]
