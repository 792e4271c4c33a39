"""The types of the flat arrays, and the few conversions that every stage shares."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Numbers = npt.NDArray[np.uint32]
Scores = npt.NDArray[np.float64]
Counts = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Flags = npt.NDArray[np.bool_]
Sides = npt.NDArray[np.uint8]

Days = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]
"""The publication days of each node, counted from 1970: offsets (one more than nodes) and values."""

Column = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]
"""Strings as offsets and bytes."""


def undated(nodes: int) -> Days:
    """Return the days of nodes without any publication date."""
    return np.zeros(nodes + 1, np.uint64), np.zeros(0, np.int32)


@cache
def threshold_fraction(threshold: float) -> tuple[int, int]:
    """Return the threshold as the fraction that its decimal notation means, so that bounds are exact integers."""
    fraction = Fraction(str(threshold)).limit_denominator(1_000_000) or Fraction(1, 1_000_000)
    return fraction.numerator, fraction.denominator


def string_column(column: pa.Array) -> Column:
    """Return offsets and bytes of an Arrow string array; the buffers themselves if it has no nulls."""
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
