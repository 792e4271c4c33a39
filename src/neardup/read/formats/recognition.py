"""Recognise the format of a file: by its suffix, by its magic bytes, or by how it begins."""

from __future__ import annotations

from pathlib import Path

from neardup.read.files.encodings import is_binary
from neardup.read.files.entries import Entry, decompress
from neardup.read.formats import registry
from neardup.read.formats.format import AnyFormat
from neardup.read.formats.pages.mail import MESSAGE
from neardup.read.reading import Limits, Unreadable

HEAD = 1 << 16
"""The number of bytes that a format is recognised by."""


def recognise(entry: Entry, limits: Limits) -> tuple[AnyFormat, Entry]:
    """Return the format of an entry, and the entry without its compression."""
    plain = decompress(entry, limits)
    # The file name of a message in a Maildir says nothing about its format.
    found = MESSAGE if plain.is_message else find_format(plain.bare_name(), plain.stream.peek(HEAD))
    return found, plain


def find_format(name: str, head: bytes) -> AnyFormat:
    """Return the format of a file by its name and its first bytes; raise Unreadable if it is unknown."""
    suffix = Path(name).suffix.lower()
    named = next((known for known in registry.FORMATS if suffix in known.suffixes), None)
    text = not is_binary(head)
    if named is not None and text and not named.binary:
        return _most_specific(named, head, suffix)
    magic = next((known for known in registry.FORMATS if _has_magic(known, head)), None)
    if magic is not None:
        return _most_specific(magic, head, suffix)
    if named is not None:
        return named
    if not text:
        raise Unreadable("it is not text and has no other known format")
    return next(known for known in registry.FORMATS if known.recognise(head, suffix))


def _most_specific(found: AnyFormat, head: bytes, suffix: str) -> AnyFormat:
    """Return the format that overrides a format for these bytes, or the format itself."""
    others = (known for known in registry.FORMATS if known.overrides == found.name)
    return next((other for other in others if other.recognise(head, suffix)), found)


def _has_magic(known: AnyFormat, head: bytes) -> bool:
    return head.startswith(known.magic, known.magic_offset)
