"""One file, or one member of an archive, on its way to the reader of its format."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from neardup.read.archives import Member, tar_members, zip_members
from neardup.read.kinds import HEAD, MESSAGE, ZIP, kind_of
from neardup.read.paths import Place
from neardup.read.reading import Limits, Reading, Unreadable
from neardup.read.streams import Stream, compression_of, open_file, read_whole, uncompressed_name, unfold

_LAYERS = 2


class Budget:
    """What all members of one input may unfold to together."""

    def __init__(self, size: Callable[[], int], limits: Limits) -> None:
        self._size = size
        self._limits = limits
        self._spent = 0

    def meter(self, stream: Stream) -> Stream:
        """Return a stream that draws on the budget."""

        def read(size: int) -> bytes:
            chunk = stream.read(size)
            self._spent += len(chunk)
            if self._spent > max(self._limits.total_bytes, self._limits.ratio * self._size()):
                raise Unreadable(f"its input unfolds to more than {self._limits.ratio} times its size in all")
            return chunk

        return Stream(read, stream.close)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to read: its name, its bytes, its format, and its path if it lies on disk as it is."""

    name: str
    stream: Stream
    budget: Budget
    kind: str = ""
    path: Path | None = None
    codecs: tuple[str, ...] = ()
    depth: int = 0

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()

    def seekable(self, limits: Limits) -> IO[bytes]:
        """Return the content for readers that must jump about in it: the file itself, or the bytes in memory."""
        return self.path.open("rb") if self.path is not None else io.BytesIO(read_whole(self.stream, limits))


def open_place(place: Place, reading: Reading) -> Entry:
    """Open a file."""
    stream = open_file(place.path, reading.advance)
    budget = Budget(lambda: max(place.size, stream.taken), reading.limits)
    path = place.path if place.plain else None
    return Entry(place.name, stream, budget, MESSAGE if place.mail else "", path)


def recognise(entry: Entry, limits: Limits) -> Entry:
    """Take the compression off an entry and tell its format."""
    label, stream, codecs = entry.name, entry.stream, entry.codecs
    while (codec := compression_of(stream.peek(16))) is not None:
        if len(codecs) == _LAYERS:
            raise Unreadable(f"it is compressed more than {_LAYERS} times over")
        stream = unfold(stream, codec, limits)
        codecs = (*codecs, codec)
        label = uncompressed_name(label)
    # A name may promise a compression that is not there, as with an empty file.
    kind = entry.kind or kind_of(uncompressed_name(label), stream.peek(HEAD))
    if codecs or entry.depth:
        stream = entry.budget.meter(stream)
    return replace(entry, stream=stream, codecs=codecs, kind=kind, path=None if codecs else entry.path)


def open_members(entry: Entry, limits: Limits) -> Iterator[Member]:
    """Open the members of an archive one after the other."""
    if entry.depth >= limits.depth:
        raise Unreadable(f"it is an archive more than {limits.depth} deep in others")
    if entry.kind == ZIP:
        with entry.seekable(limits) as file:
            yield from zip_members(file, limits)
    else:
        yield from tar_members(entry.stream)


def member_entry(entry: Entry, member: Member, stream: Stream) -> Entry:
    """Return a member as an entry of its own."""
    return Entry(f"{entry.name}/{member.path}", stream, entry.budget, depth=entry.depth + 1)
