"""Which copy is the reference: the order in which texts lead.

`earliest`, `latest`, `longest` and `first` (in the input) say it outright. Without a policy it is the earliest where
there are times, else the text with most copies, then most partners. What remains equal is decided by time, then by id;
texts without ids stand in the order of the input.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.records import Documents
from neardup.stages import Numbers

Keep = Literal["earliest", "latest", "longest", "first"]


def rank_documents(documents: Documents, keep: Keep | None = None) -> Numbers:
    """Rank the documents by time, then id: 0 for the one that comes first; `latest` and `first` as they say."""
    count = len(documents)
    positions = np.arange(count, dtype=np.uint32)
    if keep == "first" or (documents.ids is None and documents.times is None):
        return positions
    keys: list[npt.NDArray[np.int64]] = [_id_ranks(documents)]
    if documents.times is not None:
        keys.append(_time_keys(documents.times, latest=keep == "latest"))
    ranks = np.empty(count, np.uint32)
    ranks[np.lexsort(keys)] = positions
    return ranks


def _id_ranks(documents: Documents) -> npt.NDArray[np.int64]:
    ranks = np.arange(len(documents), dtype=np.int64)
    if documents.ids is not None:
        ranks[pc.sort_indices(documents.ids).to_numpy()] = np.arange(len(documents))
    return ranks


def _time_keys(times: pa.ChunkedArray, *, latest: bool) -> npt.NDArray[np.int64]:
    """Return times as sortable numbers; a document without a time comes last."""
    stamps = pc.cast(times.combine_chunks(), pa.int64())
    known = stamps.is_valid().to_numpy(zero_copy_only=False)
    keys: npt.NDArray[np.int64] = pc.fill_null(stamps, 0).to_numpy(zero_copy_only=False).copy()
    if latest:
        keys = -keys
    keys[~known] = np.iinfo(np.int64).max
    return keys
