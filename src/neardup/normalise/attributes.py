"""What a letter says of itself: who wrote it to whom, when, about what, and which part of its text is what.

Yang & Callan 2006, section 4.1. Columns and mail headers go before what the rules read off the text; only docket
numbers are taken from the text first, since people write to the wrong docket.
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
from neardup.records import EMPTY, OK, Documents
from neardup.stages import Numbers

FIELDS = ("sender", "receiver", "topic", "relayer")
PART_TEXTS = ("address", "salutation", "signature", "footer", "header", "quoted", "main")
BATCH = 10_000

# Characters that no preparation changes, as long as the text is not marked as a page: no tag, and composed for sure.
_SETTLED = re.compile("[\0-;=-\u02ff\u2010-\u2027]*")

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
class _Opened:
    """A letter in its parts: their kinds, their texts as they are compared, where they begin and where the last ends.

    The places are code points, of the comparable text until they are brought back to the original.
    """

    kinds: list[str]
    pieces: list[str]
    bounds: list[int]


def extract_attributes(documents: Documents, texts: _core.Texts, reader: LetterReader) -> pa.Table:
    """Return one row of attributes for each document; null is what neither columns nor text say."""
    rules = reader.rules(texts)
    everything = np.arange(len(documents), dtype=np.uint32)
    offsets, kinds, _, ends, cited, relayers, _ = rules.open(texts)
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
        letters = list(_open_letters(documents, texts, start, kinds, ends, bounds))
        columns = {name: column.slice(start, BATCH) for name, column in whole.items()} | _part_columns(letters)
        batches.append(
            pa.RecordBatch.from_arrays([columns[name] for name in LETTER_SCHEMA.names], schema=LETTER_SCHEMA)
        )
    return pa.Table.from_batches(batches, LETTER_SCHEMA)


def _given_first(documents: Documents, name: str, found: list[str]) -> pa.Array:
    """Return what the column says, and what was found in the text where it says nothing."""
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


def _times(documents: Documents) -> pa.Array:
    kind = LETTER_SCHEMA.field("time").type
    return pa.nulls(len(documents), kind) if documents.times is None else documents.times.combine_chunks().cast(kind)


def _split_numbers(cited: pa.Array) -> pa.Array:
    return pa.array([text.split("\x1f") if text else [] for text in cited.to_pylist()], pa.list_(pa.string()))


def _open_letters(
    documents: Documents, texts: _core.Texts, first: int, kinds: np.ndarray, ends: Numbers, bounds: np.ndarray
) -> Iterator[_Opened]:
    """Cut the letters from `first` on at the bounds of their parts."""
    names = _core.LetterRules.kinds()
    originals = _originals(documents, first, len(bounds) - 1)
    for place, (start, end) in enumerate(pairwise(bounds.tolist())):
        is_page = documents.html is not None and bool(documents.html[first + place])
        settled = not is_page and _SETTLED.fullmatch(originals[place])
        comparable = originals[place] if settled else texts.prepared(first + place)
        pieces = _cut(comparable, ends[start:end].tolist())
        letter = _Opened([names[kind] for kind in kinds[start:end]], pieces, [0, *accumulate(map(len, pieces))])
        if originals[place] and not comparable:
            letter = _Opened(["main"], [""], [0, len(originals[place])])  # nothing but markup
        elif comparable != originals[place]:
            letter.bounds = _bring_back(letter.bounds, comparable, texts.tokens(first + place)[0], originals[place])
        yield letter


def _originals(documents: Documents, first: int, count: int) -> list[str]:
    return documents.texts.slice(first, first + count).to_list()


def _cut(text: str, ends: Sequence[int]) -> list[str]:
    """Cut a text behind these bytes."""
    if text.isascii():
        return [text[start:end] for start, end in pairwise((0, *ends))]
    content = text.encode()
    return [content[start:end].decode() for start, end in pairwise((0, *ends))]


def _bring_back(bounds: list[int], comparable: str, originals: Numbers, original: str) -> list[int]:
    """Find the bounds in the original of a text that was rebuilt: where the first word behind each stands."""
    words = _core.Texts.from_strings([comparable], None, "nfc", "plain", 1).tokens(0)[0]
    places = np.searchsorted(words, np.array(bounds[1:-1], np.uint32))
    inner = np.append(originals, len(original))[places].tolist()
    return [0, *inner, len(original)]


def _part_columns(letters: list[_Opened]) -> dict[str, pa.Array]:
    columns = {name: pa.array([_join(letter, name) for letter in letters], pa.string()) for name in PART_TEXTS}
    parts = pa.StructArray.from_arrays(
        [
            pa.array([kind for letter in letters for kind in letter.kinds], pa.string()),
            pa.array([place for letter in letters for place in letter.bounds[:-1]], pa.int64()),
            pa.array([place for letter in letters for place in letter.bounds[1:]], pa.int64()),
        ],
        fields=list(PART_TYPE),
    )
    counts = accumulate((len(letter.kinds) for letter in letters), initial=0)
    return columns | {"parts": pa.ListArray.from_arrays(pa.array(counts, pa.int32()), parts)}


def _join(letter: _Opened, kind: str) -> str | None:
    """Join the parts of a kind by line ends, without the white space around them."""
    chosen = (piece.strip() for name, piece in zip(letter.kinds, letter.pieces, strict=True) if name == kind)
    return "\n".join(filter(None, chosen)) or None
