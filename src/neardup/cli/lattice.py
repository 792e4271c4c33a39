"""`neardup lattice`: what the members of a cluster share, as text or as a drawing of its concepts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import say, things_written
from neardup.pipeline.lattices import MOST_CONCEPTS
from neardup.report import check_lattice, render_lattice, write_lattice


def lattice(
    run: Run,
    cluster: Annotated[str, Argument(metavar="CLUSTER", hidden=True)],
    output: Annotated[
        Path | None, Option("--output", "-o", metavar="FILE", help="Write it: .svg, .dot or .json.")
    ] = None,
    limit: Annotated[int, Option(metavar="N", min=1, help="How many concepts at most.")] = MOST_CONCEPTS,
    source: Annotated[
        list[str] | None,
        Option(metavar="INPUT", show_default=False, help="The collection, if it is no longer where the run found it."),
    ] = None,
    text: Annotated[str | None, Option(metavar="COLUMN", help="The column of the texts; guessed by its name.")] = None,
    id_column: Annotated[
        str | None, Option("--id", metavar="COLUMN", help="The column of the ids; guessed by its name.")
    ] = None,
) -> int:
    """Show what the members of a cluster share, and which of them share more.

    RUN is the folder that neardup find -o made, CLUSTER the id of a cluster or of any document in it. The texts are
    read again from the inputs of the run. Shown are the passages that all members have in common, then those of the
    larger groups among them; -o draws the whole lattice.
    """
    if output is not None:
        check_lattice(output)
    docs = [Path(name) for name in source] if source else None
    found = api.lattice(api.load(run), cluster, docs, limit=limit, text=text, id=id_column)
    if output is not None:
        things_written.append(str(write_lattice(found, output)))
    say(render_lattice(found))
    if output is not None:
        say("", f"Written: {output}")
    return 0
