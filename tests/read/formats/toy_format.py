"""A complete format in one file: notes separated by lines of three dashes."""

from __future__ import annotations

from collections.abc import Iterator

from neardup.read.columns.batches import Item, Row
from neardup.read.files.entries import Entry
from neardup.read.files.streams import read_whole
from neardup.read.formats.format import DocumentFormat
from neardup.read.formats.keeping import Copy
from neardup.read.reading import Reading

SEPARATOR = b"\n---\n"


def read_notes(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the notes of a file."""
    notes = read_whole(entry.stream, reading.limits).split(SEPARATOR)
    for number, note in enumerate(notes, 1):
        yield Row(note.removeprefix(b"NOTES\n").decode(), f"{entry.name}#{number}")
    reading.note(entry.name, "notes")


def write_notes(copy: Copy) -> bool:
    """Write the notes to keep."""
    notes = read_whole(copy.entry.stream, copy.reading.limits).split(SEPARATOR)
    kept = copy.keep.take(len(notes))
    copy.sink.write(SEPARATOR.join(note for note, flag in zip(notes, kept, strict=True) if flag))
    return True


NOTES = DocumentFormat(name="notes", suffixes=(".notes",), magic=(b"NOTES\n",), read=read_notes, write=write_notes)
