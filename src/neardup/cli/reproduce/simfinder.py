"""`neardup reproduce simfinder`: near-duplicates among short texts (Gong et al. 2008)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.reproduce.outcome import Outcome, Output, Seed, finish
from neardup.cli.terminal import show_progress
from neardup.reproduce import simfinder as experiments
from neardup.reproduce.folder import check_reproduction


def simfinder(
    corpus: Annotated[
        list[str] | None,
        Option(
            metavar="FILE",
            show_default=False,
            help="Short texts, each file a corpus; may be repeated. Written by a grammar if not given.",
        ),
    ] = None,
    pairs: Annotated[
        list[str] | None,
        Option(
            metavar="FILE",
            show_default=False,
            help="Judged pairs, a table with a, b and label (1 or 0); may be repeated.",
        ),
    ] = None,
    output: Output = None,
    seed: Seed = 1,
    size: Annotated[int, Option(metavar="N", help="How many texts a corpus has.")] = experiments.SIZE,
    quiet: Quiet = False,
) -> int:
    """Find near-duplicates among messages and titles (Gong et al. 2008).

    FOLDER gets report.md, a CSV file for each table, and with matplotlib the plots as PNG and SVG.
    """
    folder = output or Path("reproduce-simfinder")
    check_reproduction(folder)
    paths = [Path(name) for name in corpus or ()]
    with show_progress(quiet=quiet) as progress:
        documents = [api.read(path, progress=progress) for path in paths]
        corpora = [
            experiments.Source(experiments.path_name(path), experiments.list_texts(own))
            for path, own in zip(paths, documents, strict=True)
        ]
        judged = [experiments.read_pairs(Path(name), progress) for name in pairs or ()]
        found = experiments.reproduce_simfinder(corpora, judged, seed, size=size, progress=progress)
    written = experiments.write_reproduction(found, folder)
    return finish(Outcome(experiments.list_sheets(found), written, documents), quiet=quiet)
