"""`neardup letters`: extract sender, receiver, docket and the parts of each letter to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pyarrow as pa
import pyarrow.compute as pc
from typer import Option

from neardup import api
from neardup.cli.options import IdColumn, Inputs, Quiet, Strict, TextColumn, Threads, TimeColumn
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.records import UNREADABLE
from neardup.report import check_letters, write_letters

DONE, SOME_UNREADABLE = 0, 3
COUNTED = ("sender", "receiver", "docket", "topic", "relayer", "salutation", "signature", "footer")


def letters(  # noqa: PLR0913, PLR0917 - Typer passes them by name
    inputs: Inputs,
    output: Annotated[
        str,
        Option(
            "--output", "-o", metavar="FILE", show_default=False, help="The file to write: .parquet, .jsonl or .xml."
        ),
    ],
    text: TextColumn = None,
    id_column: IdColumn = None,
    time: TimeColumn = None,
    dockets: Annotated[
        Path | None, Option(metavar="FILE", help="TOML with patterns and aliases of docket numbers.")
    ] = None,
    strict: Strict = False,
    threads: Threads = None,
    quiet: Quiet = False,
) -> int:
    """Extract sender, receiver, docket, signature and other parts of letters.

    INPUT is a file, a folder or a glob in any supported format; it may be repeated. FILE gets one row, line or element
    per document.
    """
    check_letters(output)
    with show_progress(quiet=quiet) as progress:
        paths = [Path(name) for name in inputs]
        documents = api.read(paths, text=text, id=id_column, time=time, strict=strict, progress=progress)
        progress("extract", 0, None)
        table = api.extract(documents, dockets=dockets, threads=threads)
        progress("write", 0, None)
        written_paths.append(str(write_letters(table, output)))
    if not quiet:
        print_output(*documents.notes, _count(table), f"Written: {written_paths[-1]}")
    return SOME_UNREADABLE if pc.any(pc.equal(table["status"], UNREADABLE)).as_py() else DONE


def _count(table: pa.Table) -> str:
    counts = (f"{_count_known(table[name]):,} with {name}" for name in COUNTED)
    return f"{table.num_rows:,} letters: {', '.join(counts)}"


def _count_known(column: pa.ChunkedArray) -> int:
    if pa.types.is_list(column.type):
        return int(pc.sum(pc.greater(pc.list_value_length(column), 0)).as_py() or 0)
    return int(pc.count(column).as_py())
