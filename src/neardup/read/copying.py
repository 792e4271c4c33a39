"""What is kept of a file or archive member, written in its own format.

Each format is cut into the same records as in reading, and those that stay are copied as they stand. A file of which
everything stays is copied whole, whatever it is.
"""

from __future__ import annotations

import contextlib
import copy
import io
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from neardup.errors import InputError, OutputError
from neardup.read import kinds
from neardup.read.archives import Member
from neardup.read.entries import Budget, Entry, member_entry, open_members, recognise
from neardup.read.formats.columnar import arrow_batches, explained, open_source
from neardup.read.formats.documents import find_pieces
from neardup.read.formats.mail import split_mbox
from neardup.read.formats.packs import find_record, split_pack
from neardup.read.formats.raw import raw_blocks, raw_text
from neardup.read.reading import Limits, Reading, Unreadable
from neardup.read.streams import STEP, Stream, compressor

_SPOOL = 1 << 26
_CHANGED = "it has changed or is damaged, so read it again"
_ZIP_CODECS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


class Keep:
    """The flags of the records, taken in input order."""

    def __init__(self, flags: npt.NDArray[np.bool_]) -> None:
        self._flags = np.asarray(flags, dtype=bool)
        self._lost: list[tuple[int, str]] = []
        self.taken = 0

    def take(self, count: int) -> npt.NDArray[np.bool_]:
        """Return the flags of the next records."""
        if self.taken + count > len(self._flags):
            raise InputError(f"the input has more records than when it was read: {_CHANGED}")
        self.taken += count
        return self._flags[self.taken - count : self.taken]

    def lose(self, message: str) -> None:
        """Remember that what should stay here is damaged; it is lost unless the whole around it is copied."""
        self._lost.append((self.taken, message))

    def kept_all(self, since: int) -> bool:
        """Say whether all records from a position to here stay, so that the whole can be copied."""
        kept = bool(self._flags[since : self.taken].all())
        if kept:
            self._lost = [(position, message) for position, message in self._lost if position < since]
        return kept

    def finish(self) -> int:
        """Check that every flag was taken and nothing is lost, and return how many records stay."""
        for _, message in self._lost:
            raise OutputError(f"{message}: it is damaged, and what cannot be read cannot be written either")
        if self.taken != len(self._flags):
            raise InputError(f"the input has fewer records than when it was read: {_CHANGED}")
        return int(np.count_nonzero(self._flags))


class Unit:
    """A file or member that can be opened again and again."""

    def __init__(self, open_entry: Callable[[], Entry]) -> None:
        self.open = open_entry

    def copy(self, keep: Keep, sink: IO[bytes], reading: Reading, codecs: tuple[str, ...] | None = None) -> bool:
        """Write what stays into a file; return False if it is one document that does not.

        `codecs` are the compressions to write; those of the unit itself if not given.
        """
        since, there, own = keep.taken, True, codecs
        with contextlib.closing(self.open()) as first:
            try:
                entry = recognise(first, reading.limits)
                own = entry.codecs
                with _Compressed(sink, own if codecs is None else codecs) as target:
                    there = COPIERS.get(entry.kind, _copy_document)(self, entry, keep, target, reading)
            except Unreadable as problem:
                stays = bool(keep.take(1)[0])
                there = stays or keep.taken - since > 1
                if stays:
                    keep.lose(f"{first.name}: {problem}")
        if there and codecs in (None, own) and keep.kept_all(since):
            self._copy_whole(sink, keep)
        return there

    def _copy_whole(self, sink: IO[bytes], keep: Keep) -> None:
        sink.seek(0)
        sink.truncate()
        with contextlib.closing(self.open()) as entry:
            try:
                _pour(entry.stream, sink)
            except Unreadable as problem:
                keep.lose(f"{entry.name}: {problem}")


class _Open:
    """A file that Arrow's writers cannot close."""

    def __init__(self, sink: IO[bytes]) -> None:
        self._sink = sink
        self.closed = False
        self.write, self.flush, self.tell = sink.write, sink.flush, sink.tell

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        """Leave the file open."""


class _Compressed:
    """Compress what is written, layer upon layer, and finish the layers at the end."""

    def __init__(self, sink: IO[bytes], codecs: tuple[str, ...]) -> None:
        self._layers: list[Any] = [_Open(sink)]
        for codec in codecs:
            self._layers.append(compressor(self._layers[-1], codec))

    def __enter__(self) -> Any:
        return self._layers[-1]

    def __exit__(self, *_: object) -> None:
        for layer in reversed(self._layers[1:]):
            layer.close()


def _pour(stream: Stream, sink: Any) -> None:
    while chunk := stream.read(STEP):
        sink.write(chunk)


def _copy_document(_unit: Unit, entry: Entry, keep: Keep, sink: Any, _reading: Reading) -> bool:
    if not keep.take(1)[0]:
        return False
    try:
        _pour(entry.stream, sink)
    except Unreadable as problem:
        keep.lose(f"{entry.name}: {problem}")
    return True


def _copy_lines(unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    """Copy the lines or rows that stay, with the header, blank lines, quotes and line ends as they are."""
    for block, rows, write in raw_blocks(unit.open, entry, sink, reading):
        stays = np.ones(len(block.starts), bool)
        stays[rows] = keep.take(len(rows))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], stays, [False]])))
        for first, last in edges.reshape(-1, 2).tolist():
            write(block.buffer[block.starts[first] : block.ends[last - 1]])
    return True


def _copy_json(_unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    """Copy the items of an array that stay, each with the comma and space before it."""
    text, encode = raw_text(entry, reading)
    pieces = list(find_pieces(text))
    stays = keep.take(len(pieces))
    if not pieces:
        sink.write(encode(text))
        return True
    if not text[: pieces[0].start].strip("\ufeff \t\r\n"):  # the document is one object
        sink.write(encode(text) if stays[0] else b"")
        return bool(stays[0])
    written = [text[: pieces[0].start]]
    for place in np.flatnonzero(stays).tolist():
        between = text[pieces[place - 1].end : pieces[place].start] if len(written) > 1 else ""
        written += [between, text[pieces[place].start : pieces[place].end]]
    sink.write(encode("".join([*written, text[pieces[-1].end :]])))
    return True


def _copy_mbox(_unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    for raw in split_mbox(entry.stream, reading.limits):
        if keep.take(1)[0]:
            sink.write(raw)
    return True


def _copy_pack(unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    """Copy the elements of the documents that stay, and everything between."""
    text, encode = raw_text(entry, reading)
    whole = text.encode("utf-8", "surrogatepass")
    record = find_record(whole[: 1 << 20].decode("utf-8", "replace").encode(), reading.wanted)
    if record is None:
        with contextlib.closing(unit.open()) as again:
            return _copy_document(unit, recognise(again, reading.limits), keep, sink, reading)
    pieces = split_pack(Stream(io.BytesIO(whole).read), record, reading.limits.document_bytes)
    kept = b"".join(piece.content for piece in pieces if not piece.is_record or keep.take(1)[0])
    sink.write(encode(kept.decode("utf-8", "surrogatepass")))
    return True


def _copy_parquet(_unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    """Copy the rows that stay, row group by row group, with schema, metadata and compression."""
    with explained("Parquet"), open_source(entry, reading) as source:
        file = pq.ParquetFile(source)
        codec = _parquet_codec(file)
        with pq.ParquetWriter(pa.PythonFile(sink, "w"), file.schema_arrow, compression=codec) as writer:
            for number in range(file.num_row_groups):
                table = file.read_row_group(number)
                table = table.filter(pa.array(keep.take(table.num_rows)))
                if table.num_rows:
                    writer.write_table(table, row_group_size=table.num_rows)
    return True


def _parquet_codec(file: pq.ParquetFile) -> str:
    metadata = file.metadata
    if not metadata.num_row_groups or not metadata.num_columns:
        return "snappy"
    codec = str(metadata.row_group(0).column(0).compression).lower()
    return "none" if codec == "uncompressed" else codec


def _copy_arrow(_unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    with explained("Arrow"), open_source(entry, reading) as source:
        stream = source.read(6) != b"ARROW1"
        source.seek(0)
        writer = None
        for batch in arrow_batches(source):
            if writer is None:
                new = pa.ipc.new_stream if stream else pa.ipc.new_file
                writer = new(pa.PythonFile(sink, "w"), batch.schema)
            writer.write_batch(batch.filter(pa.array(keep.take(batch.num_rows))))
        if writer is not None:
            writer.close()
    return True


def _copy_zip(_unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in _copy_members(entry, keep, reading):
            assert isinstance(member.about, zipfile.ZipInfo)
            about = copy.copy(member.about)
            about.flag_bits &= ~0x8  # sizes stand in the header, not behind the content
            about.compress_type = about.compress_type if about.compress_type in _ZIP_CODECS else zipfile.ZIP_DEFLATED
            if content is None:
                archive.writestr(about, b"")
                continue
            about.file_size = content.seek(0, 2)
            content.seek(0)
            with archive.open(about, "w") as file:
                shutil.copyfileobj(content, file)
    return True


def _copy_tar(_unit: Unit, entry: Entry, keep: Keep, sink: Any, reading: Reading) -> bool:
    with tarfile.open(fileobj=sink, mode="w|", format=tarfile.PAX_FORMAT) as archive:
        for member, content in _copy_members(entry, keep, reading):
            assert isinstance(member.about, tarfile.TarInfo)
            about = copy.copy(member.about)
            if content is not None:
                about.size = content.seek(0, 2)
                content.seek(0)
            archive.addfile(about, content)
    return True


def _copy_members(entry: Entry, keep: Keep, reading: Reading) -> Iterator[tuple[Member, IO[bytes] | None]]:
    """Yield the members that stay, each with what stays of it."""
    for member in open_members(entry, reading.limits):
        if member.stream is None:
            yield member, None
            continue
        with tempfile.SpooledTemporaryFile(_SPOOL) as raw, tempfile.SpooledTemporaryFile(_SPOOL) as kept:
            trouble = _spool(entry.budget.meter(member.stream), raw)
            if not member.is_document:
                yield member, raw
                continue
            if Unit(_reopener(entry, member, raw, trouble, reading.limits)).copy(keep, kept, reading):
                yield member, kept


def _spool(stream: Stream, raw: IO[bytes]) -> Unreadable | None:
    try:
        _pour(stream, raw)
    except Unreadable as trouble:
        return trouble
    return None


def _reopener(
    entry: Entry, member: Member, raw: IO[bytes], trouble: Unreadable | None, limits: Limits
) -> Callable[[], Entry]:
    """Return a function that opens a spooled member from the beginning, with a budget of its own each time."""
    size = raw.tell()

    def reopen() -> Entry:
        position = 0

        def read(size: int) -> bytes:
            nonlocal position
            raw.seek(position)
            chunk = raw.read(size)
            position += len(chunk)
            if not chunk and trouble is not None:
                raise trouble
            return chunk

        return replace(member_entry(entry, member, Stream(read)), budget=Budget(lambda: size, limits))

    return reopen


COPIERS: dict[str, Callable[[Unit, Entry, Keep, Any, Reading], bool]] = {
    kinds.CSV: _copy_lines,
    kinds.JSON_LINES: _copy_lines,
    kinds.JSON: _copy_json,
    kinds.MBOX: _copy_mbox,
    kinds.XML: _copy_pack,
    kinds.PARQUET: _copy_parquet,
    kinds.ARROW: _copy_arrow,
    kinds.ZIP: _copy_zip,
    kinds.TAR: _copy_tar,
}
