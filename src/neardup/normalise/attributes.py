"""Extract the attributes of letters: sender, receiver, time, docket, topic, relayer and the parts of the text.

Yang & Callan 2006, section 4.1. Columns and mail headers take precedence over what the rules find in the text. Docket
numbers are the exception: those cited in the text come first, since people submit letters to the wrong docket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from neardup import _core
from neardup.normalise.letters import LetterReader, known_dockets
from neardup.records import EMPTY, NO_CONTENT, OK, Documents
from neardup.stages import Numbers

FIELDS = ("sender", "receiver", "topic", "relayer")
PART_TEXTS = ("address", "salutation", "signature", "footer", "header", "quoted", "main")
BATCH = 10_000

# Characters that normalisation never changes in a text that is not marked as a page: no `<`, `&` or backslash, which
# begin markup, and always composed.
_UNCHANGED = re.compile("[\0-%'-;=-\\[\\]-\u02ff\u2010-\u2027]*")

PART_TYPE = pa.struct([("kind", pa.string()), ("start", pa.int64()), ("end", pa.int64())])

LETTER_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("status", pa.string()),
        ("sender", pa.string()),
        ("receiver", pa.string()),
        ("time", pa.timestamp("us", "UTC")),
        ("docket", pa.list_(pa.string())),
        ("topic", pa.string()),
        ("relayer", pa.string()),
        *((name, pa.string()) for name in PART_TEXTS),
        ("parts", pa.list_(PART_TYPE)),
    ]
)


@dataclass(slots=True)
class _Parts:
    """The parts of a letter: their kinds, their comparable texts, and their bounds.

    The bounds are offsets in code points: the start of each part and the end of the last one. They refer to the
    comparable text until they are mapped back to the original.
    """

    kinds: list[str]
    pieces: list[str]
    bounds: list[int]


def extract_attributes(documents: Documents, texts: _core.Texts, reader: LetterReader) -> pa.Table:
    """Return one row of attributes for each document; an attribute found in neither columns nor text is null."""
    rules = reader.rules(texts)
    everything = np.arange(len(documents), dtype=np.uint32)
    (offsets, kinds, _, ends), (cited, _, _), relayers, _, _ = rules.open(texts)
    senders, receivers, topics = rules.fields(texts, everything)
    found = {"sender": senders, "receiver": receivers, "topic": topics, "relayer": relayers}
    whole: dict[str, pa.Array] = {name: _given_first(documents, name, values) for name, values in found.items()}
    whole["id"] = documents.id_column().combine_chunks().cast(pa.string())
    whole["status"] = _statuses(documents, texts.survey(everything, None, None).words)
    whole["time"] = _times(documents)
    whole["docket"] = _split_numbers(known_dockets(cited, documents, rules))
    batches = []
    for start in range(0, len(documents), BATCH):
        bounds = offsets[start : start + BATCH + 1].astype(np.int64)
        letters = list(_split_letters(documents, texts, start, kinds, ends, bounds))
        columns = {name: column.slice(start, BATCH) for name, column in whole.items()} | _part_columns(letters)
        columns["status"] = _mark_no_content(columns["status"], columns["main"])
        batches.append(
            pa.RecordBatch.from_arrays([columns[name] for name in LETTER_SCHEMA.names], schema=LETTER_SCHEMA)
        )
    return pa.Table.from_batches(batches, LETTER_SCHEMA)


def _given_first(documents: Documents, name: str, found: list[str]) -> pa.Array:
    """Return the values of the column; where it is empty, those found in the text."""
    values = pa.array(found, pa.string())
    if documents.attributes is not None and name in documents.attributes.column_names:
        given = pc.fill_null(documents.attributes[name].combine_chunks().cast(pa.string()), "")
        values = pc.if_else(pc.equal(pc.utf8_trim_whitespace(given), ""), values, given)
    return pc.if_else(pc.equal(values, ""), None, values)


def _statuses(documents: Documents, words: Numbers) -> pa.Array:
    known = pa.array([OK] * len(documents), pa.string())
    if documents.statuses is not None:
        known = documents.statuses.combine_chunks().cast(pa.string())
    return pc.if_else(pc.and_(pa.array(words == 0), pc.equal(known, OK)), EMPTY, known)


def _mark_no_content(statuses: pa.Array, main: pa.Array) -> pa.Array:
    """Return the statuses; letters that have words, but none of them in a main text, have no content."""
    return pc.if_else(pc.and_(pc.is_null(main), pc.equal(statuses, OK)), NO_CONTENT, statuses)


def _times(documents: Documents) -> pa.Array:
    kind = LETTER_SCHEMA.field("time").type
    return pa.nulls(len(documents), kind) if documents.times is None else documents.times.combine_chunks().cast(kind)


def _split_numbers(cited: pa.Array) -> pa.Array:
    return pa.array([text.split("\x1f") if text else [] for text in cited.to_pylist()], pa.list_(pa.string()))


def _split_letters(
    documents: Documents, texts: _core.Texts, first: int, kinds: np.ndarray, ends: Numbers, bounds: np.ndarray
) -> Iterator[_Parts]:
    """Split the letters from `first` on at the bounds of their parts."""
    names = _core.LetterRules.kinds()
    originals = _originals(documents, first, len(bounds) - 1)
    for index, (start, end) in enumerate(pairwise(bounds.tolist())):
        is_page = documents.html is not None and bool(documents.html[first + index])
        unchanged = not is_page and _UNCHANGED.fullmatch(originals[index])
        comparable = originals[index] if unchanged else texts.prepared(first + index)
        pieces = _cut(comparable, ends[start:end].tolist())
        letter = _Parts([names[kind] for kind in kinds[start:end]], pieces, [0, *accumulate(map(len, pieces))])
        if originals[index] and not comparable:
            letter = _Parts(["main"], [""], [0, len(originals[index])])  # nothing but markup
        elif comparable != originals[index]:
            letter.bounds = _map_back(letter.bounds, comparable, texts.tokens(first + index)[0], originals[index])
        yield letter


def _originals(documents: Documents, first: int, count: int) -> list[str]:
    return documents.texts.slice(first, first + count).to_list()


def _cut(text: str, ends: Sequence[int]) -> list[str]:
    """Split a text after these byte offsets."""
    if text.isascii():
        return [text[start:end] for start, end in pairwise((0, *ends))]
    content = text.encode()
    return [content[start:end].decode() for start, end in pairwise((0, *ends))]


def _map_back(bounds: list[int], comparable: str, originals: Numbers, original: str) -> list[int]:
    """Map the bounds of a rebuilt text to the original: each becomes the start of the first word after it."""
    words = _core.Texts.from_strings([comparable], None, "nfc", "plain", 1).tokens(0)[0]
    indexes = np.searchsorted(words, np.array(bounds[1:-1], np.uint32))
    inner = np.append(originals, len(original))[indexes].tolist()
    return [0, *inner, len(original)]


def _part_columns(letters: list[_Parts]) -> dict[str, pa.Array]:
    columns = {name: pa.array([_join(letter, name) for letter in letters], pa.string()) for name in PART_TEXTS}
    parts = pa.StructArray.from_arrays(
        [
            pa.array([kind for letter in letters for kind in letter.kinds], pa.string()),
            pa.array([start for letter in letters for start in letter.bounds[:-1]], pa.int64()),
            pa.array([end for letter in letters for end in letter.bounds[1:]], pa.int64()),
        ],
        fields=list(PART_TYPE),
    )
    counts = accumulate((len(letter.kinds) for letter in letters), initial=0)
    return columns | {"parts": pa.ListArray.from_arrays(pa.array(counts, pa.int32()), parts)}


def _join(letter: _Parts, kind: str) -> str | None:
    """Join the parts of one kind with line feeds, without surrounding white space."""
    chosen = (piece.strip() for name, piece in zip(letter.kinds, letter.pieces, strict=True) if name == kind)
    return "\n".join(filter(None, chosen)) or None
