"""How texts, ids, times, statuses and ranks are stored."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta

import pyarrow as pa

from neardup.errors import InputError
from neardup.read.times import parse_time
from neardup.records import EMPTY, OK, TOO_SHORT, UNREADABLE
from neardup.records.text_column import encode_text
from neardup.stages import UNPLACED

MICROSECONDS_PER_DAY = 86_400_000_000
STATUSES = (OK, EMPTY, UNREADABLE, TOO_SHORT)
UNTIMED_RANK = 1 << 62
"""The rank of a document without a time: after all documents with one."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MIN_COMPRESSED_BYTES = 256
_PLAIN, _COMPRESSED = b"\0", b"\1"
_CODEC = pa.Codec("zstd", 1)


def pack_text(raw: bytes) -> bytes:
    """Return the stored form of a text in UTF-8: compressed if that makes it shorter."""
    if len(raw) >= _MIN_COMPRESSED_BYTES:
        compressed: bytes = _CODEC.compress(raw, asbytes=True)
        if len(compressed) + 4 < len(raw):
            return _COMPRESSED + struct.pack("<I", len(raw)) + compressed
    return _PLAIN + raw


def unpack_text(stored: bytes) -> str:
    """Return the text of a stored form."""
    if stored[:1] == _PLAIN:
        return stored[1:].decode()
    (length,) = struct.unpack_from("<I", stored, 1)
    raw: bytes = _CODEC.decompress(stored[5:], length, asbytes=True)
    return raw.decode()


def pack_id(text: str) -> bytes:
    """Return the bytes of an id."""
    return encode_text(text)


def unpack_id(stored: bytes) -> str:
    """Return the id of stored bytes."""
    return bytes(stored).decode()


def pack_status(status: str, *, html: bool) -> int:
    """Return a status, and whether the text is HTML, as one number."""
    return STATUSES.index(status) * 2 + html


def unpack_status(stored: int) -> tuple[str, bool]:
    """Return the status, and whether the text is HTML."""
    return STATUSES[stored // 2], is_html(stored)


def is_html(stored: int) -> bool:
    """Return whether a text is HTML, by its stored status."""
    return bool(stored % 2)


def day_of(time: int | None) -> int:
    """Return the day of a time, counted from 1970; `UNPLACED` without a time."""
    return UNPLACED if time is None else time // MICROSECONDS_PER_DAY


def pack_time(value: datetime | str | None) -> int | None:
    """Return a time in microseconds since 1970. A time without a zone is in UTC."""
    if value is None:
        return None
    found = value if isinstance(value, datetime) else parse_time(str(value).strip())
    if found is None:
        raise InputError(f"{value!r} is not a time: write it as 2003-11-03 or 2003-11-03T12:00:00Z")
    found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
    return (found - _EPOCH) // timedelta(microseconds=1)


def unpack_time(stored: int | None) -> datetime | None:
    """Return the time of a stored number."""
    return None if stored is None else _EPOCH + timedelta(microseconds=stored)


def rank_document(keep: str | None, time: int | None, number: int, *, named: bool = True) -> int:
    """Return the rank of a document among identical ones: by time, or by number under `keep="first"`.

    The document of the smallest rank represents the others. Documents that arrived without an id are ranked by number
    where they have no time.
    """
    if keep == "first":
        return number
    if time is None:
        return UNTIMED_RANK if named else UNTIMED_RANK + number
    return -time if keep == "latest" else time
