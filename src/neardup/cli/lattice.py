"""`neardup lattice`: show what the members of a cluster share, as text or as a drawing of its concepts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from neardup import api
from neardup.cli.options import IdColumn, Run, TextColumn
from neardup.cli.terminal import print_output, written_paths
from neardup.lattices import MOST_CONCEPTS
from neardup.records import load_result
from neardup.report import check_lattice, render_lattice, write_lattice


def lattice(
    run: Run,
    cluster: Annotated[str, Argument(metavar="CLUSTER", hidden=True)],
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="FILE", help="Write the lattice to FILE: .svg, .dot or .json.")
    ] = None,
    limit: Annotated[int, Option(metavar="N", min=1, help="The maximum number of concepts.")] = MOST_CONCEPTS,
    source: Annotated[
        list[str] | None,
        Option(metavar="INPUT", show_default=False, help="The collection, if it has moved since the run."),
    ] = None,
    text: TextColumn = None,
    id_column: IdColumn = None,
) -> int:
    """Show what the members of a cluster share, and which of them share more.

    RUN is a folder written by neardup find -o. CLUSTER is the id of a cluster or of any document in it. The texts are
    read again from the inputs of the run. The command prints the passages that all members share, then those of the
    larger groups among them; -o draws the whole lattice.
    """
    if output is not None:
        check_lattice(output)
    docs = [Path(name) for name in source] if source else None
    found = api.lattice(load_result(run), cluster, docs, limit=limit, text=text, id=id_column)
    if output is not None:
        written_paths.append(str(write_lattice(found, output)))
    print_output(render_lattice(found))
    if output is not None:
        print_output("", f"Written: {output}")
    return 0
