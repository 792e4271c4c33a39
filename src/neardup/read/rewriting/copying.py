"""Write one file or archive member without some of its records.

Each format is cut into the same records as in reading, and the records to keep are copied unchanged. A file of which
every record is kept is copied whole, whatever its format.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO, cast

from neardup.errors import OutputError
from neardup.read.files.entries import Budget, Entry, decompress
from neardup.read.files.streams import Stream, compressor
from neardup.read.formats.archives.members import Member
from neardup.read.formats.format import AnyFormat, ArchiveFormat, KeptMember
from neardup.read.formats.keeping import Copy, Keep, pour
from neardup.read.formats.recognition import recognise
from neardup.read.reading import Limits, Reading, Unreadable

_SPOOL = 1 << 26


class Original:
    """A file or member that can be opened any number of times."""

    def __init__(self, open_entry: Callable[[], Entry]) -> None:
        self._open = open_entry

    def copy(self, keep: Keep, sink: IO[bytes], reading: Reading, codecs: tuple[str, ...] | None = None) -> bool:
        """Write the records to keep into a file; return False if the original is one document that is not kept.

        `codecs` are the compressions of the new file; by default it has those of the original.
        """
        since, present, own = keep.taken, True, codecs
        with contextlib.closing(self._open()) as first:
            try:
                format_, entry = recognise(first, reading.limits)
                own = entry.codecs
                with _compressing(sink, own if codecs is None else codecs) as target:
                    present = _write(format_, Copy(entry, lambda: self._reopen(reading), keep, target, reading))
                _check_changes(format_, keep, since, first.name)
            except Unreadable as problem:
                kept = bool(keep.take(1)[0])
                present = kept or keep.taken - since > 1
                if kept:
                    keep.lose(f"{first.name}: {problem}")
        if present and codecs in (None, own) and keep.kept_all(since):
            self._copy_whole(sink, keep)
        return present

    def _reopen(self, reading: Reading) -> Entry:
        return decompress(self._open(), reading.limits)

    def _copy_whole(self, sink: IO[bytes], keep: Keep) -> None:
        sink.seek(0)
        sink.truncate()
        with contextlib.closing(self._open()) as entry:
            try:
                pour(entry.stream, sink)
            except Unreadable as problem:
                keep.lose(f"{entry.name}: {problem}")


class _Unclosable:
    """A file that the writers of Arrow cannot close."""

    def __init__(self, sink: IO[bytes]) -> None:
        self.closed = False
        self.write, self.flush, self.tell = sink.write, sink.flush, sink.tell

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        """Leave the file open."""


@contextlib.contextmanager
def _compressing(sink: IO[bytes], codecs: tuple[str, ...]) -> Iterator[IO[bytes]]:
    """Compress what is written, one layer per codec, and finish the layers at the end."""
    layers = [cast("IO[bytes]", _Unclosable(sink))]
    for codec in codecs:
        layers.append(compressor(layers[-1], codec))
    try:
        yield layers[-1]
    finally:
        for layer in reversed(layers[1:]):
            layer.close()


def _write(format_: AnyFormat, copy: Copy) -> bool:
    if isinstance(format_, ArchiveFormat):
        format_.pack(_copy_members(format_, copy), copy.sink)
        return True
    return format_.write(copy)


def _check_changes(format_: AnyFormat, keep: Keep, since: int, name: str) -> None:
    able = isinstance(format_, ArchiveFormat) or format_.changes_texts
    if not able and keep.changes(keep.taken - since):
        raise OutputError(
            f"{name}: texts in {format_.name} cannot be changed; convert the collection to JSON lines, CSV, Parquet, "
            "Arrow or text files first"
        )


def _copy_members(archive: ArchiveFormat, copy: Copy) -> Iterator[KeptMember]:
    """Yield the members to keep, each with the records to keep."""
    limits = copy.reading.limits
    for member in archive.open(copy.entry, limits):
        if member.stream is None:
            yield member, None
            continue
        with tempfile.SpooledTemporaryFile(_SPOOL) as raw, tempfile.SpooledTemporaryFile(_SPOOL) as kept:
            trouble = _spool(copy.entry.budget.meter(member.stream), raw)
            if not member.is_document:
                yield member, raw
                continue
            spooled = Original(_opener(copy.entry, member, raw, trouble, limits))
            if spooled.copy(copy.keep, kept, copy.reading):
                yield member, kept


def _spool(stream: Stream, raw: IO[bytes]) -> Unreadable | None:
    try:
        pour(stream, raw)
    except Unreadable as trouble:
        return trouble
    return None


def _opener(
    archive: Entry, member: Member, raw: IO[bytes], trouble: Unreadable | None, limits: Limits
) -> Callable[[], Entry]:
    """Return a function that opens a spooled member from its start, each time with a budget of its own."""
    size = raw.tell()

    def open_entry() -> Entry:
        offset = 0

        def read(size: int) -> bytes:
            nonlocal offset
            raw.seek(offset)
            chunk = raw.read(size)
            offset += len(chunk)
            if not chunk and trouble is not None:
                raise trouble
            return chunk

        return replace(member.enter(archive, Stream(read)), budget=Budget(lambda: size, limits))

    return open_entry
