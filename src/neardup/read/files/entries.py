"""One file, or one member of an archive, on its way to the reader of its format."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from neardup.read.files.paths import InputFile
from neardup.read.files.streams import (
    Stream,
    compression_of,
    decompress_stream,
    open_file,
    read_whole,
    uncompressed_name,
)
from neardup.read.reading import Limits, Reading, Unreadable

_LAYERS = 2


class Budget:
    """The number of bytes that all members of one input may decompress to together."""

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
                raise Unreadable(f"its input decompresses to more than {self._limits.ratio} times its size in total")
            return chunk

        return Stream(read, stream.close)


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to read: its name, its bytes, and its path if it is an uncompressed file on disk.

    `codecs` are the compressions that were removed, `depth` is the number of archives around it, and `is_message` marks
    a message of a Maildir.
    """

    name: str
    stream: Stream
    budget: Budget
    is_message: bool = False
    path: Path | None = None
    codecs: tuple[str, ...] = ()
    depth: int = 0

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()

    def seekable(self, limits: Limits) -> IO[bytes]:
        """Return the content for readers that need random access: the file itself, or the bytes in memory."""
        return self.path.open("rb") if self.path is not None else io.BytesIO(read_whole(self.stream, limits))

    def bare_name(self) -> str:
        """Return the name without the suffixes of its compressions."""
        name = self.name
        for _ in self.codecs:
            name = uncompressed_name(name)
        # A name may also promise a compression that is missing, as for an empty file.
        return uncompressed_name(name)


def open_entry(file: InputFile, reading: Reading) -> Entry:
    """Open a file."""
    stream = open_file(file.path, reading.advance)
    budget = Budget(lambda: max(file.size, stream.taken), reading.limits)
    return Entry(file.name, stream, budget, file.is_message, file.path if file.regular else None)


def decompress(entry: Entry, limits: Limits) -> Entry:
    """Remove the compression of an entry, up to two layers."""
    stream, codecs = entry.stream, entry.codecs
    while (codec := compression_of(stream.peek(16))) is not None:
        if len(codecs) == _LAYERS:
            raise Unreadable(f"it is compressed more than {_LAYERS} times")
        stream = decompress_stream(stream, codec, limits)
        codecs = (*codecs, codec)
    if codecs or entry.depth:
        stream = entry.budget.meter(stream)
    return replace(entry, stream=stream, codecs=codecs, path=None if codecs else entry.path)
