"""Bytes in order, with a look ahead: plain files and what gzip, zstd, bz2 and xz unfold to, up to a limit.

Compression is told by the first bytes, not by the name. Whatever is asked for, the layer below is read in steps of one
size: so a damaged stream breaks off at the same byte each time it is read, and everything before that is delivered.
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

BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, pa.ArrowException)
"""What the decompressors raise on damaged bytes."""

_MAGIC = {"gzip": (b"\x1f\x8b\x08",), "zstd": (b"\x28\xb5\x2f\xfd",), "xz": (b"\xfd7zXZ\x00",), "bz2": (b"BZh",)}
_BZ2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # a block of text, or the end of an empty file

SUFFIXES = {"gzip": (".gz", ".gzip"), "zstd": (".zst", ".zstd"), "bz2": (".bz2",), "xz": (".xz",)}
"""How files of each compression are called."""

_TAR_SUFFIXES = {".tgz": "gzip", ".tbz2": "bz2", ".tbz": "bz2", ".txz": "xz", ".tzst": "zstd"}


class Stream(io.RawIOBase):
    """Bytes that come once, with a look ahead and a count of what was taken."""

    def __init__(self, read: Callable[[int], bytes], close: Callable[[], None] | None = None) -> None:
        self._fetch = read
        self._shut = close
        self._ahead: list[bytes] = []
        self._offset = 0  # of the first of them, so that small reads do not copy what follows
        self._waiting = 0
        self._ended = False
        self._trouble: Unreadable | None = None
        self.taken = 0

    def readable(self) -> bool:
        """Say that the stream can be read, as the decompressors ask."""
        return True

    @property
    def broken(self) -> bool:
        """Say whether the stream was found to break off."""
        return self._trouble is not None

    def peek(self, size: int) -> bytes:
        """Return the next bytes without taking them, fewer than asked only at the end."""
        return self._next(size)

    def read(self, size: int | None = -1) -> bytes:
        """Take the next bytes; raise Unreadable where the stream breaks off, once all before it is taken."""
        taken = self._next(None if size is None or size < 0 else size)
        if self._trouble is not None and not self._waiting and size != 0:
            raise self._trouble
        self._offset += len(taken)
        self._waiting -= len(taken)
        self.taken += len(taken)
        return taken

    def close(self) -> None:
        """Close what is below."""
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
            self._ahead.append(chunk)
        if len(self._ahead) > 1 and (size is None or size > len(self._ahead[0]) - self._offset):
            self._ahead[0] = self._ahead[0][self._offset :]
            self._ahead, self._offset = [b"".join(self._ahead)], 0
        if not self._ahead:
            return b""
        return self._ahead[0][self._offset : self._offset + (self._waiting if size is None else size)]


def open_file(path: Path, advance: Callable[[int], None]) -> Stream:
    """Open a file whose bytes are counted as they are read."""
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
    """Tell the compression by the first bytes."""
    for codec, magics in _MAGIC.items():
        if head.startswith(magics) and (codec != "bz2" or head[4:10] in _BZ2_BLOCKS):
            return codec
    return None


def compression_named(name: str) -> str | None:
    """Tell the compression by the end of the name."""
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


def unfold(stream: Stream, codec: str, limits: Limits) -> Stream:
    """Decompress a stream, up to the limit for one member."""
    inner = _decompressor(stream, codec)
    produced = 0

    def read(size: int) -> bytes:
        nonlocal produced
        try:
            chunk = bytes(inner.read(size))
        except BROKEN as problem:
            raise Unreadable(f"its {codec} compression is broken ({problem})") from None
        produced += len(chunk)
        if produced > limits.member_bytes and produced > limits.ratio * max(stream.taken, 1):
            raise Unreadable(f"it unfolds to more than {limits.ratio} times its size, so it is taken for a bomb")
        return chunk

    return Stream(read, stream.close)


def read_whole(stream: Stream, limits: Limits) -> bytes:
    """Read all of a stream that is one document or needs random access."""
    whole = stream.read(limits.document_bytes + 1)
    if len(whole) > limits.document_bytes:
        raise Unreadable(f"it is larger than {limits.document_bytes:,} bytes")
    stream.read(1)  # raises if the stream broke off rather than ended
    return whole


def compressor(sink: IO[bytes], codec: str) -> Any:
    """Open a writer that compresses into a file."""
    match codec:
        case "gzip":
            # Without a time stamp the same input gives the same file.
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
    """Gzip members one after the other; zeros after the last are padding. Half as fast again as the gzip module."""

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
            raise EOFError("it ends before its end mark")
