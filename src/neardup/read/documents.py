"""Read the documents of files, one file after the other, and of the archives among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neardup.read.columns.batches import Item, Row
from neardup.read.files.entries import Entry, open_entry
from neardup.read.files.paths import InputFile
from neardup.read.formats.format import ArchiveFormat
from neardup.read.formats.recognition import recognise
from neardup.read.reading import Reading, Unreadable


def read_files(files: Iterable[InputFile], reading: Reading) -> Iterator[Item]:
    """Yield the documents of files, one file after the other."""
    for file in files:
        try:
            entry = open_entry(file, reading)
        except Unreadable as problem:
            yield _unreadable(file.name, problem, reading)
            continue
        yield from _read_entry(entry, reading)


def _read_entry(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the documents of a file or member; if it breaks off, one unreadable record represents the rest."""
    try:
        format_, plain = recognise(entry, reading.limits)
        if isinstance(format_, ArchiveFormat):
            yield from _read_members(format_, plain, reading)
        else:
            yield from format_.read(plain, reading)
    except Unreadable as problem:
        yield _unreadable(entry.name, problem, reading)
    finally:
        entry.close()


def _read_members(archive: ArchiveFormat, entry: Entry, reading: Reading) -> Iterator[Item]:
    for member in archive.open(entry, reading.limits):
        if member.stream is not None and member.is_document:
            yield from _read_entry(member.enter(entry, member.stream), reading)
        if entry.path is not None:
            reading.advance(member.compressed_bytes)


def _unreadable(name: str, problem: Unreadable, reading: Reading) -> Row:
    reading.fail(name, str(problem))
    return Row(None, name, unreadable=True)
