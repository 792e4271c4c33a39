import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from read_samples import tarred, texts, zipped

from neardup.errors import InputError, OutputError
from neardup.read import read, write_kept

CSV = b'id,text\r\n1,"a\r\nb"\r\n\r\n2,"say ""x"""\r\n3, c \r\n4,bro,ken\r\n5,"e"'
LINES = b'{"id": 1,  "text": "a"}\r\n\n  {"text":"b"}\nbad line\n{"text": "d", "x": 1.0}'
LINE = b"From a@b.example Mon Nov 20 19:12:08 1995\n"
MBOX = LINE + b"From: a@b.example\n\none\n>From x\n\n" + LINE + b"From: b@b.example\n\ntwo\n\n" + LINE + b"X: y\n\n3\n"


def keep(*flags):
    return np.array(flags, bool)


@pytest.mark.parametrize(
    ("name", "content", "flags", "expected"),
    [
        ("a.csv", CSV, (1, 1, 1, 1, 1), CSV),
        ("a.csv", CSV, (1, 0, 1, 0, 1), b'id,text\r\n1,"a\r\nb"\r\n\r\n3, c \r\n5,"e"'),
        ("a.csv", CSV, (0, 0, 0, 1, 0), b"id,text\r\n\r\n4,bro,ken\r\n"),
        ("a.csv", b"\xef\xbb\xbf" + CSV, (0, 0, 0, 0, 1), b'\xef\xbb\xbfid,text\r\n\r\n5,"e"'),
        ("a.csv", b"id;text\r1;a\r2;b\r", (0, 1), b"id;text\r2;b\r"),
        ("a.csv", b"id,text\n1,caf\xe9\n2,\xff\xfe\n3,z\n", (1, 1, 0), b"id,text\n1,caf\xe9\n2,\xff\xfe\n"),
        ("a.csv", "id,text\n1,é\n2,\n3,漢\n".encode("utf-16"), (1, 0, 1), "id,text\n1,é\n3,漢\n".encode("utf-16")),
        ("a.csv", "id|text\n1|漢字\n2|字\n".encode("gb18030"), (0, 1), "id|text\n2|字\n".encode("gb18030")),
        (
            "a.tsv",
            b"ham\tGo until jurong point\nspam\tFree entry\nham\tOk\n",
            (0, 1, 1),
            b"spam\tFree entry\nham\tOk\n",
        ),
        ("a.jsonl", LINES, (1, 0, 0, 1), b'{"id": 1,  "text": "a"}\r\n\n{"text": "d", "x": 1.0}'),
        ("a.jsonl", LINES, (0, 1, 1, 0), b'\n  {"text":"b"}\nbad line\n'),
        ("a.json", b'[ {"text":"a"} ,\n {"text":"b"},{"text":1.0}]\n', (0, 1, 1), b'[ {"text":"b"},{"text":1.0}]\n'),
        (
            "a.json",
            b'{"n":1,"data":[{"text":"a"}, {"text":"b"}],"z":2}',
            (1, 0),
            b'{"n":1,"data":[{"text":"a"}],"z":2}',
        ),
        ("a.json", b'["a", "b"]', (0, 0), b"[]"),
        ("a.json", b'[{"text":"a"}, {bad}, {"text":"\xff"}]', (0, 1, 1), b'[{bad}, {"text":"\xff"}]'),
        ("a.mbox", MBOX, (1, 0, 1), MBOX[: MBOX.index(LINE, 1)] + MBOX[MBOX.rindex(LINE) :]),
        ("a.txt", b"text \xff", (1,), b"text \xff"),
    ],
)
def test_kept_records_are_copied_byte_by_byte(write, tmp_path, name, content, flags, expected):
    output = tmp_path / f"out-{name}"
    assert write_kept(write(name, content), keep(*flags), output) == sum(flags)
    assert output.read_bytes() == expected


@pytest.mark.parametrize(
    ("suffix", "pack", "unpack"),
    [
        ("gz", gzip.compress, gzip.decompress),
        ("bz2", bz2.compress, bz2.decompress),
        ("xz", lzma.compress, lzma.decompress),
        (
            "zst",
            lambda raw: pa.compress(raw, "zstd", asbytes=True),
            lambda raw: pa.input_stream(io.BytesIO(raw), "zstd").read(),
        ),
    ],
)
def test_compression_follows_the_output_name(write, tmp_path, suffix, pack, unpack):
    path = write(f"a.csv.{suffix}", pack(b"id,text\n1,a\n2,b\n"))
    write_kept(path, keep(0, 1), tmp_path / f"out.csv.{suffix}")
    assert unpack((tmp_path / f"out.csv.{suffix}").read_bytes()) == b"id,text\n2,b\n"
    write_kept(path, keep(0, 1), tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == b"id,text\n2,b\n"
    write_kept(path, keep(1, 1), tmp_path / f"all.csv.{suffix}")
    assert (tmp_path / f"all.csv.{suffix}").read_bytes() == path.read_bytes()


def test_parquet_keeps_schema_metadata_and_compression(tmp_path):
    schema = pa.schema([("text", pa.large_string()), ("n", pa.int8())], metadata={"made": "here"})
    table = pa.table({"text": ["a", "b", "c"], "n": [1, 2, 3]}, schema)
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=2, compression="zstd")
    assert write_kept(tmp_path / "a.parquet", keep(0, 1, 1), tmp_path / "b.parquet") == 2
    found = pq.ParquetFile(tmp_path / "b.parquet")
    assert found.read().to_pylist() == [{"text": "b", "n": 2}, {"text": "c", "n": 3}]
    assert found.schema_arrow.equals(schema, check_metadata=True)
    assert found.metadata.row_group(0).column(0).compression == "ZSTD"


@pytest.mark.parametrize(("new", "old"), [(pa.ipc.new_file, pa.ipc.open_file), (pa.ipc.new_stream, pa.ipc.open_stream)])
def test_arrow_files_and_streams_keep_their_kind(tmp_path, new, old):
    table = pa.table({"text": ["a", "b", "c"]}).replace_schema_metadata({"made": "here"})
    with new(tmp_path / "a.arrow", table.schema) as writer:
        writer.write_table(table, max_chunksize=2)
    write_kept(tmp_path / "a.arrow", keep(0, 1, 1), tmp_path / "b.arrow")
    found = old((tmp_path / "b.arrow").read_bytes()).read_all()
    assert found["text"].to_pylist() == ["b", "c"]
    assert found.schema.metadata == {b"made": b"here"}


def test_a_folder_gives_a_folder(write, tmp_path):
    write("in/a.csv", "id,text\n1,a\n2,b\n")
    write("in/sub/b.txt", "b")
    write("in/c.txt.gz", gzip.compress(b"c"))
    write("in/.hidden", "x")
    assert write_kept(tmp_path / "in", keep(0, 1, 1, 0), tmp_path / "out") == 2
    assert sorted(str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*")) == [
        "a.csv",
        "c.txt.gz",
    ]
    assert (tmp_path / "out/a.csv").read_text() == "id,text\n2,b\n"
    assert (tmp_path / "out/c.txt.gz").read_bytes() == (tmp_path / "in/c.txt.gz").read_bytes()


def test_several_inputs_are_written_under_their_names(write, tmp_path):
    one, two = write("in/x.txt", "1").parent, write("two/x.txt", "2").parent
    csv = write("a.csv", "id,text\n1,a\n2,b\n")
    assert write_kept([one, two, csv], keep(1, 1, 1, 0), tmp_path / "out") == 3
    assert (tmp_path / "out/in/x.txt").read_text() == "1"
    assert (tmp_path / "out/two/x.txt").read_text() == "2"
    assert (tmp_path / "out/a.csv").read_text() == "id,text\n1,a\n"
    with pytest.raises(OutputError, match=r"two inputs are called x\.txt"):
        write_kept([one / "x.txt", two / "x.txt"], keep(1, 1), tmp_path / "other")


MEMBERS = {"a.csv": b"id,text\n1,a\n2,b\n", "folder/": b"", "folder/b.txt": b"b", "c.txt": b"c", ".hidden": b"h"}


def test_zip_keeps_members_and_their_attributes(write, tmp_path):
    raw = zipped(MEMBERS | {"inner.zip": zipped({"d.txt": b"d", "e.txt": b"e"})})
    write_kept(write("a.zip", raw), keep(0, 1, 1, 0, 0, 1), tmp_path / "b.zip")
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["a.csv", "folder/", "folder/b.txt", ".hidden", "inner.zip"]
        assert archive.read("a.csv") == b"id,text\n2,b\n"
        assert archive.getinfo("a.csv").date_time == zipfile.ZipFile(tmp_path / "a.zip").getinfo("a.csv").date_time
        with zipfile.ZipFile(io.BytesIO(archive.read("inner.zip"))) as inner:
            assert inner.namelist() == ["e.txt"]


def test_tar_keeps_members_and_their_attributes(write, tmp_path):
    raw = gzip.compress(tarred({name: content for name, content in MEMBERS.items() if not name.endswith("/")}))
    write_kept(write("a.tar.gz", raw), keep(0, 1, 1, 0), tmp_path / "b.tar.gz")
    with tarfile.open(tmp_path / "b.tar.gz", "r:gz") as archive:
        assert archive.getnames() == ["a.csv", "folder/b.txt", ".hidden"]
        assert archive.extractfile("a.csv").read() == b"id,text\n2,b\n"


def test_number_of_flags_must_match_the_records(write, tmp_path):
    path = write("a.csv", "id,text\n1,a\n2,b\n")
    with pytest.raises(InputError, match="more records"):
        write_kept(path, keep(1), tmp_path / "b.csv")
    with pytest.raises(InputError, match="fewer records"):
        write_kept(path, keep(1, 1, 1), tmp_path / "b.csv")
    assert [item.name for item in tmp_path.iterdir()] == ["a.csv"]


def test_inputs_are_never_overwritten(write, tmp_path):
    path = write("in/a.csv", "id,text\n1,a\n")
    with pytest.raises(OutputError, match="is an input"):
        write_kept(path, keep(1), path)
    with pytest.raises(OutputError, match="is inside an input folder"):
        write_kept(path.parent, keep(1), path.parent / "out")
    with pytest.raises(OutputError, match="is a folder"):
        write_kept(path, keep(1), tmp_path)
    write("full/x", "x")
    with pytest.raises(OutputError, match="a new or an empty folder"):
        write_kept(path.parent, keep(1), tmp_path / "full")
    assert path.read_text() == "id,text\n1,a\n"


def test_unwritable_output_is_refused(write, tmp_path):
    path = write("a.csv", "id,text\n1,a\n")
    write("file", "x")
    with pytest.raises(OutputError, match="cannot write"):
        write_kept(path, keep(1), tmp_path / "file" / "b.csv")


def test_existing_file_is_replaced_with_the_permissions_of_the_input(write, tmp_path):
    path = write("a.csv", "id,text\n1,a\n")
    path.chmod(0o640)
    output = write("b.csv", "old")
    write_kept(path, keep(1), output)
    assert output.read_text() == "id,text\n1,a\n"
    assert output.stat().st_mode & 0o777 == 0o640
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.slow
def test_damaged_files_are_copied_whole_or_not_at_all(write, tmp_path):
    raw = gzip.compress(b"id,text\n" + b"".join(b"%d,%d\n" % (n, n * 7919) for n in range(300_000)))
    path = write("a.csv.gz", raw[: len(raw) // 2])
    flags = np.ones(len(read(path)), bool)
    write_kept(path, flags, tmp_path / "b.csv.gz")
    assert (tmp_path / "b.csv.gz").read_bytes() == path.read_bytes()
    flags[0] = False
    with pytest.raises(OutputError, match="damaged"):
        write_kept(path, flags, tmp_path / "c.csv.gz")
    assert not (tmp_path / "c.csv.gz").exists()


def test_named_columns_must_be_named_again(write, tmp_path):
    path = write("a.csv", "ham,alpha beta gamma delta epsilon zeta eta\nham,two\n")
    assert texts(read(path)) == ["alpha beta gamma delta epsilon zeta eta", "two"]
    assert texts(read(path, id="ham")) == ["two"]
    write_kept(path, keep(0), tmp_path / "b.csv", id="ham")
    assert (tmp_path / "b.csv").read_text() == "ham,alpha beta gamma delta epsilon zeta eta\n"


pieces = {
    "csv": st.sampled_from(['"', ",", "\n", "\r\n", "\r", " ", "a", "b;", "\\", "é", '""', ',"', '",', "\0", "\t"]),
    "jsonl": st.sampled_from(
        ['{"text":"a"}', "\n", " ", "{", "}", '"x"', "1", '{"text":1}', "é", '{"id":1,"text":"b"}\n']
    ),
    "json": st.sampled_from(["[", '{"text":"a"}', ",", '{"text":"b"}', "]", "}", '{"data":', '"x"', "1", " "]),
    "mbox": st.sampled_from([LINE.decode(), "From: a@b\n", "\n", "text\n", ">From x\n"]),
}


@given(
    st.sampled_from(sorted(pieces)).flatmap(lambda kind: st.tuples(st.just(kind), st.lists(pieces[kind]))), st.randoms()
)
def test_reading_and_rewriting_count_the_same_records(tmp_path_factory, drawn, random):
    kind, parts = drawn
    folder = tmp_path_factory.mktemp("rewrite")
    (folder / "in").mkdir()
    (folder / "in" / f"a.{kind}").write_bytes("".join(parts).encode())
    flags = [random.random() < 0.5 for _ in range(len(read(folder / "in", text=None)))]
    assert write_kept(folder / "in", keep(*flags), folder / "out") == sum(flags)
