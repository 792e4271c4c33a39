import bz2
import gzip
import lzma

import pyarrow as pa
import pytest
from read_samples import ids, statuses, texts

from neardup.errors import InputError
from neardup.read import Limits, read
from neardup.read.files.streams import Stream, compression_of, decompress_stream
from neardup.read.reading import Unreadable

COMPRESS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lambda raw: lzma.compress(raw, preset=0),
    "zst": lambda raw: pa.compress(raw, "zstd", asbytes=True),
}
CSV = b"id,text\n1,a\n2,b\n"


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("name", ["a.csv.{}", "a.csv"])
def test_compression_is_recognised_by_the_bytes(write, suffix, name):
    found = read(write(name.format(suffix), COMPRESS[suffix](CSV)))
    assert texts(found) == ["a", "b"]
    assert ids(found) == ["1", "2"]


@pytest.mark.parametrize("suffix", COMPRESS)
def test_concatenated_streams_are_read(write, suffix):
    compress = COMPRESS[suffix]
    assert texts(read(write(f"a.txt.{suffix}", compress(b"one ") + compress(b"two")))) == ["one two"]


def test_padding_after_gzip_is_ignored(write):
    assert texts(read(write("a.txt.gz", gzip.compress(b"one") + bytes(100_000)))) == ["one"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", COMPRESS)
def test_records_before_a_break_are_read(write, suffix):
    rows = b"".join(b"%d,%s\n" % (n, b"%x" % (n * 2654435761 % 2**32)) for n in range(200_000))
    raw = COMPRESS[suffix](b"id,text\n" + rows)
    path = write(f"a.csv.{suffix}", raw[: len(raw) * 3 // 4])
    found = read(path)
    assert 1000 < len(found) < 200_000
    assert statuses(found)[-2:] == ["ok", "unreadable"]
    assert ids(found)[-1] == path.name
    assert found.counts["unreadable"] == 1
    assert "data is damaged" in found.notes[-1]
    assert "text from 'text'" in found.notes[0]
    with pytest.raises(InputError, match="data is damaged"):
        read(path, strict=True)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_decompression_bomb_is_unreadable(write, read_within, suffix):
    found = read_within(write(f"a.txt.{suffix}", COMPRESS[suffix](bytes(30_000_000))), Limits(member_bytes=1_000_000))
    assert statuses(found) == ["unreadable"]
    assert "which suggests a bomb" in found.notes[0]


def test_document_over_the_limit_is_unreadable(write, read_within):
    found = read_within(write("a.txt", "x" * 101), Limits(document_bytes=100))
    assert statuses(found) == ["unreadable"]
    assert statuses(read_within(write("b.txt", "x" * 100), Limits(document_bytes=100))) == ["ok"]


def test_more_than_two_compressions_are_unreadable(write):
    raw = b"text"
    for _ in range(3):
        raw = gzip.compress(raw)
    assert "compressed more than 2 times" in read(write("a.gz", raw)).notes[0]


def test_text_that_begins_like_a_compressed_file_is_text(write):
    assert compression_of(b"BZhello, this is text") is None
    assert texts(read(write("a.txt", "BZhello"))) == ["BZhello"]


def test_stream_delivers_everything_before_it_breaks():
    chunks = iter([b"abc", b"def"])

    def fetch(_size: int) -> bytes:
        for chunk in chunks:
            return chunk
        raise Unreadable("broken")

    stream = Stream(fetch)
    assert stream.peek(100) == b"abcdef"
    assert stream.read(4) == b"abcd"
    assert stream.read() == b"ef"
    assert stream.taken == 6
    with pytest.raises(Unreadable, match="broken"):
        stream.read(1)


def test_close_reaches_the_lowest_layer():
    closed = []
    bottom = Stream(lambda _size: b"", lambda: closed.append(True))
    decompress_stream(bottom, "gzip", Limits()).close()
    assert closed == [True]
