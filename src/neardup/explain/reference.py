"""Rank documents for the choice of reference copies.

The policy `keep` is `earliest`, `latest`, `longest` or `first` (in the input). Without a policy the reference copy is
the earliest text if there are times, else the text with most copies, then with most partners. Ties are decided by time,
then by id; texts without ids keep the order of the input.
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
    """Rank the documents by time, then id, starting from 0; `latest` reverses the times, `first` is the input order."""
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
    """Return times as sortable integers; documents without a time come last."""
    stamps = pc.cast(times.combine_chunks(), pa.int64())
    known = stamps.is_valid().to_numpy(zero_copy_only=False)
    keys: npt.NDArray[np.int64] = pc.fill_null(stamps, 0).to_numpy(zero_copy_only=False).copy()
    if latest:
        keys = -keys
    keys[~known] = np.iinfo(np.int64).max
    return keys
