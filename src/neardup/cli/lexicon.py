"""`neardup lexicon`: `build` counts words; `compare` and `stability` show what changes between two lexicons."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import RenderableType
from rich.text import Text
from typer import Argument, Option

from neardup import api
from neardup.cli.options import Inputs, Quiet, TextColumn, Threads
from neardup.cli.terminal import print_output, print_text, show_progress, written_paths
from neardup.errors import SettingsError
from neardup.outputs import check_file, replacing
from neardup.read import read
from neardup.records import Documents
from neardup.report.layout import QUIET, format_count, headed, heading, indented
from neardup.represent import KINDS, ORDERS, LexiconComparison, Stability, TermChoice, TermKind, TermOrder, pair_orders

DONE, UNREADABLE = 0, 3
SHOWN_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)

MinDocuments = Annotated[int, Option(metavar="N", min=1, help="The minimum number of documents that contain a term.")]
Kind = Annotated[TermKind, Option(metavar="|".join(KINDS), help="The characters that a term consists of.")]
MinLetters = Annotated[int, Option(metavar="N", min=1, help="The minimum number of characters in a term.")]
BOTH_KINDS: tuple[TermKind, ...] = ("alphabetic", "alphanumeric")
AsJson = Annotated[bool, Option("--json", help="Print the results as JSON.")]
Tables = Annotated[list[Path], Argument(metavar="LEXICON...", hidden=True)]

lexicon = typer.Typer(
    rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@lexicon.callback(invoke_without_command=True)
def describe(context: typer.Context) -> None:
    """Build and compare lexicons of document frequencies."""
    if context.invoked_subcommand is None:
        print_output(context.get_help())
        raise typer.Exit(2)


@lexicon.command()
def build(  # noqa: PLR0913, PLR0917 - one for each option
    inputs: Inputs,
    output: Annotated[
        Path, Option("--output", "-o", metavar="FILE", show_default=False, help="The file to write the lexicon to.")
    ],
    text: TextColumn = None,
    min_documents: MinDocuments = 5,
    kind: Kind = "alphabetic",
    min_letters: MinLetters = 3,
    order: Annotated[
        TermOrder,
        Option(metavar="|".join(ORDERS), help="The order in which terms are chosen; quantised is the more stable."),
    ] = "idf",
    after: Annotated[
        Path | None, Option(metavar="FILE", help="An earlier lexicon to follow; its terms keep their order.")
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> int:
    """Count the documents that contain each word.

    INPUT is one or more files, folders or globs; their counts are added up. Every word is counted. The options
    determine which words are terms, from which the method conrad makes signatures.
    """
    choice = TermChoice(min_documents, kind, min_letters, order)
    check_file(output, "the lexicon to")
    earlier = None if after is None else api.Lexicon.load(after)
    counted, unreadable = [], 0
    with show_progress(quiet=quiet) as progress:
        for name in inputs:
            documents = read([Path(name)], text=text, progress=progress)
            unreadable += documents.counts.get("unreadable", 0)
            progress("count", 0, len(documents))
            counted.append(api.Lexicon.build(documents, threads=threads or 0))
            if not quiet:
                print_output(*documents.notes)
    made = api.Lexicon.merge(counted).choose(choice)
    if earlier is not None:
        made = made.after(earlier)
    written_paths.append(str(made.save(output)))
    if not quiet:
        print_output(_describe(made), f"Written: {output}")
    return UNREADABLE if unreadable else DONE


def _describe(made: api.Lexicon) -> str:
    idf = made.idf[made.terms]
    weights = f", idf {idf.min():.3f} to {idf.max():.3f}" if len(idf) else ""
    counts = f"{format_count(made.documents, 'document')}, {format_count(len(made), 'word')}"
    return f"{counts}, {format_count(len(made.terms), 'term')}{weights}; fingerprint {made.fingerprint}"


@lexicon.command()
def compare(
    tables: Tables,
    min_documents: MinDocuments = 5,
    kind: Annotated[
        TermKind | None,
        Option(metavar="|".join(KINDS), help="The kind of terms; by default both."),
    ] = None,
    min_letters: MinLetters = 3,
    as_json: AsJson = False,
) -> int:
    """Compare how two or more lexicons rank the terms that they have in common.

    LEXICON is a file written by neardup lexicon build. The command prints Spearman's rank correlation with ties (Conrad
    et al. 2003, equation 2) between each lexicon and the next, and between the first and the last, for alphabetic and
    alphanumeric terms.
    """
    opened = _open(tables)
    rows = [
        (chosen, a, b, _compare(opened[a], opened[b], TermChoice(min_documents, chosen, min_letters)))
        for chosen in (BOTH_KINDS if kind is None else (kind,))
        for a, b in _list_pairs(len(opened))
    ]
    if as_json:
        print_text(json.dumps([_describe_comparison(tables, *row) for row in rows], indent=2))
        return DONE
    table = headed("terms", "from", "to", "of the first", "of the second", "in both", "Spearman")
    for chosen, a, b, found in rows:
        coefficient = "-" if found.spearman is None else f"{found.spearman:.4f}"
        counts = (f"{number:,}" for number in (*found.terms, found.common))
        table.add_row(*map(Text, (chosen, tables[a].name, tables[b].name, *counts, coefficient)))
    print_output(indented(table))
    return DONE


def _compare(a: api.Lexicon, b: api.Lexicon, choice: TermChoice) -> LexiconComparison:
    return a.alone().choose(choice).compare(b.alone().choose(choice))


def _describe_comparison(tables: list[Path], kind: str, a: int, b: int, found: LexiconComparison) -> dict[str, Any]:
    return {
        "kind": kind,
        "from": str(tables[a]),
        "to": str(tables[b]),
        "terms": list(found.terms),
        "common": found.common,
        "spearman": found.spearman,
    }


@lexicon.command()
def stability(
    tables: Tables,
    on: Annotated[list[str], Option(metavar="INPUT", show_default=False, help="Documents to sign; may be repeated.")],
    sample: Annotated[int, Option(metavar="N", min=1, help="The number of documents to sample.")] = 3000,
    seed: Annotated[int, Option(metavar="N", help="The seed of the sample.")] = 1,
    text: TextColumn = None,
    output: Annotated[Path | None, Option("--output", "-o", metavar="FILE", help="Also write a CSV file.")] = None,
    as_json: AsJson = False,
) -> int:
    """Measure the share of document signatures that change when one lexicon replaces another.

    LEXICON is a file written by neardup lexicon build. Signatures are the first 1 to 30 terms chosen from a document.
    Each lexicon is compared with the next, and the first with the last: with terms in the order of idf, in the
    quantised order, and in the quantised order where the later lexicon follows the earlier one.
    """
    if output is not None:
        check_file(output)
    opened = _open(tables)
    documents = _draw(read([Path(name) for name in on], text=text), sample, seed)
    rows: list[dict[str, Any]] = []
    for a, b in _list_pairs(len(opened)):
        orders = pair_orders(opened[a], opened[b])
        found = {order: first.stability(second, documents) for order, (first, second) in orders.items()}
        rows += [
            {"from": str(tables[a]), "to": str(tables[b]), "order": order, **row}
            for order, stability in found.items()
            for row in stability.rows()
        ]
        if not as_json:
            print_output(heading(f"From {tables[a].name} to {tables[b].name}"), *_show(found))
    if as_json:
        print_text(json.dumps(rows, indent=2))
    if output is not None:
        _write(rows, output)
        if not as_json:
            print_output(f"Written: {output}")
    return DONE


def _show(found: dict[str, Stability]) -> Iterator[RenderableType]:
    count = next(iter(found.values())).documents
    yield Text(
        f"Share of the signatures of {format_count(count, 'document')} that change: as sets, and in order.", QUIET
    )
    table = headed("length", *(f"{order} {what}" for order in found for what in ("sets", "order")))
    for length in SHOWN_LENGTHS:
        each = ((stability.sets[length - 1], stability.orders[length - 1]) for stability in found.values())
        table.add_row(str(length), *(f"{share:.1%}" for shares in each for share in shares))
    yield indented(table)
    yield ""


def _open(tables: list[Path]) -> list[api.Lexicon]:
    if len(tables) < 2:
        raise SettingsError("a single lexicon cannot be compared: name two or more")
    return [api.Lexicon.load(path) for path in tables]


def _list_pairs(count: int) -> list[tuple[int, int]]:
    """Pair each lexicon with the next, and the first with the last."""
    return [*pairwise(range(count)), *([(0, count - 1)] if count > 2 else [])]


def _draw(documents: Documents, sample: int, seed: int) -> Documents:
    """Return a random sample of the documents."""
    chosen = np.random.default_rng(seed).permutation(len(documents))[:sample]
    return Documents(documents.texts.take(np.sort(chosen)))


def _write(rows: list[dict[str, Any]], path: Path) -> None:
    table = StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with replacing(path) as temporary:
        temporary.write_text(table.getvalue(), "utf-8", newline="\n")
    written_paths.append(str(path))
