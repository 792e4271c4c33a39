"""Read a collection of any kind into Documents."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.errors import InputError
from neardup.read.columns.batches import ATTRIBUTES, SCHEMA, Item, gather
from neardup.read.documents import read_files
from neardup.read.files.paths import STANDARD_INPUT, find_files, list_sources
from neardup.read.memory import are_texts, read_memory, wrap_texts
from neardup.read.reading import Progress, Reading, Wanted
from neardup.records import EMPTY, OK, UNREADABLE, Documents
from neardup.records.ids import complete_ids
from neardup.records.text_column import string_buffers

_LAST_ASCII = 0x7F


def read(
    source: Any,
    *,
    text: str | None = None,
    id: str | None = None,  # noqa: A002 - the name of the option
    time: str | None = None,
    strict: bool = False,
    progress: Progress | None = None,
) -> Documents:
    """Read a collection: files, folders and patterns, or strings, mappings, frames, tables and datasets in memory.

    A string is a path or a pattern; a list of strings is a list of texts, which is not copied. `text`, `id` and `time`
    name columns, which are otherwise recognised by their names. A record that cannot be read is kept and counted;
    under `strict`, it raises InputError.

    >>> len(read(["one text", "another text"]))
    2
    """
    start = perf_counter()
    documents = _read(source, Reading(Wanted(text, id, time), strict=strict, progress=progress))
    return replace(documents, seconds=perf_counter() - start)


def stack(first: Documents, second: Documents) -> tuple[Documents, npt.NDArray[np.uint8]]:
    """Append a second collection to a first; return both as one, and the side of each document: 0 or 1.

    An id that both have gets a suffix in the second.
    """
    if STANDARD_INPUT in first.inputs and STANDARD_INPUT in second.inputs:
        raise InputError("standard input can be read only once: name a file for one of the two collections")
    sides = np.repeat(np.array([0, 1], np.uint8), [len(first), len(second)])
    return first.concatenate(second), sides


def _read(source: Any, reading: Reading) -> Documents:
    source = _listed(source)
    if are_texts(source):
        return wrap_texts(source, reading)
    if not _are_paths(source):
        return assemble(read_memory(source, reading), reading)
    named = list_sources(source)
    files = find_files(named)
    reading.total = sum(file.size for file in files) if all(file.regular for file in files) else None
    reading.alone = len(files) == 1
    documents = assemble(read_files(files, reading), reading, tuple(os.fsdecode(name) for name in named))
    reading.finish()
    return documents


def assemble(items: Iterable[Item], reading: Reading, inputs: tuple[str, ...] = ()) -> Documents:
    """Combine the output of readers into a collection, with complete and unique ids, statuses and counts."""
    table = pa.Table.from_batches(list(gather(items)), SCHEMA)
    ids, repeated = complete_ids(table["id"]) if table["id"].null_count < len(table) else (None, 0)
    unreadable, empty = table["unreadable"], _find_empty(table)
    counts = {
        **reading.counts,
        "records": len(table),
        "empty": pc.sum(empty).as_py() or 0,
        "unreadable": pc.sum(unreadable).as_py() or 0,
        "repeated_ids": repeated,
    }
    statuses = None
    if counts["empty"] or counts["unreadable"]:
        statuses = pc.if_else(unreadable, UNREADABLE, pc.if_else(empty, EMPTY, OK))
    kept = [name for name in ATTRIBUTES if table[name].null_count < len(table)]
    html = table["html"].to_numpy()
    return Documents(
        table["text"],
        ids=ids,
        times=table["time"] if table["time"].null_count < len(table) else None,
        statuses=statuses,
        html=html.astype(np.bool_) if html.any() else None,
        attributes=table.select(kept) if kept else None,
        inputs=inputs,
        notes=reading.notes(),
        counts=counts,
    )


def _find_empty(table: pa.Table) -> pa.ChunkedArray:
    """Mark texts that are null or only white space, except unreadable ones."""
    blank = pa.chunked_array([_find_blank(chunk) for chunk in table["text"].chunks], pa.bool_())
    return pc.and_not(blank, table["unreadable"])


def _find_blank(texts: pa.Array) -> pa.Array:
    """Mark texts that are null or only white space; only texts that may begin with white space are examined."""
    starts, content = string_buffers(texts)
    suspected = starts[:-1] == starts[1:]
    some = np.flatnonzero(~suspected)
    first = content[starts[some]]
    suspected[some[(first <= ord(" ")) | (first > _LAST_ASCII)]] = True
    blank = np.zeros(len(texts), bool)
    rows = np.flatnonzero(suspected)
    if len(rows):
        chosen = texts.take(pa.array(rows))
        spaces = pc.or_(pc.equal(pc.binary_length(chosen), 0), pc.utf8_is_space(chosen))
        blank[rows] = pc.fill_null(spaces, True).to_numpy(zero_copy_only=False)
    return pa.array(blank)


def _listed(source: Any) -> Any:
    """Return iterators and sequences of strings or paths as lists; the first item decides."""
    plain = isinstance(source, (Iterator, tuple, set, frozenset))
    if not plain or hasattr(source, "__arrow_c_stream__") or hasattr(source, "read"):
        return source
    items = iter(source)
    head = list(itertools.islice(items, 1))
    whole: Iterator[Any] = itertools.chain(head, items)
    return list(whole) if head and isinstance(head[0], (str, os.PathLike)) else whole


def _are_paths(source: Any) -> bool:
    if isinstance(source, (str, os.PathLike)):
        return True
    if not isinstance(source, list) or not any(isinstance(item, os.PathLike) for item in source):
        return False
    if not all(isinstance(item, os.PathLike) for item in source):
        raise InputError("a list contains either paths or texts: some items are path objects, others are not")
    return True
