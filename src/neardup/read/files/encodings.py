"""Convert text of any encoding to valid UTF-8, block by block.

A byte order mark decides the encoding. Without one, the text is UTF-8 if the bytes are valid, else it has the encoding
that it declares, else the encoding is guessed from a sample. Nothing is decided while only ASCII was read, so a file
whose first accent comes late is guessed from the text around that accent. Invalid bytes become U+FFFD and are counted.
"""

from __future__ import annotations

import codecs
import io
import re

import numpy as np
import pyarrow as pa
from charset_normalizer import from_bytes

from neardup.read.files.streams import Stream
from neardup.read.reading import Reading, Unreadable

UTF8 = "utf-8"

_MARKS = {
    b"\xef\xbb\xbf": UTF8,
    b"\xff\xfe\x00\x00": "utf-32-le",
    b"\x00\x00\xfe\xff": "utf-32-be",
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
    b"\x84\x31\x95\x33": "gb18030",
}

# Guessing is limited to these: with all encodings allowed, short texts are mistaken for rare ones.
_CANDIDATES = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "mac_roman"),
    *("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"),
]

_SAMPLE = 1 << 14
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_HIGH = re.compile(rb"[\x80-\xff]+")
_MULTIBYTE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


class Transcoder:
    """Reads a stream as UTF-8; `encoding` is the encoding decided so far."""

    def __init__(self, stream: Stream, reading: Reading, declared: str | None = None) -> None:
        self._stream = stream
        self._counts = reading.counts
        self._declared = declared
        self._decoder: codecs.IncrementalDecoder | None = None
        self._held = b""
        self._decided = self._begun = False
        self.encoding = UTF8
        self.mark = b""
        self._take_mark()

    def read(self, size: int) -> bytes:
        """Return about `size` bytes of valid UTF-8; nothing at the end."""
        while True:
            chunk = self._stream.read(size)
            decoded = self._decode(chunk)
            if decoded or not chunk:
                return decoded

    def _take_mark(self) -> None:
        head = self._stream.peek(_SAMPLE)
        mark = next((mark for mark in _MARKS if head.startswith(mark)), b"")
        self.mark = self._stream.read(len(mark))
        if mark:
            self._decide(_MARKS[mark])
        elif wide := _wide(head):
            self._decide(wide)

    def _decide(self, encoding: str) -> None:
        self._decided = True
        self.encoding = encoding
        if encoding != UTF8:
            self._decoder = codecs.getincrementaldecoder(encoding)("replace")

    def _decode(self, chunk: bytes) -> bytes:
        if not self._decided and not chunk.isascii():
            following = self._stream.peek(_SAMPLE)
            guess = guess_encoding(chunk + following, self._declared, ended=len(following) < _SAMPLE)
            if guess is None and not self._begun:
                raise Unreadable("its encoding is unknown")
            self._decide(guess or UTF8)
        self._begun = True
        if self._decoder is not None:
            text = self._decoder.decode(chunk, final=not chunk)
            self._counts["replaced_characters"] += text.count("\ufffd")
            return text.encode(UTF8)
        whole = self._held + chunk
        self._held = b""
        if whole.isascii():
            return whole
        cut = len(whole) - (_unfinished(whole) if chunk else 0)
        whole, self._held = whole[:cut], whole[cut:]
        if is_utf8(whole):
            return whole
        repaired = whole.decode(UTF8, "replace")
        self._counts["replaced_characters"] += repaired.count("\ufffd") - whole.count(b"\xef\xbf\xbd")
        return repaired.encode(UTF8)


def guess_encoding(chunk: bytes, declared: str | None = None, *, ended: bool = True) -> str | None:
    """Guess the encoding of bytes that are not ASCII and have no byte order mark; None if they are not text."""
    whole = chunk[: len(chunk) - _unfinished(chunk)]
    # An accented letter at the very end looks like the start of a UTF-8 character, unless others came before.
    if (is_utf8(whole) and not (ended and len(whole) < len(chunk) and whole.isascii())) or _is_damaged_utf8(chunk):
        return UTF8
    sample = _sample(chunk)
    if declared is not None and _decodes(sample, declared):
        return codecs.lookup(declared).name
    runs = _HIGH.findall(sample)
    # In Western text, letters with an accent occur one at a time; a short sample shows no more than that.
    alone = sum(len(run) == 1 for run in runs) * 2 > len(runs)
    if alone and len(runs) < 100 and _decodes(sample, "cp1252"):
        return "cp1252"
    best = from_bytes(sample, cp_isolation=_CANDIDATES).best()
    if best is not None and best.encoding not in ("ascii", "utf_8"):
        return str(best.encoding)
    return None if is_binary(sample) else "cp1252"


def is_utf8(text: bytes) -> bool:
    """Return whether bytes are valid UTF-8, without making a string of them."""
    if len(text) >= 1 << 31:
        return _decodes(text, UTF8)
    ends = pa.py_buffer(np.array([0, len(text)], np.int32))
    try:
        pa.StringArray.from_buffers(1, ends, pa.py_buffer(text)).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def is_binary(head: bytes) -> bool:
    """Return whether bytes cannot be text: many control characters, and no sign of UTF-16 or UTF-32."""
    if head.startswith(_BOMS):
        return False
    controls = len(_CONTROLS.findall(head))
    zeros = head.count(0)
    if zeros and max(head[::2].count(0), head[1::2].count(0)) == zeros and zeros * 4 > len(head):
        return False
    return controls * 20 > len(head)


def _sample(chunk: bytes) -> bytes:
    """Return whole lines, starting with the line of the first byte that is not ASCII."""
    first = _HIGH.search(chunk)
    start = chunk.rfind(b"\n", 0, first.start()) + 1 if first else 0
    start = max(start, first.start() - _SAMPLE // 2) if first else 0
    end = chunk.rfind(b"\n", start + _SAMPLE // 2, start + _SAMPLE)
    return chunk[start : end + 1 if end > 0 else start + _SAMPLE]


def _is_damaged_utf8(chunk: bytes) -> bool:
    """Return whether bytes are UTF-8 except for a few, as in a file with some truncated texts."""
    good = len(_MULTIBYTE.findall(chunk))
    bad = chunk.decode(UTF8, "replace").count("\ufffd")
    return good > 0 and good >= 10 * bad


def _decodes(text: bytes, encoding: str) -> bool:
    try:
        text.decode(encoding)
    except UnicodeDecodeError as problem:
        # The sample may end inside a character.
        return problem.start >= len(text) - 4 and problem.start > 0
    except (LookupError, ValueError, UnicodeError):
        return False
    return True


def _wide(head: bytes) -> str | None:
    """Recognise UTF-16 without a byte order mark by the zeros in its ASCII characters."""
    if len(head) < 4:
        return None
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd * 4 > len(head) and even * 10 < odd:
        return "utf-16-le"
    if even * 4 > len(head) and odd * 10 < even:
        return "utf-16-be"
    return None


def _unfinished(text: bytes) -> int:
    """Return the number of bytes at the end that are an incomplete UTF-8 character."""
    for back in range(1, min(4, len(text) + 1)):
        byte = text[-back]
        if byte >= 0xC0:
            width = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if width > back else 0
        if byte < 0x80:
            return 0
    return 0


def decode_bytes(text: bytes, declared: str | None, reading: Reading) -> str:
    """Decode text whose declared encoding, if any, may be wrong."""
    if text.isascii() and declared is not None and _decodes(text, declared):
        return text.decode(declared, "replace")  # such as ISO-2022-JP, whose bytes are all ASCII
    whole = io.BytesIO(text)
    return Stream(Transcoder(Stream(whole.read), reading, declared).read).read().decode(UTF8)
