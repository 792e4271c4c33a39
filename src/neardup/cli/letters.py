"""`neardup letters`: who wrote to whom about what, and the parts of each letter, to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pyarrow as pa
import pyarrow.compute as pc
from typer import Option

from neardup import api
from neardup.cli.options import Inputs, Quiet
from neardup.cli.terminal import say, show_progress, things_written
from neardup.records import UNREADABLE
from neardup.report import check_letters, write_letters

DONE, SOME_UNREADABLE = 0, 3
COUNTED = ("sender", "receiver", "docket", "topic", "relayer", "salutation", "signature", "footer")


def letters(  # noqa: PLR0913, PLR0917 - Typer passes them by name
    inputs: Inputs,
    output: Annotated[
        str, Option("--output", "-o", metavar="FILE", show_default=False, help=".parquet, .jsonl or .xml.")
    ],
    text: Annotated[str | None, Option(metavar="COLUMN", help="The column of the texts; guessed by its name.")] = None,
    id_column: Annotated[
        str | None, Option("--id", metavar="COLUMN", help="The column of the ids; guessed by its name.")
    ] = None,
    time: Annotated[str | None, Option(metavar="COLUMN", help="The column of the times; guessed by its name.")] = None,
    dockets: Annotated[
        Path | None, Option(metavar="FILE", help="TOML with patterns and aliases of docket numbers.")
    ] = None,
    strict: Annotated[bool, Option("--strict", help="A document that cannot be read is an error.")] = False,
    threads: Annotated[int | None, Option(metavar="N", min=1, help="All cores unless given.")] = None,
    quiet: Quiet = False,
) -> int:
    """Take letters apart: sender, receiver, docket, signature and so on.

    INPUT is a file, a folder or a glob, of any format that can be read; there may be several. FILE gets one row, line
    or element per document.
    """
    check_letters(output)
    with show_progress(quiet=quiet) as progress:
        paths = [Path(name) for name in inputs]
        documents = api.read(paths, text=text, id=id_column, time=time, strict=strict, progress=progress)
        progress("take apart", 0, None)
        table = api.extract(documents, dockets=dockets, threads=threads)
        progress("write", 0, None)
        things_written.append(str(write_letters(table, output)))
    if not quiet:
        say(*documents.notes, _count(table), f"Written: {things_written[-1]}")
    return SOME_UNREADABLE if pc.any(pc.equal(table["status"], UNREADABLE)).as_py() else DONE


def _count(table: pa.Table) -> str:
    counts = (f"{_known(table[name]):,} with {name}" for name in COUNTED)
    return f"{table.num_rows:,} letters: {', '.join(counts)}"


def _known(column: pa.ChunkedArray) -> int:
    if pa.types.is_list(column.type):
        return int(pc.sum(pc.greater(pc.list_value_length(column), 0)).as_py() or 0)
    return int(pc.count(column).as_py())
