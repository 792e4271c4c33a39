"""Write files of lines without some of their records; every other byte stays as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import IO, TypeAlias

import numpy as np

from neardup.read.files.originals import lossless_decoder, lossless_errors
from neardup.read.files.streams import Stream
from neardup.read.formats.keeping import Copy
from neardup.read.formats.lines.scanning import Rule, scan

Read: TypeAlias = Callable[[int], bytes]
Write: TypeAlias = Callable[[bytes], object]

_DOUBLE_BYTE = ("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr")


def write_lines(copy: Copy, encoding: str, mark: bytes, rule: Rule, *, header: bool) -> None:
    """Write the lines or rows to keep; the header, blank lines, quotes and line ends stay as they are.

    `mark` is the byte order mark of the file.
    """
    with contextlib.closing(copy.reopen()) as original:
        copy.sink.write(original.stream.read(len(mark)))
        read, write = _open_ascii(original.stream, encoding, rule, copy.sink)
        for block in scan(read, rule):
            rows = np.flatnonzero(~block.blank)
            if header and len(rows):
                header, rows = False, rows[1:]
            kept = np.ones(len(block.starts), bool)
            kept[rows] = copy.keep.take(len(rows))
            edges = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]])))
            for first, last in edges.reshape(-1, 2).tolist():
                write(block.buffer[block.starts[first] : block.ends[last - 1]])


def _open_ascii(raw: Stream, encoding: str, rule: Rule, sink: IO[bytes]) -> tuple[Read, Write]:
    """Return a function to read bytes in which ASCII characters are single bytes, and one to write such bytes back."""
    wide = encoding.startswith(("utf-16", "utf-32"))
    # In these encodings the second byte of a character can be a bar or a backslash, but no other delimiter.
    ambiguous = encoding in _DOUBLE_BYTE and (rule.delimiter == b"|" or rule.escaping)
    if not wide and not ambiguous:
        return raw.read, sink.write
    decode = lossless_decoder(encoding)

    def read(size: int) -> bytes:
        while True:
            chunk = raw.read(size)
            decoded = decode(chunk)
            if decoded or not chunk:
                return decoded.encode("utf-8", "surrogatepass")

    def write(piece: bytes) -> None:
        sink.write(piece.decode("utf-8", "surrogatepass").encode(encoding, lossless_errors(encoding)))

    return read, write
