"""Show an evaluation in the terminal: agreement of the clusters, then of the relations if the gold has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from neardup.printable import make_printable
from neardup.report.layout import QUIET, Surface, View, format_count, format_share, headed, heading, indented

DIGITS = 4


def render_evaluation(scores: Mapping[str, Any]) -> RenderableType:
    """Return the measures of `Evaluation.as_dict` as tables."""
    parts: list[RenderableType] = [heading(_sentence(scores))]
    left_over = [
        f"{format_count(scores[name], 'document')} only in the {where}"
        for name, where in (("only_in_gold", "gold"), ("only_in_result", "run"))
        if scores[name]
    ]
    if left_over:
        parts.append(Text(f"Not compared: {', '.join(left_over)}", QUIET))
    parts += [Text(), indented(_agreement(scores)), Text(), indented(_coefficients(scores))]
    if scores["relations"]:
        parts += [Text(), View(lambda surface: indented(_relations(scores["relations"], surface)))]
    return Group(*parts)


def _sentence(scores: Mapping[str, Any]) -> str:
    documents, clusters = (
        format_count(scores["documents"], "document"),
        format_count(scores["gold_clusters"], "cluster"),
    )
    return f"{documents} compared: {clusters} in the gold, {scores['found_clusters']:,} found"


def _agreement(scores: Mapping[str, Any]) -> Table:
    table = headed("", "precision", "recall", "F1")
    table.columns[0].justify = "left"
    for name, prefix in (("pairs", "pair"), ("B-cubed", "bcubed")):
        table.add_row(Text(name), *_figures(scores, *(f"{prefix}_{kind}" for kind in ("precision", "recall", "f1"))))
    return table


def _coefficients(scores: Mapping[str, Any]) -> Table:
    table = headed("adjusted Rand", "AC1 micro", "AC1 macro")
    table.add_row(*_figures(scores, "adjusted_rand", "ac1_micro", "ac1_macro"))
    return table


def _relations(relations: Mapping[str, Mapping[str, Any]], surface: Surface) -> Table:
    names = {"precision": "precision", "recall": "recall", "f1": "F1", "detection_recall": "detected"}
    if surface.width < 60:
        names = {"f1": "F1"}
    table = headed("relation", "texts", *names.values())
    table.columns[0].justify, table.columns[0].no_wrap, table.columns[0].overflow = "left", False, "fold"
    for relation, scores in relations.items():
        table.add_row(Text(make_printable(relation)), Text(f"{scores['support']:,}"), *_figures(scores, *names))
    return table


def _figures(scores: Mapping[str, Any], *names: str) -> list[Text]:
    return [Text(format_share(scores[name], DIGITS)) for name in names]
