"""Files of lines and JSON documents as they stand in their own encoding, cut into the records that reading finds."""

from __future__ import annotations

import codecs
import contextlib
import io
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from neardup.read.encodings import Transcoder
from neardup.read.entries import Entry, recognise
from neardup.read.formats.dialects import SAMPLE, find_dialect
from neardup.read.formats.jsonlines import LINES
from neardup.read.formats.scanning import Block, Rule, scan, skip_blank
from neardup.read.kinds import CSV
from neardup.read.reading import Reading
from neardup.read.streams import Stream, read_whole

Write = Callable[[bytes], Any]


def raw_blocks(
    reopen: Callable[[], Entry], entry: Entry, sink: Any, reading: Reading
) -> Iterator[tuple[Block, npt.NDArray[np.int64], Write]]:
    """Yield the blocks of a table or of JSON lines, which of their lines are records, and how to write them back."""
    transcoder = Transcoder(entry.stream, reading)
    stream = Stream(transcoder.read)
    skip_blank(stream, b"\r\n" if entry.kind == CSV else b" \t\r\n")
    sample = stream.peek(SAMPLE) or stream.read(1)  # which raises if there is text that cannot be decoded
    rule, header = LINES, False
    if entry.kind == CSV:
        dialect = find_dialect(sample, reading.wanted, whole=len(sample) < SAMPLE)
        rule, header = dialect.rule, dialect.header
    with contextlib.closing(reopen()) as again:
        raw = recognise(again, reading.limits).stream
        sink.write(raw.read(len(transcoder.mark)))
        read, write = _borders(raw, transcoder.encoding, rule, sink)
        for block in scan(read, rule):
            rows = np.flatnonzero(~block.blank)
            if header and len(rows):
                header, rows = False, rows[1:]
            yield block, rows, write


def raw_text(entry: Entry, reading: Reading) -> tuple[str, Callable[[str], bytes]]:
    """Return a file as text from which its bytes can be made again, and the function that does it."""
    raw = read_whole(entry.stream, reading.limits)
    transcoder = Transcoder(Stream(io.BytesIO(raw).read), reading)
    Stream(transcoder.read).read()
    encoding, mark = transcoder.encoding, transcoder.mark
    errors = _lossless(encoding)
    try:
        text = raw[len(mark) :].decode(encoding, errors)
    except UnicodeDecodeError:
        text = raw[len(mark) :].decode(encoding, "replace")
    return text, lambda text: mark + text.encode(encoding, errors)


def _borders(raw: Stream, encoding: str, rule: Rule, sink: Any) -> tuple[Callable[[int], bytes], Write]:
    """Return how to read bytes in which ASCII stands for itself, and how to write pieces of them in the encoding."""
    wide = encoding.startswith(("utf-16", "utf-32"))
    double = encoding in ("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr")
    # The second byte of a character can be a bar or a backslash in these, but none of the other signs.
    if not wide and not (double and (rule.delimiter == b"|" or rule.escaping)):
        return raw.read, sink.write
    decode = _decoder(encoding)

    def read(size: int) -> bytes:
        while True:
            chunk = raw.read(size)
            decoded = decode(chunk)
            if decoded or not chunk:
                return decoded.encode("utf-8", "surrogatepass")

    return read, lambda piece: sink.write(piece.decode("utf-8", "surrogatepass").encode(encoding, _lossless(encoding)))


def _decoder(encoding: str) -> Callable[[bytes], str]:
    """Return a decoder that loses nothing, until bytes come that the encoding cannot have: those become U+FFFD."""
    make = codecs.getincrementaldecoder(encoding)
    decoder = make(_lossless(encoding))

    def decode(chunk: bytes) -> str:
        nonlocal decoder
        state = decoder.getstate()
        try:
            return decoder.decode(chunk, not chunk)
        except UnicodeDecodeError:
            decoder = make("replace")
            decoder.setstate(state)
            return decoder.decode(chunk, not chunk)

    return decode


def _lossless(encoding: str) -> str:
    return "surrogatepass" if encoding.startswith(("utf-16", "utf-32")) else "surrogateescape"
