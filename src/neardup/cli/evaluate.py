"""`neardup evaluate`: measure a run against gold labels or pairs."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from neardup import api
from neardup.cli.options import Run
from neardup.cli.terminal import print_output, print_text
from neardup.evaluate import holds_pairs
from neardup.records import load_result
from neardup.report import render_evaluation, render_pair_evaluation


def evaluate(
    run: Run,
    gold: Annotated[Path, Argument(metavar="GOLD", hidden=True)],
    as_json: Annotated[bool, Option("--json", help="Print the measures as JSON; undefined values are null.")] = False,
) -> int:
    """Measure a run against gold labels or a list of pairs.

    RUN is a folder written by neardup find -o. GOLD is a CSV or Parquet file with the columns id and cluster, and
    optionally relation: the command prints pair scores, B-cubed, adjusted Rand, AC1 and the scores per relation. If
    GOLD has the columns a and b, it is a list of pairs: the command prints how many pairs the list, the run and both
    contain, and where the list forms chains.
    """
    result = load_result(run)
    if holds_pairs(gold):
        scores, render = api.evaluate_pairs(result, gold).as_dict(), render_pair_evaluation
    else:
        scores, render = api.evaluate(result, gold).as_dict(), render_evaluation
    if as_json:
        print_text(json.dumps(_without_nan(scores), indent=2, ensure_ascii=False))
    else:
        print_output(render(scores))
    return 0


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(part) for name, part in value.items()}
    return None if isinstance(value, float) and isnan(value) else value
