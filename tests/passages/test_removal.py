"""Repeated passages are cut out of files, and nothing else changes."""

import csv
import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import neardup
from neardup.passages.cutting import Cut, apply_cuts, is_inside, merge_cuts, whole_characters
from neardup.records import Documents

SHARED = (
    "the proposed limit would apply to every hull on the water from the first day and most of the boats that we look "
    "after were built before makers were asked to measure anything at all"
)


def cut(text: str, passage: str, mask: str | None = None) -> str:
    start = text.index(passage)
    return apply_cuts(Documents([text]), [Cut(0, start, start + len(passage), 1)], mask)[0]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Before PASSAGE after", "Before after"),
        ("Before\n\n  PASSAGE \n\nafter", "Before\nafter"),
        ("Before\r\nPASSAGE after", "Before\r\nafter"),
        ("(PASSAGE)", "()"),
        ("PASSAGE\n\nafter", "after"),
        ("Before PASSAGE\n", "Before\n"),
        ("前PASSAGE後", "前後"),
        ("word,PASSAGE after", "word, after"),
    ],
)
def test_white_space_around_a_cut_is_joined_as_on_the_left(text, left):
    assert cut(text, "PASSAGE") == left


def test_a_mask_changes_no_white_space():
    assert cut("Before \n PASSAGE  after", "PASSAGE", "[…]") == "Before \n […]  after"


def test_tags_inside_of_a_cut_stay():
    assert cut("<!doctype html><p>a <b>PASS</p><p>AGE</b> b</p>", "PASS</p><p>AGE") == (
        "<!doctype html><p>a <b></p><p></b> b</p>"
    )


def test_tags_of_a_letter_inside_of_a_cut_stay_but_line_breaks_do_not():
    text = "<p>a <b>PASS</b><br/>AGE</p><p>MORE</p><p>b</p>"
    assert cut(text, "PASS</b><br/>AGE</p><p>MORE") == "<p>a <b></b></p><p></p><p>b</p>"


def test_less_than_signs_of_plain_text_are_cut():
    assert cut("a PASS 1<b and c> AGE z", "PASS 1<b and c> AGE") == "a z"


def test_white_space_between_two_cuts_is_joined_once():
    text = "Before ONE \n TWO after"
    cuts = [Cut(0, 7, 10, 1), Cut(0, 13, 16, 2)]
    assert apply_cuts(Documents([text]), cuts, None) == ("Before after", ["", " "])


def test_overlapping_cuts_become_one():
    cuts = [Cut(0, 5, 9, 2), Cut(0, 1, 6, 1), Cut(1, 0, 3, 1)]
    assert list(merge_cuts(cuts)) == [[Cut(0, 1, 9, 1)], [Cut(1, 0, 3, 1)]]


@pytest.mark.parametrize("text", ["e\u0301", "👩\u200d🚀", "🇫🇷", "👍🏽", "क\u093f"])
def test_no_cut_is_inside_of_a_character(text):
    assert all(is_inside(text, offset) for offset in range(1, len(text)))
    assert whole_characters(f"a{text}b", 0, 2) == (0, 1)


ROWS = [
    {"id": "a", "text": f"First. {SHARED}. End", "note": 'één \\ "x"'},
    {"id": "b", "text": f"Second, “quoted”; {SHARED}, and more", "note": "=1+1"},
    {"id": "c", "text": "Third has nothing", "note": ""},
]
LEFT = ["First. " + SHARED + ". End", "Second, “quoted”; , and more", "Third has nothing"]


def write_jsonl(path):
    path.write_text("".join(json.dumps(row, ensure_ascii=row["id"] != "b") + "\n" for row in ROWS), "utf-8")


def write_gzip(path):
    lines = "".join(
        f' {{"note" : {json.dumps(row["note"])},"text":{json.dumps(row["text"])}, "id":"{row["id"]}"}}\r\n'
        for row in ROWS
    )
    path.write_bytes(gzip.compress(lines.encode()))


def write_csv(path):
    with path.open("w", encoding="utf-16", newline="") as stream:
        writer = csv.DictWriter(stream, ["id", "text", "note"])
        writer.writeheader()
        writer.writerows(ROWS)


def write_parquet(path):
    pq.write_table(pa.Table.from_pylist(ROWS), path, compression="gzip")


def write_arrow(path):
    table = pa.Table.from_pylist(ROWS)
    with pa.OSFile(str(path), "w") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("docs.jsonl", write_jsonl),
        ("docs.jsonl.gz", write_gzip),
        ("docs.csv", write_csv),
        ("docs.parquet", write_parquet),
        ("docs.arrow", write_arrow),
    ],
)
def test_only_the_repeated_passage_changes_in_every_format(tmp_path, name, write):
    write(tmp_path / name)
    found = neardup.dedup_passages(tmp_path / name, tmp_path / f"out.{name}", manifest=tmp_path / "cuts.parquet")
    assert neardup.read(tmp_path / f"out.{name}").texts == LEFT
    assert found.summary["counts"]["removed_stretches"] == 1
    (row,) = pq.read_table(tmp_path / "cuts.parquet").to_pylist()
    assert ROWS[1]["text"][row["start"] : row["end"]] == SHARED
    assert (row["id"], row["passage"], row["dropped"]) == ("b", 1, False)


def test_bytes_of_other_fields_and_lines_stay(tmp_path):
    write_gzip(tmp_path / "docs.jsonl.gz")
    neardup.dedup_passages(tmp_path / "docs.jsonl.gz", tmp_path / "out.jsonl")
    before = gzip.decompress((tmp_path / "docs.jsonl.gz").read_bytes())
    after = (tmp_path / "out.jsonl").read_bytes()
    second = before.rindex(SHARED.encode())
    assert after == before[:second] + before[second + len(SHARED) :]


def test_files_of_a_folder_are_cut_in_their_encoding(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(f"Zuerst: {SHARED}.", "utf-8")
    (tmp_path / "in" / "b.txt").write_bytes(f"Für später übrig: {SHARED}.\r\nÄhnlich.\r\n".encode("cp1252"))
    neardup.dedup_passages(tmp_path / "in", tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_text("utf-8") == f"Zuerst: {SHARED}."
    assert (tmp_path / "out" / "b.txt").read_bytes() == "Für später übrig: .\r\nÄhnlich.\r\n".encode("cp1252")


def test_documents_that_become_too_short_are_reported_and_dropped_on_request(tmp_path):
    rows = [{"id": "a", "text": SHARED}, {"id": "b", "text": SHARED.upper()}, {"id": "c", "text": "other"}]
    (tmp_path / "docs.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    kept = neardup.dedup_passages(tmp_path / "docs.jsonl", tmp_path / "kept.jsonl")
    assert kept.summary["counts"]["too_short"] == 1
    assert neardup.read(tmp_path / "kept.jsonl").texts == [SHARED, "", "other"]
    neardup.dedup_passages(tmp_path / "docs.jsonl", tmp_path / "dropped.jsonl", drop_short=True)
    assert neardup.read(tmp_path / "dropped.jsonl").texts == [SHARED, "other"]


def test_no_text_is_lost_where_passages_are_nested(tmp_path):
    rest = " ".join(f"rest{number}" for number in range(40))
    texts = [f"One {SHARED}", f"Two {SHARED} {rest}", f"Three {SHARED} {rest} four"]
    (tmp_path / "docs.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in texts), "utf-8")
    neardup.dedup_passages(tmp_path / "docs.jsonl", tmp_path / "out.jsonl")
    assert neardup.read(tmp_path / "out.jsonl").texts == [f"One {SHARED}", f"Two {rest}", "Three four"]


def test_a_passage_is_cut_through_pieces_of_markup(tmp_path):
    letter = f"Dear all,<br/><br/>{SHARED.replace(' hull', '<br/>hull')}<br/>It&#39;s me"
    (tmp_path / "docs.jsonl").write_text("\n".join(json.dumps({"text": text}) for text in (SHARED, letter)), "utf-8")
    neardup.dedup_passages(tmp_path / "docs.jsonl", tmp_path / "out.jsonl")
    assert neardup.read(tmp_path / "out.jsonl").texts == [SHARED, "Dear all,<br/><br/><br/>It&#39;s me"]


@pytest.mark.parametrize("name", ["docs.jsonl", "out.jsonl", "folder/../docs.jsonl"])
def test_a_manifest_never_replaces_the_input_or_the_output(tmp_path, name):
    write_jsonl(tmp_path / "docs.jsonl")
    before = (tmp_path / "docs.jsonl").read_bytes()
    with pytest.raises(neardup.OutputError, match="name another file"):
        neardup.dedup_passages(tmp_path / "docs.jsonl", tmp_path / "out.jsonl", manifest=tmp_path / name)
    assert (tmp_path / "docs.jsonl").read_bytes() == before
    assert not (tmp_path / "out.jsonl").exists()


def test_a_format_whose_texts_cannot_be_changed_is_refused(tmp_path):
    (tmp_path / "docs.json").write_text(json.dumps([{"text": SHARED}, {"text": f"Again {SHARED}"}]), "utf-8")
    with pytest.raises(neardup.OutputError, match="cannot be changed"):
        neardup.dedup_passages(tmp_path / "docs.json", tmp_path / "out.json")
    assert not (tmp_path / "out.json").exists()
