"""Ids that are strings, complete and unique.

A record without an id has its position; the second record with the id x becomes x#2, the third x#3, past any id that
already stands in the input. One dictionary encoding when all ids differ, one step in Python per repeated id otherwise.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def complete_ids(ids: pa.ChunkedArray) -> tuple[pa.ChunkedArray, int]:
    """Fill the gaps and make repeated ids differ; return the ids and how many had to be changed."""
    if ids.null_count:
        positions = pc.cast(pa.array(np.arange(len(ids))), pa.string())
        ids = pc.coalesce(ids, positions)
    encoded = pc.cast(ids, pa.large_string()).combine_chunks().dictionary_encode()
    if len(encoded.dictionary) == len(ids):
        return ids, 0
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    _, first = np.unique(codes, return_index=True)
    repeated = np.ones(len(codes), bool)
    repeated[first] = False
    renamed = _rename(codes[repeated].tolist(), encoded.dictionary)
    whole = pc.cast(ids, pa.large_string()).combine_chunks()
    changed = pc.replace_with_mask(whole, pa.array(repeated), pa.array(renamed, pa.large_string()))
    return pa.chunked_array([pc.cast(changed, pa.string())]), len(renamed)


def _rename(codes: list[int], names: pa.Array) -> list[str]:
    """Give each further occurrence the next free number behind its name."""
    taken = set(names.filter(pc.match_substring(names, "#")).to_pylist())
    last: dict[int, int] = {}
    known = dict(zip(set(codes), names.take(pa.array(list(set(codes)))).to_pylist(), strict=True))
    renamed = []
    for code in codes:
        number = last.get(code, 1) + 1
        while (name := f"{known[code]}#{number}") in taken:
            number += 1
        last[code] = number
        taken.add(name)
        renamed.append(name)
    return renamed
