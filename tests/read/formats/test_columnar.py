import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import read

TABLE = pa.table({"ID": pa.array([3, None, 5]), "Text": ["a", None, "c"], "weight": [1.5, 2.5, 3.5]})


def test_parquet_is_read(tmp_path):
    pq.write_table(TABLE, tmp_path / "a.parquet", row_group_size=2)
    found = read(tmp_path / "a.parquet")
    assert texts(found) == ["a", "", "c"]
    assert ids(found) == ["3", "1", "5"]
    assert statuses(found) == ["ok", "empty", "ok"]
    assert {chunk.type for chunk in found.texts.chunks()} == {pa.large_string()}


@pytest.mark.parametrize("new", [pa.ipc.new_file, pa.ipc.new_stream])
def test_arrow_is_read(tmp_path, new):
    with (tmp_path / "a.arrow").open("wb") as sink, new(sink, TABLE.schema) as writer:
        writer.write_table(TABLE)
    assert texts(read(tmp_path / "a.arrow")) == ["a", "", "c"]


def test_feather_is_read(tmp_path):
    pyarrow.feather.write_feather(TABLE, str(tmp_path / "a.feather"))
    assert texts(read(tmp_path / "a.feather")) == ["a", "", "c"]


@pytest.mark.parametrize(
    ("column", "text"),
    [
        (pa.array(["a", "b"]).dictionary_encode(), ["a", "b"]),
        (pa.array(["a", "b"], pa.string_view()), ["a", "b"]),
        (pa.array([b"a", b"\xff"], pa.binary()), ["a", "\ufffd"]),
        (pa.array([["a", "b"], None]), ["a\nb", ""]),
        (pa.array([1, 2]), ["1", "2"]),
    ],
)
def test_columns_of_other_types_are_converted(tmp_path, column, text):
    with pa.ipc.new_file(tmp_path / "a.arrow", pa.schema([("text", column.type)])) as writer:
        writer.write_table(pa.table({"text": column}))
    assert texts(read(tmp_path / "a.arrow")) == text


def test_column_that_cannot_be_text_is_refused(tmp_path):
    pq.write_table(pa.table({"text": [{"a": 1}]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"has type struct.*which is not text"):
        read(tmp_path / "a.parquet")


def test_a_damaged_file_is_unreadable(tmp_path, write):
    pq.write_table(TABLE, tmp_path / "a.parquet")
    raw = (tmp_path / "a.parquet").read_bytes()
    found = read(write("b.parquet", raw[:-40]))
    assert statuses(found) == ["unreadable"]
    assert "not a valid Parquet file" in found.notes[0]
    assert statuses(read(write("c.arrow", b"ARROW1\0\0" + bytes(50)))) == ["unreadable"]


def test_offsets_outside_the_bytes_are_not_followed(tmp_path, write):
    with pa.ipc.new_file(tmp_path / "a.arrow", pa.schema([("text", pa.string())])) as writer:
        writer.write_table(pa.table({"text": ["aaaa", "bbbb"]}))
    raw = (tmp_path / "a.arrow").read_bytes()
    offsets = b"".join(n.to_bytes(4, "little") for n in (0, 4, 8))
    assert raw.count(offsets) == 1
    wild = raw.replace(offsets, b"".join(n.to_bytes(4, "little") for n in (0, 2**30, 8)))
    assert statuses(read(write("b.arrow", wild))) == ["unreadable"]


def test_invalid_utf8_is_repaired(tmp_path, write):
    pq.write_table(pa.table({"text": ["aXXb"]}), tmp_path / "a.parquet", compression="none", use_dictionary=False)
    raw = (tmp_path / "a.parquet").read_bytes()
    assert texts(read(write("b.parquet", raw.replace(b"aXXb", b"a\xff\xfeb")))) == ["a\ufffd\ufffdb"]
