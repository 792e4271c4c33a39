"""`neardup evaluate`: a run against gold labels."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import print_plainly, say
from neardup.report import render_evaluation


def evaluate(
    run: Run,
    gold: Annotated[Path, Argument(metavar="GOLD", hidden=True)],
    as_json: Annotated[bool, Option("--json", help="Print the measures as JSON; what is not defined is null.")] = False,
) -> int:
    """Measure a run against gold labels.

    RUN is the folder that neardup find -o made, GOLD a CSV or Parquet file with the columns id, cluster and, where
    known, relation. Shown are pairs, B-cubed, adjusted Rand and AC1, and the measures per relation.
    """
    scores = api.evaluate(api.load(run), gold).as_dict()
    if as_json:
        print_plainly(json.dumps(_without_nan(scores), indent=2, ensure_ascii=False))
    else:
        say(render_evaluation(scores))
    return 0


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(part) for name, part in value.items()}
    return None if isinstance(value, float) and isnan(value) else value
