"""Write files of lines without some of their records; every other byte stays as it is."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TypeAlias

import numpy as np

from neardup.read.files.originals import lossless_decoder, lossless_errors
from neardup.read.files.streams import Stream
from neardup.read.formats.keeping import Copy
from neardup.read.formats.lines.scanning import Rule, scan

Read: TypeAlias = Callable[[int], bytes]
Write: TypeAlias = Callable[[bytes], object]
Replace: TypeAlias = Callable[[bytes, str, str], bytes]

_DOUBLE_BYTE = ("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr")


@dataclass(frozen=True, slots=True)
class Lines:
    """A file of lines: its encoding, its byte order mark, how records are separated, and whether the first is a header.

    `replace` returns a record with another text, which is given in the encoding of the record.
    """

    encoding: str
    mark: bytes
    rule: Rule
    header: bool
    replace: Replace


def write_lines(copy: Copy, lines: Lines) -> None:
    """Write the lines or rows to keep; the header, blank lines, quotes and line ends stay as they are."""
    rule, header = lines.rule, lines.header
    with contextlib.closing(copy.reopen()) as original:
        copy.sink.write(original.stream.read(len(lines.mark)))
        read, write, inner = _open_ascii(original.stream, lines.encoding, rule, copy.sink)
        for block in scan(read, rule):
            rows = np.flatnonzero(~block.blank)
            if header and len(rows):
                header, rows = False, rows[1:]
            kept = np.ones(len(block.starts), bool)
            kept[rows] = copy.keep.take(len(rows))
            changed = {int(rows[row]): text for row, text in copy.keep.changes(len(rows)).items()}
            kept[list(changed)] = False
            edges = np.flatnonzero(np.diff(np.concatenate([[False], kept, [False]])))
            pieces = dict(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
            for first in sorted((*pieces, *changed)):
                if first in changed:
                    raw = block.buffer[block.starts[first] : block.ends[first]]
                    record = block.raw(first)
                    write(lines.replace(record, changed[first], inner) + raw[len(record) :])
                else:
                    write(block.buffer[block.starts[first] : block.ends[pieces[first] - 1]])


def _open_ascii(raw: Stream, encoding: str, rule: Rule, sink: IO[bytes]) -> tuple[Read, Write, str]:
    """Return a function to read bytes in which ASCII characters are single bytes, one to write such bytes back, and
    their encoding.
    """
    wide = encoding.startswith(("utf-16", "utf-32"))
    # In these encodings the second byte of a character can be a bar or a backslash, but no other delimiter.
    ambiguous = encoding in _DOUBLE_BYTE and (rule.delimiter == b"|" or rule.escaping)
    if not wide and not ambiguous:
        return raw.read, sink.write, encoding
    decode = lossless_decoder(encoding)

    def read(size: int) -> bytes:
        while True:
            chunk = raw.read(size)
            decoded = decode(chunk)
            if decoded or not chunk:
                return decoded.encode("utf-8", "surrogatepass")

    def write(piece: bytes) -> None:
        sink.write(piece.decode("utf-8", "surrogatepass").encode(encoding, lossless_errors(encoding)))

    return read, write, "utf-8"
