"""Find where the records of a line-based file begin and end: CSV rows, whose fields may contain line ends, and lines.

Both reading and rewriting use this module, so that they count the same records. A block in which every quote opens a
field, closes one or is doubled is cut with array operations: a line end is the end of a record if an even number of
quotes precedes it. Any other block is cut by a pattern for one record, with the usual leniency: a quote within a field
that does not begin with one is an ordinary character, and so is everything after a closing quote.

A record that covers several lines and has unbalanced quotes has a quote too many or too few: its first line is the
broken record, and cutting continues with the next line. Time is linear in the file; memory is a few times the block,
which grows until one record fits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from neardup.read.files.streams import STEP, Stream

BLOCK = 1 << 22
LONGEST = 1 << 28  # a longer record is cut, so that one stray quote does not load the whole file into memory

Positions = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

_QUOTE, _LINE, _RETURN = 0x22, 0x0A, 0x0D
_LINE_END = re.compile(rb"\r\n?|\n")


@dataclass(frozen=True)
class Rule:
    """How records are separated; without a delimiter each line is a record, and only a line feed ends it."""

    delimiter: bytes = b""
    quoting: bool = False
    escaping: bool = False

    @cached_property
    def field(self) -> re.Pattern[bytes]:
        """Match one field, leniently."""
        return re.compile(self._field(closed=False))

    @cached_property
    def record(self) -> re.Pattern[bytes]:
        """Match one record up to its line end."""
        return re.compile(self._record(closed=False))

    @cached_property
    def sound(self) -> re.Pattern[bytes]:
        """Match one record whose quotes are balanced."""
        return re.compile(self._record(closed=True))

    @cached_property
    def inside(self) -> re.Pattern[bytes]:
        """Match the content between the quotes of a field."""
        return re.compile(self._inside())

    def _inside(self) -> bytes:
        return rb'[^"\\]*+(?:(?:""|\\[\s\S])[^"\\]*+)*+' if self.escaping else rb'[^"]*+(?:""[^"]*+)*+'

    def _record(self, *, closed: bool) -> bytes:
        field = self._field(closed=closed)
        return field + rb"(?:" + re.escape(self.delimiter) + field + rb")*+"

    def _field(self, *, closed: bool) -> bytes:
        plain = rb"[^" + re.escape(self.delimiter) + rb"\r\n]*+"
        if not self.quoting:
            return plain
        quoted = rb'"' + self._inside() + (rb'" *+' if closed else rb'(?:"' + plain + rb")?+")
        return rb"(?:" + quoted + rb'|(?!")' + plain + rb")"


@dataclass(frozen=True, slots=True)
class Block:
    """Whole records of a file: where each starts and ends, line end included, and which are blank or broken."""

    buffer: bytes
    starts: Positions
    ends: Positions
    blank: Flags
    broken: Flags
    line: int
    lines: int

    @property
    def records(self) -> int:
        """The number of records: all lines that are not blank."""
        return len(self.starts) - int(np.count_nonzero(self.blank))

    def raw(self, index: int) -> bytes:
        """Return a record without its line end."""
        return self.buffer[self.starts[index] : self.ends[index]].rstrip(b"\r\n")

    def locate(self, name: str, index: int) -> str:
        """Return the file and line where a record starts, for messages."""
        line = self.line + self.buffer.count(b"\n", 0, int(self.starts[index])) + 1
        return f"{name}, line {line}"

    def part(self, records: slice) -> Block:
        """Return the block with only some of its records."""
        return replace(
            self,
            starts=self.starts[records],
            ends=self.ends[records],
            blank=self.blank[records],
            broken=self.broken[records],
        )


def scan(read: Callable[[int], bytes], rule: Rule, line: int = 0) -> Iterator[Block]:
    """Cut a stream into blocks of whole records; `line` lines of the file were read before."""
    source, rest = _Source(read), b""
    while True:
        # The amount read doubles with a long record, so that its start is not scanned again and again.
        fresh = source.read(max(BLOCK, len(rest)))
        buffer = rest + fresh
        if not buffer:
            return
        block = _cut_within_limits(buffer, rule, final=not fresh, line=line)
        used = int(block.ends[-1]) if len(block.ends) else 0
        if used:
            yield block
            line += block.lines
        rest = buffer[used:]
        if used and len(rest) > BLOCK:
            source.give_back(rest)
            rest = b""


def skip_blank(stream: Stream, blank: bytes) -> int:
    """Skip blank lines at the beginning and return their number."""
    lines = 0
    while (head := stream.peek(STEP)) and not head.strip(blank):
        lines += stream.read(STEP).count(b"\n")
    return lines


class _Source:
    """The bytes still to be cut; those that a broken record had loaded are returned in blocks of the usual size."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read = read
        self._returned = b""
        self._offset = 0

    def read(self, size: int) -> bytes:
        if not self._returned:
            return self._read(size)
        piece = self._returned[self._offset : self._offset + size]
        self._offset += len(piece)
        if self._offset == len(self._returned):
            self._returned = b""
        return piece

    def give_back(self, rest: bytes) -> None:
        if self._returned:  # then `rest` is the part up to the current offset
            self._offset -= len(rest)
        else:
            self._returned, self._offset = rest, 0


def _cut_within_limits(buffer: bytes, rule: Rule, *, final: bool, line: int) -> Block:
    """Cut a buffer; a record that is too long becomes a broken record of the bytes read so far."""
    block = cut(buffer, rule, final=final, line=line, most=BLOCK)
    if len(block.ends) or len(buffer) <= LONGEST:
        return block
    block = cut(buffer, rule, final=True, line=line, most=BLOCK)
    if len(block.ends) > 1:
        return block.part(slice(0, -1))
    return replace(block, broken=np.ones(1, bool))


def cut(buffer: bytes, rule: Rule, *, final: bool, line: int = 0, most: int | None = None) -> Block:
    """Cut a buffer into its whole records; the bytes after the last one belong to the next block.

    After a broken record, a rest of more than `most` bytes is left too, since the fast way may work for it.
    """
    codes = np.frombuffer(buffer, np.uint8)
    ends = _line_ends(codes, buffer, rule, final=final)
    lines = ends
    quotes = np.flatnonzero(codes == _QUOTE) if rule.quoting and b'"' in buffer else np.zeros(0, np.int64)
    if not _are_balanced(codes, quotes, rule, final=final) or (len(quotes) and rule.escaping and b"\\" in buffer):
        starts, ends, broken = _match_records(buffer, rule, final=final, most=most)
    else:
        ends = ends[np.searchsorted(quotes, ends) % 2 == 0] if len(quotes) else ends
        if final and buffer and (not len(ends) or ends[-1] != len(buffer)):
            ends = np.append(ends, len(buffer))
        starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if len(ends) else ends
        broken = np.zeros(len(ends), bool)
    used = int(np.searchsorted(lines, ends[-1], side="right")) if len(ends) else 0
    return Block(buffer, starts, ends, _find_blank(buffer, codes, starts, ends, rule), broken, line, used)


def split_fields(record: bytes, rule: Rule) -> list[bytes]:
    """Split one record into its fields and remove their quotes."""
    fields, position = [], 0
    while True:
        match = rule.field.match(record, position)
        fields.append(_unquote(match.group(), rule) if match else b"")
        position = match.end() + 1 if match else len(record) + 1
        if position > len(record):
            return fields


def _unquote(field: bytes, rule: Rule) -> bytes:
    if rule.quoting and field.startswith(b'"'):
        quoted = rule.inside.match(field, 1)
        stop = quoted.end() if quoted else len(field)
        field = field[1:stop].replace(b'""', b'"') + field[stop + 1 :]
    return re.sub(rb"\\([\s\S])", rb"\1", field) if rule.escaping else field


def _line_ends(codes: npt.NDArray[np.uint8], buffer: bytes, rule: Rule, *, final: bool) -> Positions:
    """Return the offsets after each line end: \n, \r\n, and in tables also a single \r."""
    ends = np.flatnonzero(codes == _LINE) + 1
    if rule.delimiter and b"\r" in buffer:
        returns = np.flatnonzero(codes[:-1] == _RETURN)
        alone = returns[codes[returns + 1] != _LINE] + 1
        if final and codes[-1] == _RETURN:
            alone = np.append(alone, len(codes))
        if len(alone):
            ends = np.sort(np.concatenate([ends, alone]))
    return ends


def _are_balanced(codes: npt.NDArray[np.uint8], quotes: Positions, rule: Rule, *, final: bool) -> bool:
    """Return whether each quote opens a field, closes one, or is one of a doubled pair within one."""
    if not len(quotes):
        return True
    if final and len(quotes) % 2:
        return False
    border = np.zeros(256, bool)
    border[[_QUOTE, _LINE, _RETURN, rule.delimiter[0]]] = True
    opening, closing = quotes[::2], quotes[1::2]
    opening = opening[opening > 0]
    closing = closing[closing < len(codes) - 1]
    return bool(border[codes[opening - 1]].all() and border[codes[closing + 1]].all())


def _match_records(buffer: bytes, rule: Rule, *, final: bool, most: int | None) -> tuple[Positions, Positions, Flags]:
    """Cut a buffer by the pattern of a record; return the starts and ends of records, and which are broken."""
    starts, ends, broken = [], [], []
    position = 0
    while position < len(buffer):
        match = rule.record.match(buffer, position)
        stop = match.end() if match else len(buffer)
        end = _after_line_end(buffer, stop)
        # At the end of the buffer, more of the record may follow, and \n after \r.
        if not final and end == len(buffer) and not buffer.startswith((b"\n", b"\r\n"), stop):
            break
        first = _LINE_END.search(buffer, position, stop)
        unclosed = stop == len(buffer) and buffer.count(b'"', position, stop) % 2 == 1
        bad = (first is not None or unclosed) and not rule.sound.fullmatch(buffer, position, stop)
        end = first.end() if bad and first else end
        starts.append(position)
        ends.append(end)
        broken.append(bad)
        position = end
        if bad and most is not None and len(buffer) - end > most:
            break
    return np.array(starts, np.int64), np.array(ends, np.int64), np.array(broken, bool)


def _after_line_end(buffer: bytes, stop: int) -> int:
    if buffer.startswith(b"\r\n", stop):
        return stop + 2
    return min(stop + 1, len(buffer))


def _find_blank(buffer: bytes, codes: npt.NDArray[np.uint8], starts: Positions, ends: Positions, rule: Rule) -> Flags:
    """Mark the lines that are empty or contain only spaces."""
    first = codes[starts]
    # Where a single \r does not end a line, a line can also begin with one.
    second = codes[np.minimum(starts + 1, len(codes) - 1)]
    blank: Flags = (first == _LINE) | ((first == _RETURN) & ((second == _LINE) | bool(rule.delimiter)))
    spaces = b" " if rule.delimiter else b" \t\r"
    for index in np.flatnonzero(np.isin(first, list(spaces)) & ~blank).tolist():
        blank[index] = not buffer[starts[index] : ends[index]].strip(spaces + b"\r\n")
    return blank
