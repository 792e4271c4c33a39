import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import neardup
from neardup.errors import InputError, SettingsError
from neardup.normalise import LETTER_SCHEMA, LetterReader, Normaliser, attributes
from neardup.records import Documents

MAIN = "Docket OAR-2002-0056: please limit mercury from power plants — as far as the law allows — for our children."
MAIL = (
    "From: Ann Poe <ann@example.org>\nTo: a-and-r-docket@epa.gov\nSubject: Mercury rule\n\n"
    f"Dear Administrator Leavitt,\n\n{MAIN}\n\nSincerely,\nJané Roe\n12 Main Street\nAkron, OH 44301\n\n"
    "--\nThis message was sent by the Sierra Club\n"
)
PAGE = (
    "<html><body><p>Dear EPA,</p><p>Cafés &amp; plants emit much of it, please act now.</p>"
    "<p>Sincerely,<br>Jane Roe</p></body></html>"
)


def extract_one(text, **options):
    return neardup.extract([text], **options).to_pylist()[0]


def cut(text, row):
    return [(part["kind"], text[part["start"] : part["end"]]) for part in row["parts"]]


def check_cover(text, row):
    """Check that the parts are in order, disjoint, and leave nothing of the text out."""
    bounds = [(part["start"], part["end"]) for part in row["parts"]]
    assert all(start <= end for start, end in bounds)
    assert [start for start, _ in bounds] == [0, *(end for _, end in bounds)][: len(bounds)]
    assert (bounds[-1][1] if bounds else 0) == len(text)


def test_mail_is_split_into_parts():
    row = extract_one(MAIL)
    assert row | {"parts": 0} == {
        "id": "0",
        "status": "ok",
        "sender": "Jané Roe",
        "receiver": "Administrator Leavitt",
        "time": None,
        "docket": ["EPA-HQ-OAR-2002-0056"],
        "topic": "Mercury rule",
        "relayer": "sierra club",
        "address": "12 Main Street\nAkron, OH 44301",
        "salutation": "Dear Administrator Leavitt,",
        "signature": "Sincerely,\nJané Roe",
        "footer": "--\nThis message was sent by the Sierra Club",
        "header": "From: Ann Poe <ann@example.org>\nTo: a-and-r-docket@epa.gov\nSubject: Mercury rule",
        "quoted": None,
        "main": MAIN,
        "parts": 0,
    }
    check_cover(MAIL, row)
    assert [(kind, piece.strip()) for kind, piece in cut(MAIL, row)] == [
        (kind, row[kind]) for kind in ("header", "salutation", "main", "signature", "address", "footer")
    ]


def test_columns_take_precedence_over_the_text_except_for_dockets():
    names = ["sender", "receiver", "topic", "relayer", "docket"]
    given = pa.table(
        [["S", None], ["R", " "], ["T", ""], ["MoveOn", None], ["DOT-2003-16128", "dot 2003 16128"]], names=names
    )
    rows = neardup.extract(Documents([MAIL, "Please act."], attributes=given)).to_pylist()
    assert [rows[0][name] for name in names] == ["S", "R", "T", "MoveOn", ["EPA-HQ-OAR-2002-0056"]]
    assert [rows[1][name] for name in names[:4]] == [None] * 4
    assert rows[1]["docket"] == LetterReader().rules(Normaliser().open(Documents([""]))).spell(["dot 2003 16128"])


def test_ids_times_and_statuses_come_from_the_reader():
    table = pa.table({"id": ["a", "b", "c"], "time": ["2004-01-30", None, None], "text": [MAIL, None, " \n\t"]})
    found = neardup.extract(table)
    assert found.schema == LETTER_SCHEMA
    assert found["id"].to_pylist() == ["a", "b", "c"]
    assert [time and time.isoformat() for time in found["time"].to_pylist()] == [
        "2004-01-30T00:00:00+00:00",
        None,
        None,
    ]
    assert found["status"].to_pylist()[0] == "ok"
    assert found["status"].to_pylist()[2] == "empty"
    assert found["main"].to_pylist()[1:] == [None, None]


def test_offsets_of_a_page_point_into_its_source():
    row = extract_one(PAGE)
    check_cover(PAGE, row)
    assert row["main"] == "Cafés & plants emit much of it, please act now."
    assert cut(PAGE, row) == [
        ("salutation", "<html><body><p>Dear EPA,</p><p>"),
        ("main", "Cafés &amp; plants emit much of it, please act now.</p><p>"),
        ("signature", "Sincerely,<br>Jane Roe</p></body></html>"),
    ]


def test_offsets_of_decomposed_text_point_into_it():
    text = "Cafe\u0301s emit much of it, please act now.\n\nSincerely,\nJose\u0301"
    row = extract_one(text)
    check_cover(text, row)
    assert row["signature"] == "Sincerely,\nJosé"
    assert cut(text, row)[1] == ("signature", "Sincerely,\nJose\u0301")


def test_entities_of_a_document_marked_as_a_page_are_decoded():
    documents = Documents(["Plants &amp; cars emit it."], html=np.array([True]))
    row = neardup.extract(documents).to_pylist()[0]
    assert (row["main"], row["parts"]) == ("Plants & cars emit it.", [{"kind": "main", "start": 0, "end": 26}])


def test_characters_assumed_unchanged_are_not_changed_by_normalisation():
    unchanged = "".join(filter(attributes._UNCHANGED.fullmatch, map(chr, range(0x3000))))
    assert len(unchanged) > 0x300
    for text in (unchanged, unchanged[::-1], " ".join(unchanged)):
        assert Normaliser().open(Documents([text])).prepared(0) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\x00",
        "\ud800",
        "Dear \udfff sir,\n\nplease act on this now 🐋.\n\nSincerely,\nJane \ud800 Roe",
        "Sincerely,\nJane Roe",
        "> quoted\n> reply\n\nOn Monday, Bob wrote:\n> Dear EPA,\n> no\n",
        "<html>",
        "<html>\x00<script>x</script>",
        "\r\r\n\u2028 Dear\u2029",
        "-- \n" * 500,
        "Dear " * 5000,
    ],
)
def test_parts_of_hostile_letters_cover_the_text(text):
    row = extract_one(text)
    check_cover(text, row)


lines = st.one_of(
    st.sampled_from(
        ["", "Dear EPA,", "Sincerely,", "Jane Roe", "12 Main St", "Akron, OH 44301", "--", "> no", "Re: x"]
    ),
    st.text(max_size=30),
    st.sampled_from(["<p>", "<br>", "&amp;&eacute;", "e\u0301ß", "From: a@b.org", "Please limit mercury now."]),
)


@given(st.lists(lines, max_size=12), st.booleans())
@settings(max_examples=200, deadline=None)
def test_parts_are_disjoint_and_cover_all_words(pieces, is_page):
    text = "\n".join([*["<html>"] * is_page, *pieces])
    row = extract_one(text)
    check_cover(text, row)
    if not is_page and row["main"] and text == Normaliser().for_letters().open(Documents([text])).prepared(0):
        assert (
            "\n".join(filter(None, (piece.strip() for kind, piece in cut(text, row) if kind == "main"))) == row["main"]
        )


@given(st.lists(st.text(max_size=20), max_size=6))
@settings(max_examples=100, deadline=None)
def test_rebuilt_text_has_the_words_of_the_original(pieces):
    texts = Normaliser().open(Documents(["<html>" + "<p>".join(pieces)]))
    again = Normaliser(markup="plain").open(Documents([texts.prepared(0)]))
    assert np.array_equal(texts.tokens(0)[2], again.tokens(0)[2])


def test_batch_size_does_not_change_the_parts(monkeypatch):
    letters = [MAIL, "", PAGE, "Please act."]
    whole = neardup.extract(letters)
    monkeypatch.setattr(attributes, "BATCH", 3)
    assert neardup.extract(pa.table({"text": letters})).drop_columns("status").equals(whole.drop_columns("status"))
    assert neardup.extract([]).num_rows == 0


def test_rules_for_dockets_are_read_from_a_file(tmp_path):
    (tmp_path / "dockets.toml").write_text('patterns = ["ZZ-[0-9]{3}"]\n', "utf-8")
    assert extract_one("About ZZ-123: please act.")["docket"] == []
    assert extract_one("About ZZ-123: please act.", dockets=tmp_path / "dockets.toml")["docket"] == ["ZZ-123"]
    with pytest.raises(InputError, match="rules for docket numbers"):
        extract_one("x", dockets=tmp_path / "none.toml")
    with pytest.raises(SettingsError, match="threads"):
        extract_one("x", threads=-1)
