"""Which reader a format has, and how an entry comes to it, through archives if need be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from zipfile import ZipInfo

from neardup.read import kinds
from neardup.read.batches import Item, Row
from neardup.read.entries import Entry, member_entry, open_members, open_place, recognise
from neardup.read.formats.columnar import read_arrow, read_parquet
from neardup.read.formats.delimited import read_delimited
from neardup.read.formats.documents import read_json
from neardup.read.formats.docx import read_docx
from neardup.read.formats.jsonlines import read_json_lines
from neardup.read.formats.mail import read_mbox, read_message
from neardup.read.formats.packs import read_pack
from neardup.read.formats.pages import read_page
from neardup.read.formats.pdf import read_pdf
from neardup.read.paths import Place
from neardup.read.reading import Reading, Unreadable

READERS: dict[str, Callable[[Entry, Reading], Iterator[Item]]] = {
    kinds.CSV: read_delimited,
    kinds.JSON_LINES: read_json_lines,
    kinds.JSON: read_json,
    kinds.PARQUET: read_parquet,
    kinds.ARROW: read_arrow,
    kinds.TEXT: read_page,
    kinds.HTML: read_page,
    kinds.XML: read_pack,
    kinds.MESSAGE: read_message,
    kinds.MBOX: read_mbox,
    kinds.PDF: read_pdf,
    kinds.DOCX: read_docx,
}


def read_places(places: Iterable[Place], reading: Reading) -> Iterator[Item]:
    """Yield the documents of files, one file after the other."""
    for place in places:
        try:
            entry = open_place(place, reading)
        except Unreadable as problem:
            yield _unreadable(place.name, problem, reading)
            continue
        yield from read_entry(entry, reading)


def read_entry(entry: Entry, reading: Reading) -> Iterator[Item]:
    """Yield the documents of a file or member; where it breaks off, one unreadable record stands for the rest."""
    try:
        known = recognise(entry, reading.limits)
        if known.kind in (kinds.ZIP, kinds.TAR):
            for member in open_members(known, reading.limits):
                if member.stream is not None and member.is_document:
                    yield from read_entry(member_entry(known, member, member.stream), reading)
                if known.path is not None and isinstance(member.about, ZipInfo):
                    reading.advance(member.about.compress_size)
        else:
            yield from READERS[known.kind](known, reading)
    except Unreadable as problem:
        yield _unreadable(entry.name, problem, reading)
    finally:
        entry.close()


def _unreadable(name: str, problem: Unreadable, reading: Reading) -> Row:
    reading.fail(name, str(problem))
    return Row(None, name, unreadable=True)
