"""`neardup show`: print the clusters or passages of a run."""

from __future__ import annotations

from typing import Annotated

from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import print_output
from neardup.records import Passages
from neardup.report import (
    render_cluster,
    render_clusters,
    render_passage,
    render_passage_summary,
    render_passages,
    render_summary,
)


def show(
    run: Run,
    cluster: Annotated[str | None, Argument(metavar="CLUSTER", hidden=True)] = None,
    limit: Annotated[
        int, Option(metavar="N", min=1, help="The number of clusters, passages, members or places to show.")
    ] = 20,
    everything: Annotated[bool, Option("--all", help="Show all of them.")] = False,
) -> int:
    """Show the clusters or passages of a run, or one of them.

    RUN is a folder written by neardup find -o or neardup passages -o. CLUSTER is the id of a cluster or of any document
    in it; the command then prints what each member added and removed. For a run of passages it is the number of a
    passage; the command then prints its text and where it occurs.
    """
    result = api.load(run)
    shown = None if everything else limit
    if isinstance(result, Passages) and cluster is None:
        print_output(render_passage_summary(result), Text(), render_passages(result, shown))
    elif isinstance(result, Passages):
        print_output(render_passage(result, str(cluster), limit=shown))
    elif cluster is None:
        print_output(render_summary(result), Text(), render_clusters(result, shown))
    else:
        print_output(render_cluster(result, cluster, limit=shown))
    return 0
