"""`neardup show`: print the clusters of a run."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import print_output
from neardup.report import render_cluster, render_clusters, render_summary


def show(
    run: Run,
    cluster: Annotated[str | None, Argument(metavar="CLUSTER", hidden=True)] = None,
    limit: Annotated[int, Option(metavar="N", min=1, help="The number of clusters or members to show.")] = 20,
    everything: Annotated[bool, Option("--all", help="Show all of them.")] = False,
) -> int:
    """Show the clusters of a run, or one of them.

    RUN is a folder written by neardup find -o. CLUSTER is the id of a cluster or of any document in it; the command
    then prints what each member added and removed.
    """
    result = api.load(run)
    shown = None if everything else limit
    if cluster is None:
        print_output(render_summary(result), Text(), render_clusters(result, shown))
    else:
        print_output(render_cluster(result, cluster, limit=shown))
    return 0
