"""What a writer of a format gets: the original, the flags of the records to keep, and the file to write to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

import numpy as np
import numpy.typing as npt

from neardup.errors import InputError, OutputError
from neardup.read.files.entries import Entry
from neardup.read.files.streams import STEP, Stream
from neardup.read.reading import Reading, Unreadable

_CHANGED = "it was changed or damaged in the meantime, so read it again"


class Keep:
    """The flags of the records, consumed in input order, and the new texts of those that change."""

    def __init__(self, flags: npt.NDArray[np.bool_], texts: Mapping[int, str] | None = None) -> None:
        self._flags = np.asarray(flags, dtype=bool)
        self._texts = dict(texts or {})
        self._changed = np.array(sorted(self._texts), np.int64)
        self._lost: list[tuple[int, str]] = []
        self.taken = 0

    def take(self, count: int) -> npt.NDArray[np.bool_]:
        """Return the flags of the next records."""
        if self.taken + count > len(self._flags):
            raise InputError(f"the input has more records than when it was read: {_CHANGED}")
        self.taken += count
        return self._flags[self.taken - count : self.taken]

    def changes(self, count: int) -> dict[int, str]:
        """Return the new texts of the last records that were taken, by their number among these."""
        first = self.taken - count
        numbers = self._changed[slice(*np.searchsorted(self._changed, [first, self.taken]))].tolist()
        return {number - first: self._texts[number] for number in numbers if self._flags[number]}

    def lose(self, message: str) -> None:
        """Remember that a record to keep is damaged; it is lost unless the file around it is copied whole."""
        self._lost.append((self.taken, message))

    def kept_all(self, since: int) -> bool:
        """Return whether all records from an index up to the current one are kept, so that the whole can be copied."""
        kept = bool(self._flags[since : self.taken].all()) and not self.changes(self.taken - since)
        if kept:
            self._lost = [(index, message) for index, message in self._lost if index < since]
        return kept

    def finish(self) -> int:
        """Check that every flag was used and no record is lost; return the number of records kept."""
        for _, message in self._lost:
            raise OutputError(f"{message}: a damaged record that cannot be read cannot be written either")
        if self.taken != len(self._flags):
            raise InputError(f"the input has fewer records than when it was read: {_CHANGED}")
        return int(np.count_nonzero(self._flags))


@dataclass(frozen=True, slots=True)
class Copy:
    """A file or member that is written without some of its records; `reopen` opens the original once more."""

    entry: Entry
    reopen: Callable[[], Entry]
    keep: Keep
    sink: IO[bytes]
    reading: Reading


def write_document(copy: Copy) -> bool:
    """Write a file that is one document, byte for byte."""
    if not copy.keep.take(1)[0]:
        return False
    pour_document(copy)
    return True


def pour_document(copy: Copy) -> None:
    """Write a file byte for byte; remember it if it is damaged."""
    try:
        pour(copy.entry.stream, copy.sink)
    except Unreadable as problem:
        copy.keep.lose(f"{copy.entry.name}: {problem}")


def pour(stream: Stream, sink: IO[bytes]) -> None:
    """Write the rest of a stream to a file."""
    while chunk := stream.read(STEP):
        sink.write(chunk)


def encode_change(text: str, encoding: str) -> bytes:
    """Encode a new text, or raise OutputError."""
    try:
        return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")
    except UnicodeEncodeError:
        raise OutputError(f"the encoding of the input, {encoding}, has no code for {text[:40]!r}") from None
