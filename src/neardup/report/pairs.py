"""Show a comparison of two lists of pairs in the terminal: five counts, precision, recall, F1 and chain breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from neardup.printable import make_printable
from neardup.report.layout import QUIET, format_count, format_share, headed, heading, indented

DIGITS = 4
SHOWN_BREAKS = 10


def render_pair_evaluation(scores: Mapping[str, Any]) -> RenderableType:
    """Return the measures of `PairEvaluation.as_dict` as tables."""
    gold, found = format_count(scores["gold_pairs"], "pair"), f"{scores['found_pairs']:,}"
    parts: list[RenderableType] = [heading(f"{gold} in the gold, {found} found, {scores['common_pairs']:,} in both")]
    if scores["pairs_not_compared"]:
        parts.append(
            Text(f"Not compared: {format_count(scores['pairs_not_compared'], 'pair')} of other documents", QUIET)
        )
    parts += [Text(), indented(_values(scores)), Text(), indented(_shares(scores))]
    if scores["chain_break_count"]:
        parts += [Text(), *_chain_breaks(scores["chain_breaks"], scores["chain_break_count"])]
    return Group(*parts)


def _values(scores: Mapping[str, Any]) -> Table:
    table = headed("", "pairs", "only there")
    table.columns[0].justify = "left"
    for name in ("gold", "found"):
        table.add_row(Text(name), f"{scores[f'{name}_pairs']:,}", f"{scores[f'only_{name}_pairs']:,}")
    table.add_row(Text("common"), f"{scores['common_pairs']:,}", "")
    return table


def _shares(scores: Mapping[str, Any]) -> Table:
    table = headed("precision", "recall", "F1")
    table.add_row(*(format_share(scores[f"pair_{name}"], DIGITS) for name in ("precision", "recall", "f1")))
    return table


def _chain_breaks(breaks: Sequence[Mapping[str, Any]], count: int) -> list[RenderableType]:
    """List the components of the gold that are not clusters, each with a chain between two unlinked members."""
    lines: list[RenderableType] = [heading(f"{format_count(count, 'chain break')} in the gold")]
    lines.append(Text("Documents connected only through a chain of pairs; neither list links them directly", QUIET))
    for found in breaks[:SHOWN_BREAKS]:
        documents, apart = format_count(found["documents"], "document"), format_count(found["apart"], "pair")
        lines += [
            Text(),
            indented(Text(f"{documents}, {apart} not linked, such as the ends of this chain")),
            indented(indented(Text(make_printable(" – ".join(found["chain"]))))),
        ]
    if count > SHOWN_BREAKS:
        lines += [Text(), Text(f"and {count - SHOWN_BREAKS:,} more: --json lists up to {len(breaks)}", QUIET)]
    return lines
