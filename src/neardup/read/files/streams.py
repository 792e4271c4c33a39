"""Byte streams with lookahead: plain files, and decompressed gzip, zstd, bz2 and xz, up to a limit.

The compression is recognised by the first bytes, not by the name. The layer below is always read in steps of one size,
so that a damaged stream breaks off at the same byte each time it is read, and everything before it is delivered.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

import pyarrow as pa

from neardup.read.reading import Limits, Unreadable

STEP = 1 << 20

DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowException)
"""What the decompressors raise on damaged bytes."""

_MAGIC = {"gzip": (b"\x1f\x8b\x08",), "zstd": (b"\x28\xb5\x2f\xfd",), "xz": (b"\xfd7zXZ\x00",), "bz2": (b"BZh",)}
_BZ2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # a data block, or the end of an empty file

SUFFIXES = {"gzip": (".gz", ".gzip"), "zstd": (".zst", ".zstd"), "bz2": (".bz2",), "xz": (".xz",)}
"""The suffixes of compressed files."""

_TAR_SUFFIXES = {".tgz": "gzip", ".tbz2": "bz2", ".tbz": "bz2", ".txz": "xz", ".tzst": "zstd"}


class Stream(io.RawIOBase):
    """A byte stream with lookahead and a count of the bytes that were taken."""

    def __init__(self, read: Callable[[int], bytes], close: Callable[[], None] | None = None) -> None:
        self._fetch = read
        self._shut = close
        self._buffered: list[bytes] = []
        self._offset = 0  # into the first buffer, so that small reads do not copy the rest
        self._waiting = 0
        self._ended = False
        self._trouble: Unreadable | None = None
        self.taken = 0

    def readable(self) -> bool:
        """Return True: the decompressors ask for it."""
        return True

    @property
    def broken(self) -> bool:
        """Whether the stream broke off."""
        return self._trouble is not None

    def peek(self, size: int) -> bytes:
        """Return the next bytes without taking them; fewer than requested only at the end."""
        return self._next(size)

    def read(self, size: int | None = -1) -> bytes:
        """Take the next bytes; raise Unreadable if the stream breaks off, after everything before it was taken."""
        taken = self._next(None if size is None or size < 0 else size)
        if self._trouble is not None and not self._waiting and size != 0:
            raise self._trouble
        self._offset += len(taken)
        self._waiting -= len(taken)
        self.taken += len(taken)
        return taken

    def close(self) -> None:
        """Close the layer below."""
        if not self.closed and self._shut is not None:
            self._shut()
        super().close()

    def _next(self, size: int | None) -> bytes:
        while not self._ended and (size is None or self._waiting < size):
            try:
                chunk = self._fetch(STEP)
            except Unreadable as trouble:
                self._trouble, chunk = trouble, b""
            self._ended = not chunk
            self._waiting += len(chunk)
            self._buffered.append(chunk)
        if len(self._buffered) > 1 and (size is None or size > len(self._buffered[0]) - self._offset):
            self._buffered[0] = self._buffered[0][self._offset :]
            self._buffered, self._offset = [b"".join(self._buffered)], 0
        if not self._buffered:
            return b""
        return self._buffered[0][self._offset : self._offset + (self._waiting if size is None else size)]


def open_file(path: Path, advance: Callable[[int], None]) -> Stream:
    """Open a file; `advance` is called with the number of bytes of each read."""
    try:
        file = path.open("rb", buffering=0)
    except OSError as problem:
        raise Unreadable(f"it cannot be opened ({problem.strerror or problem})") from None

    def read(size: int) -> bytes:
        try:
            chunk = file.read(size) or b""
        except OSError as problem:
            raise Unreadable(f"reading it failed ({problem.strerror or problem})") from None
        advance(len(chunk))
        return chunk

    return Stream(read, file.close)


def compression_of(head: bytes) -> str | None:
    """Return the compression that the first bytes show, if any."""
    for codec, magics in _MAGIC.items():
        if head.startswith(magics) and (codec != "bz2" or head[4:10] in _BZ2_BLOCKS):
            return codec
    return None


def compression_named(name: str) -> str | None:
    """Return the compression that the suffix of a name shows, if any."""
    suffix = Path(name.lower()).suffix
    if suffix in _TAR_SUFFIXES:
        return _TAR_SUFFIXES[suffix]
    return next((codec for codec, suffixes in SUFFIXES.items() if suffix in suffixes), None)


def uncompressed_name(name: str) -> str:
    """Return the name without the suffix of its compression: `a.csv` for `a.csv.gz`, `a.tar` for `a.tgz`."""
    suffix = Path(name.lower()).suffix
    if suffix in _TAR_SUFFIXES:
        return name[: -len(suffix)] + ".tar"
    return name[: -len(suffix)] if compression_named(name) else name


def decompress_stream(stream: Stream, codec: str, limits: Limits) -> Stream:
    """Decompress a stream, up to the limits."""
    inner = _decompressor(stream, codec)
    produced = 0

    def read(size: int) -> bytes:
        nonlocal produced
        try:
            chunk = bytes(inner.read(size))
        except DAMAGED as problem:
            raise Unreadable(f"its {codec} data is damaged ({problem})") from None
        produced += len(chunk)
        limits.check_expansion(produced, stream.taken)
        return chunk

    return Stream(read, stream.close)


def read_whole(stream: Stream, limits: Limits) -> bytes:
    """Read a whole stream, for one document or for random access."""
    whole = stream.read(limits.document_bytes + 1)
    if len(whole) > limits.document_bytes:
        raise Unreadable(f"it is larger than {limits.document_bytes:,} bytes")
    stream.read(1)  # raises Unreadable if the stream broke off before its end
    return whole


def compressor(sink: IO[bytes], codec: str) -> Any:
    """Return a writer that compresses into a file."""
    match codec:
        case "gzip":
            # Without a timestamp, the same input gives the same file.
            return gzip.GzipFile(filename="", mode="wb", fileobj=sink, mtime=0)
        case "bz2":
            return bz2.BZ2File(sink, "wb")
        case "xz":
            return lzma.LZMAFile(sink, "wb")
        case _:
            return pa.CompressedOutputStream(pa.PythonFile(sink, "w"), codec)


def _decompressor(stream: Stream, codec: str) -> Any:
    match codec:
        case "gzip":
            return _Inflater(stream)
        case "bz2":
            return bz2.BZ2File(stream)
        case "xz":
            return lzma.LZMAFile(cast(IO[bytes], stream))
        case _:
            return pa.CompressedInputStream(pa.PythonFile(stream, "r"), codec)


class _Inflater:
    """Decompress gzip members in sequence; zeros after the last one are padding. 1.5 times as fast as gzip."""

    def __init__(self, stream: Stream) -> None:
        self._chunks = self._inflate(stream)

    def read(self, _size: int) -> bytes:
        return next(self._chunks, b"")

    def _inflate(self, stream: Stream) -> Iterator[bytes]:
        decoder = None
        while chunk := stream.read(1 << 16):
            while chunk:
                if decoder is None:
                    chunk = chunk.lstrip(b"\0")
                    if not chunk:
                        break
                    decoder = zlib.decompressobj(wbits=31)
                if inflated := decoder.decompress(chunk, STEP):
                    yield inflated
                chunk = decoder.unused_data or decoder.unconsumed_tail
                decoder = None if decoder.eof else decoder
        if decoder is not None:
            raise EOFError("the end marker is missing")
