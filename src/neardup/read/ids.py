"""Ids that are strings, complete and unique.

A record without an id has its position; the second record with the id x becomes x#2, the third x#3, past any id that
already stands in the input. Whole columns at a time; only ids whose new name is taken cost a step in Python each.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Places = npt.NDArray[np.int64]

HASHED_BYTES = 32
KEPT = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
"""What is kept of eight bytes of which the first so many belong to a string."""


def complete_ids(ids: pa.ChunkedArray) -> tuple[pa.ChunkedArray, int]:
    """Fill the gaps and make repeated ids differ; return the ids and how many had to be changed."""
    if ids.null_count:
        positions = pc.cast(pa.array(np.arange(len(ids))), pa.string())
        ids = pc.coalesce(ids, positions)
    if _surely_differ(ids):
        return ids, 0
    encoded = pc.cast(ids, pa.large_string()).combine_chunks().dictionary_encode()
    if len(encoded.dictionary) == len(ids):
        return ids, 0
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    places, numbers = _number_repeats(codes)
    renamed = _rename(codes[places], numbers, encoded.dictionary)
    repeated = np.zeros(len(codes), bool)
    repeated[places] = True
    changed = pc.replace_with_mask(encoded.dictionary_decode(), pa.array(repeated), renamed)
    return pa.chunked_array([pc.cast(changed, pa.string())]), len(renamed)


def _surely_differ(ids: pa.ChunkedArray) -> bool:
    """Say whether hashes alone show that no two ids are equal, which takes a third of the time of a dictionary."""
    if not pa.types.is_string(ids.type):
        return False
    longest = pc.max(pc.binary_length(ids)).as_py() or 0
    if longest > HASHED_BYTES:
        return False
    ordered = np.sort(np.concatenate([np.zeros(0, np.uint64), *(_hash(chunk, longest) for chunk in ids.chunks)]))
    return bool((ordered[1:] != ordered[:-1]).all())


def _hash(chunk: pa.Array, longest: int) -> npt.NDArray[np.uint64]:
    """Hash strings eight bytes at a time, all of them at once."""
    _, places, content = chunk.buffers()
    if len(chunk) == 0:
        return np.zeros(0, np.uint64)
    offsets = np.frombuffer(places, np.int32)[chunk.offset : chunk.offset + len(chunk) + 1]
    used = np.frombuffer(content or b"", np.uint8)[offsets[0] : offsets[-1]]
    padded = np.append(used, np.zeros(HASHED_BYTES + 8, np.uint8))
    words = np.ndarray(len(padded) - 7, np.uint64, padded, strides=(1,))
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    hashes = lengths.astype(np.uint64)
    for place in range(0, longest, 8):
        left = np.clip(lengths - place, 0, 8)
        hashes = (hashes ^ (words[starts + place] & KEPT[left])) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
    return hashes


def _number_repeats(codes: npt.NDArray[np.int32]) -> tuple[Places, Places]:
    """Return the places at which a code stands again, ascending, and the how manieth time it does so there."""
    order = np.argsort(codes, kind="stable")
    ordered = codes[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    counts = np.diff(np.append(starts, len(codes)))
    numbers = np.empty(len(codes), np.int64)
    numbers[order] = np.arange(1, len(codes) + 1) - np.repeat(starts, counts)
    places = np.flatnonzero(numbers > 1)
    return places, numbers[places]


def _rename(codes: npt.NDArray[np.int32], numbers: Places, names: pa.Array) -> pa.Array:
    """Put each number behind its name, or the next one with which the name is free."""
    own = names.take(pa.array(codes))
    renamed = pc.binary_join_element_wise(
        own, pc.cast(pa.array(numbers), pa.large_string()), pa.scalar("#", pa.large_string())
    )
    taken = pc.is_in(renamed, value_set=names).to_numpy(zero_copy_only=False)
    if not taken.any():
        return renamed
    # A name that is taken moves all later ones of its id; other ids are not touched by that.
    moved = np.isin(codes, codes[taken])
    free = _count_up(own.filter(pa.array(moved)).to_pylist(), names)
    return pc.replace_with_mask(renamed, pa.array(moved), pa.array(free, pa.large_string()))


def _count_up(repeated: list[str], names: pa.Array) -> list[str]:
    taken = set(names.filter(pc.match_substring(names, "#")).to_pylist())
    last: dict[str, int] = {}
    renamed = []
    for name in repeated:
        number = last.get(name, 1) + 1
        while f"{name}#{number}" in taken:
            number += 1
        last[name] = number
        renamed.append(f"{name}#{number}")
    return renamed
