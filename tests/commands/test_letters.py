"""neardup letters."""

import json
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

import neardup as package

LETTER = "Dear EPA,\n\nDocket OAR-2002-0056: please limit mercury now.\n\nSincerely,\nJane Roe\n"
HOSTILE = 'a\x00\x0b\x1b\ufffe ]]> <main> & "q"\r\n'


@pytest.fixture
def docket(letters):
    rows = [{"id": 'x\n"<&', "text": LETTER + HOSTILE}, {"id": "b", "text": LETTER}, {"id": "c", "text": ""}]
    (letters / "docket.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return letters


def test_parquet_and_json_lines_contain_the_rows_of_extract(neardup, docket):
    expected = package.extract(docket / "docket.jsonl")
    done = neardup("letters", "docket.jsonl", "-o", "out.parquet")
    assert done.returncode == 0, done.stderr
    assert "3 letters: 2 with sender" in done.stdout
    assert "Written: out.parquet" in done.stdout
    assert pq.read_table(docket / "out.parquet").equals(expected)
    assert neardup("letters", "docket.jsonl", "-o", "out.jsonl", "-q").stdout == ""
    lines = (docket / "out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in lines] == expected.to_pylist()


def test_xml_is_well_formed_for_any_letter(neardup, docket):
    assert neardup("letters", "docket.jsonl", "-o", "out.xml").returncode == 0
    first, second, third = ElementTree.parse(docket / "out.xml").getroot()
    rows = package.extract(docket / "docket.jsonl").to_pylist()
    assert first.attrib == {"id": 'x\n"<&', "status": "ok"}
    texts = "".join(first.itertext())
    assert 'a\ufffd\ufffd\ufffd\ufffd ]]> <main> & "q"' in texts
    assert [second.findtext(name) for name in ("sender", "docket", "main")] == [
        "Jane Roe",
        "EPA-HQ-OAR-2002-0056",
        rows[1]["main"],
    ]
    assert second.find("topic") is None
    assert [{**part.attrib} for part in second.findall("part")] == [
        {name: str(value) for name, value in part.items()} for part in rows[1]["parts"]
    ]
    assert (third.get("status"), len(third)) == ("empty", 0)


def test_options_reach_the_reader_and_the_rules(neardup, docket):
    (docket / "rules.toml").write_text('patterns = ["ZZ-[0-9]{3}"]\n', "utf-8")
    (docket / "other.csv").write_text("key,words,when\nk1,About ZZ-123: please act.,2004-01-30\n", "utf-8")
    columns = ("--text", "words", "--id", "key", "--time", "when")
    done = neardup("letters", "other.csv", "-o", "o.jsonl", *columns, "--dockets", "rules.toml", "--threads", "1")
    assert done.returncode == 0, done.stderr
    row = json.loads((docket / "o.jsonl").read_text("utf-8"))
    assert (row["id"], row["docket"], row["time"][:10]) == ("k1", ["ZZ-123"], "2004-01-30")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("docket.jsonl", "-o", "out.doc"), ".parquet, .jsonl or .xml"),
        (("docket.jsonl", "-o", "docket.jsonl/x.xml"), "cannot write"),
        (("docket.jsonl",), "--output"),
        (("docket.jsonl", "-o", "out.xml", "--dockets", "none.toml"), "docket numbers"),
        (("none.csv", "-o", "out.xml"), "none.csv"),
    ],
)
def test_letters_errors_are_reported_and_leave_no_file(neardup, docket, arguments, message):
    before = sorted(docket.iterdir())
    done = neardup("letters", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert sorted(docket.iterdir()) == before
