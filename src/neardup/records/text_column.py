"""The texts of a collection as one type, whether they are Python strings or an Arrow column.

A list of strings stays a list: the native side reads the strings where they are, so nothing is copied. An Arrow column
hands over its buffers. No other module needs to know which of the two it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.errors import InputError

Integers: TypeAlias = npt.NDArray[np.int64]

_SURROGATES = re.compile("[\ud800-\udfff]")


class TextSettings(Protocol):
    """How the native side reads texts: Unicode normal form, expected markup, treatment of boilerplate."""

    @property
    def form(self) -> str:
        """The Unicode normal form."""

    @property
    def markup(self) -> str:
        """Where markup is expected."""

    @property
    def boilerplate(self) -> str:
        """Whether the boilerplate of pages is kept."""


class TextColumn:
    """The texts of a collection in input order; a text that could not be read is the empty string."""

    __slots__ = ("_texts",)

    def __init__(self, texts: list[str] | pa.ChunkedArray) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> TextColumn: ...
    def __getitem__(self, index: int | slice) -> str | TextColumn:
        """Return one text, or a slice of the column."""
        if isinstance(index, slice):
            start, end, step = index.indices(len(self))
            return self.slice(start, end) if step == 1 else self.take(np.arange(start, end, step))
        text = self._texts[index] if isinstance(self._texts, list) else self._texts[index].as_py()
        return text if isinstance(text, str) else ""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextColumn | list) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # the texts can be many gigabytes

    def __repr__(self) -> str:
        shown = ", ".join(repr(text[:40]) for text in self[:3])
        return f"<TextColumn of {len(self):,} texts: {shown}{', …' if len(self) > 3 else ''}>"

    def __iter__(self) -> Iterator[str]:
        if isinstance(self._texts, list):
            return iter(self._texts)
        return (text or "" for chunk in self._texts.chunks for text in chunk.to_pylist())

    def to_list(self) -> list[str]:
        """Return the texts as a list; it is not a copy where they are one already, so it must not be changed."""
        return self._texts if isinstance(self._texts, list) else list(self)

    def lengths(self) -> Integers:
        """Return the number of characters of each text."""
        if isinstance(self._texts, list):
            return np.fromiter(map(len, self._texts), np.int64, len(self._texts))
        return _filled(pc.utf8_length(self._texts))

    def sizes(self) -> Integers:
        """Return about how many bytes each text has: Python strings are not encoded, so they count characters."""
        return self.lengths() if isinstance(self._texts, list) else _filled(pc.binary_length(self._texts))

    def measure(self) -> tuple[float, int]:
        """Return the median length of the texts that are not empty and the total length, both in characters."""
        lengths = self.lengths()
        known = lengths[lengths > 0]
        return (float(np.median(known)) if len(known) else 0.0), int(lengths.sum())

    def slice(self, start: int, end: int) -> TextColumn:
        """Return the texts from `start` up to, not including, `end`."""
        texts = self._texts
        return TextColumn(texts[start:end] if isinstance(texts, list) else texts.slice(start, end - start))

    def take(self, rows: Integers) -> TextColumn:
        """Return the texts of these rows."""
        if isinstance(self._texts, list):
            return TextColumn([self._texts[row] for row in rows.tolist()])
        return TextColumn(self._texts.take(pa.array(rows)))

    def concatenate(self, other: TextColumn) -> TextColumn:
        """Return these texts and those of another column as one Arrow column."""
        return TextColumn(pa.chunked_array(self.chunks() + other.chunks(), pa.large_string()))

    def chunks(self) -> list[pa.Array]:
        """Return the texts as Arrow arrays of type large_string, null where a text could not be read."""
        if isinstance(self._texts, list):
            return [pa.array(self.encoded(), pa.large_binary()).cast(pa.large_string())]
        return [pc.cast(chunk, pa.large_string()) for chunk in self._texts.chunks]

    def encoded(self) -> list[bytes]:
        """Return the texts in UTF-8."""
        if isinstance(self._texts, list):
            return [encode_text(text) for text in self._texts]
        encoded: list[bytes] = pc.fill_null(pc.cast(self._texts, pa.large_binary()), b"").to_pylist()
        return encoded

    def open(self, settings: TextSettings, html: npt.NDArray[np.bool_] | None, threads: int) -> _core.Texts:
        """Hand the texts to the native side without copying them; `html` marks the texts that are HTML pages."""
        form, markup, boilerplate = settings.form, settings.markup, settings.boilerplate
        if isinstance(self._texts, list):
            return _core.Texts.from_strings(self._texts, html, form, markup, threads, boilerplate)
        columns = [string_buffers(chunk) for chunk in self._texts.chunks]
        try:
            return _core.Texts.from_columns(columns, html, form, markup, threads, boilerplate)
        except ValueError as problem:
            raise InputError(f"the text column cannot be read: {problem}") from None


def encode_text(text: str) -> bytes:
    """Return a text in UTF-8; lone surrogates, which UTF-8 cannot represent, become U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub("\ufffd", text).encode()


def string_buffers(column: pa.Array) -> tuple[Integers, npt.NDArray[np.uint8]]:
    """Return the offsets and bytes of an Arrow string array; they are not copied if it has no nulls."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        column = column.cast(pa.large_string())
    if column.null_count:
        column = pc.fill_null(column, "")
    _, offsets, content = column.buffers()
    width = np.int64 if pa.types.is_large_string(column.type) else np.int32
    if offsets is None or len(column) == 0:
        return np.zeros(1, np.int64), np.zeros(0, np.uint8)
    starts = np.frombuffer(offsets, width)[column.offset : column.offset + len(column) + 1].astype(np.int64, copy=False)
    raw = np.frombuffer(content, np.uint8) if content is not None and content.size else np.zeros(0, np.uint8)
    return starts - starts[0], raw[starts[0] : starts[-1]]


def _filled(lengths: pa.ChunkedArray) -> Integers:
    filled: Integers = pc.fill_null(lengths, 0).to_numpy().astype(np.int64, copy=False)
    return filled
