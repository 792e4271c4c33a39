"""Files in their own encoding, decoded so that every byte can be written back."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable

from neardup.read.files.encodings import Transcoder
from neardup.read.files.entries import Entry
from neardup.read.files.streams import Stream, read_whole
from neardup.read.reading import Reading


def read_original(entry: Entry, reading: Reading) -> tuple[str, Callable[[str], bytes]]:
    """Return a file as text, and the function that encodes the text, or parts of it, as the file was."""
    raw = read_whole(entry.stream, reading.limits)
    transcoder = Transcoder(Stream(io.BytesIO(raw).read), reading)
    Stream(transcoder.read).read()
    encoding, mark = transcoder.encoding, transcoder.mark
    errors = lossless_errors(encoding)
    try:
        text = raw[len(mark) :].decode(encoding, errors)
    except UnicodeDecodeError:
        text = raw[len(mark) :].decode(encoding, "replace")
    return text, lambda text: mark + text.encode(encoding, errors)


def lossless_decoder(encoding: str) -> Callable[[bytes], str]:
    """Return a decoder that loses nothing; only bytes that are impossible in the encoding become U+FFFD."""
    make = codecs.getincrementaldecoder(encoding)
    decoder = make(lossless_errors(encoding))

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


def lossless_errors(encoding: str) -> str:
    """Return the error handler that keeps undecodable bytes in this encoding."""
    return "surrogatepass" if encoding.startswith(("utf-16", "utf-32")) else "surrogateescape"
