"""Raw text becomes comparable text: which bytes are read, as what, in which normal form.

The work itself (tokens, case folding, markup, normal forms, offsets back to the original) is done in `_core`; this room
holds the settings and hands the collection's buffers over without copying them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.errors import InputError, SettingsError
from neardup.records import Documents

FORMS = ("nfc", "nfkc")
MARKUPS = ("auto", "html", "plain")
FRAMES = ("keep", "drop")

Column = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]


@dataclass(frozen=True, slots=True)
class Normaliser:
    """How texts are read: the Unicode normal form, where markup is expected, what becomes of the frames of pages."""

    form: str = "nfc"
    markup: str = "auto"
    frames: str = "keep"

    def __post_init__(self) -> None:
        for name, known in (("form", FORMS), ("markup", MARKUPS), ("frames", FRAMES)):
            if getattr(self, name) not in known:
                raise SettingsError(f"{name} is {getattr(self, name)!r}, but must be one of {', '.join(known)}")

    def open(self, documents: Documents, threads: int = 0) -> _core.Texts:
        """Hand the texts of a collection to the native side."""
        if isinstance(documents.texts, list):
            return _core.Texts.from_strings(
                documents.texts, documents.html, self.form, self.markup, threads, self.frames
            )
        columns = [string_column(chunk) for chunk in documents.texts.chunks]
        try:
            return _core.Texts.from_columns(columns, documents.html, self.form, self.markup, threads, self.frames)
        except ValueError as problem:
            raise InputError(f"the text column cannot be read: {problem}") from None


def string_column(column: pa.Array) -> Column:
    """Return offsets and bytes of an Arrow string array; its buffers as they lie where it has no nulls."""
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
