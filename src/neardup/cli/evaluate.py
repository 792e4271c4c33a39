"""`neardup evaluate`: a run against gold labels or pairs."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import print_plainly, say
from neardup.evaluate import holds_pairs
from neardup.report import render_evaluation, render_pair_evaluation


def evaluate(
    run: Run,
    gold: Annotated[Path, Argument(metavar="GOLD", hidden=True)],
    as_json: Annotated[bool, Option("--json", help="Print the measures as JSON; what is not defined is null.")] = False,
) -> int:
    """Measure a run against gold labels or a list of pairs.

    RUN is the folder that neardup find -o made, GOLD a CSV or Parquet file with the columns id, cluster and, where
    known, relation. Shown are pairs, B-cubed, adjusted Rand and AC1, and the measures per relation. With the columns a
    and b, GOLD is a list of pairs: shown are how many it has, the run has, and both have, and where it chains.
    """
    result = api.load(run)
    if holds_pairs(gold):
        scores, render = api.evaluate_pairs(result, gold).as_dict(), render_pair_evaluation
    else:
        scores, render = api.evaluate(result, gold).as_dict(), render_evaluation
    if as_json:
        print_plainly(json.dumps(_without_nan(scores), indent=2, ensure_ascii=False))
    else:
        say(render(scores))
    return 0


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(part) for name, part in value.items()}
    return None if isinstance(value, float) and isnan(value) else value
