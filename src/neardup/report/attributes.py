"""Write the attributes of letters as Parquet, JSON lines, or XML as in Yang & Callan 2006.

A file is replaced only once the new one is complete.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from neardup.errors import OutputError
from neardup.outputs import check_file, replacing
from neardup.report.export import Target, write_json_lines

# Characters outside the production Char of XML 1.0, and noncharacters, which should not be exchanged.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# XML parsers turn a carriage return into a line feed, and any white space in an attribute into a space.
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_VALUE = _TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})
ROWS = 10_000


def write_letters(table: pa.Table, target: Target) -> Path:
    """Write the attributes of letters in the format given by the target's suffix, and return the path."""
    writer = check_letters(target)
    with replacing(Path(target)) as path:
        writer(table, path)
    return Path(target)


def check_letters(target: Target) -> Callable[[pa.Table, Path], None]:
    """Return the writer for the target, or raise before any work is done if nothing can be written there."""
    writer = WRITERS.get(Path(target).suffix.lower())
    if writer is None:
        raise OutputError(f"unknown output format of {target}: use the suffix .parquet, .jsonl or .xml")
    check_file(target)
    return writer


def _write_parquet(table: pa.Table, path: Path) -> None:
    pq.write_table(table, path, compression="zstd")


def _write_xml(table: pa.Table, path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<documents>\n')
        for batch in table.to_batches(max_chunksize=ROWS):
            for row in batch.to_pylist():
                stream.write("\n".join(_write_document(row)) + "\n")
        stream.write("</documents>\n")


def _write_document(row: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a document: one element for each known attribute, docket number and part."""
    yield f'<document id="{_quote(row["id"], _VALUE)}" status="{_quote(row["status"], _VALUE)}">'
    for name, value in row.items():
        if name == "parts":
            yield from (f'<part kind="{part["kind"]}" start="{part["start"]}" end="{part["end"]}"/>' for part in value)
        elif name not in ("id", "status") and value is not None:
            for item in value if isinstance(value, list) else [value]:
                content = item.isoformat() if isinstance(item, datetime) else item
                yield f"<{name}>{_quote(content, _TEXT)}</{name}>"
    yield "</document>"


def _quote(text: str, escapes: dict[int, str]) -> str:
    return _FORBIDDEN.sub("\ufffd", text).translate(escapes)


WRITERS: dict[str, Callable[[pa.Table, Path], None]] = {
    ".parquet": _write_parquet,
    ".jsonl": write_json_lines,
    ".ndjson": write_json_lines,
    ".xml": _write_xml,
}
