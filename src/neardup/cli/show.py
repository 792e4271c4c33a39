"""`neardup show`: the clusters of a run in the terminal."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import say
from neardup.report import render_cluster, render_clusters, render_summary


def show(
    run: Run,
    cluster: Annotated[str | None, Argument(metavar="CLUSTER", hidden=True)] = None,
    limit: Annotated[int, Option(metavar="N", min=1, help="How many clusters or members.")] = 20,
    everything: Annotated[bool, Option("--all", help="All of them.")] = False,
) -> int:
    """Show the clusters of a run, or one of them.

    RUN is the folder that neardup find -o made, CLUSTER the id of a cluster or of any document in it: what each member
    added and removed is shown.
    """
    result = api.load(run)
    shown = None if everything else limit
    if cluster is None:
        say(render_summary(result), Text(), render_clusters(result, shown))
    else:
        say(render_cluster(result, cluster, limit=shown))
    return 0
