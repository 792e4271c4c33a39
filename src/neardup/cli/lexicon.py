"""`neardup lexicon`: `build` counts words, `compare` and `stability` say what changes from one lexicon to another."""

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
from neardup.cli.options import Inputs, Quiet
from neardup.cli.terminal import print_plainly, say, show_progress, things_written
from neardup.errors import SettingsError
from neardup.outputs import check_file, replacing
from neardup.read import read
from neardup.records import Documents
from neardup.report.layout import QUIET, headed, heading, indented, say_count
from neardup.represent import KINDS, ORDERS, LexiconComparison, Stability, TermChoice, pair_orders

DONE, UNREADABLE = 0, 3
SHOWN_LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30)

MinDocuments = Annotated[int, Option(metavar="N", min=1, help="A term stands in at least so many documents.")]
Kind = Annotated[str, Option(metavar="|".join(KINDS), help="What a term is written with.")]
MinLetters = Annotated[int, Option(metavar="N", min=1, help="A term has at least so many characters.")]
AsJson = Annotated[bool, Option("--json", help="Print the figures as JSON.")]
Tables = Annotated[list[Path], Argument(metavar="LEXICON...", hidden=True)]

lexicon = typer.Typer(
    rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@lexicon.callback(invoke_without_command=True)
def describe(context: typer.Context) -> None:
    """Build tables of document frequencies, compare them, and see what a change of table changes."""
    if context.invoked_subcommand is None:
        say(context.get_help())
        raise typer.Exit(2)


@lexicon.command()
def build(  # noqa: PLR0913, PLR0917 - one for each option
    inputs: Inputs,
    output: Annotated[
        Path, Option("--output", "-o", metavar="FILE", show_default=False, help="Where the lexicon is written.")
    ],
    text: Annotated[str | None, Option(metavar="COLUMN", help="The column of the texts; guessed by its name.")] = None,
    min_documents: MinDocuments = 5,
    kind: Kind = "alphabetic",
    min_letters: MinLetters = 3,
    order: Annotated[
        str,
        Option(metavar="|".join(ORDERS), help="Which terms of a document are chosen first; quantised hardly changes."),
    ] = "idf",
    after: Annotated[
        Path | None, Option(metavar="FILE", help="A lexicon that this one follows: its terms stay where they are.")
    ] = None,
    threads: Annotated[int | None, Option(metavar="N", min=1, help="All cores unless given.")] = None,
    quiet: Quiet = False,
) -> int:
    """Count in how many documents each word stands.

    INPUT is one or more files, folders or globs, each a database of its own: the counts of all are added up. Every word
    is counted; the options say which words are terms, from which method conrad makes signatures.
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
                say(*documents.notes)
    made = api.Lexicon.merge(counted).choose(choice)
    if earlier is not None:
        made = made.after(earlier)
    things_written.append(str(made.save(output)))
    if not quiet:
        say(_describe(made), f"Written: {output}")
    return UNREADABLE if unreadable else DONE


def _describe(made: api.Lexicon) -> str:
    idf = made.idf[made.terms]
    weights = f", idf {idf.min():.3f} to {idf.max():.3f}" if len(idf) else ""
    counts = f"{say_count(made.documents, 'document')}, {say_count(len(made), 'word')}"
    return f"{counts}, {say_count(len(made.terms), 'term')}{weights}; fingerprint {made.fingerprint}"


@lexicon.command()
def compare(
    tables: Tables,
    min_documents: MinDocuments = 5,
    kind: Annotated[str | None, Option(metavar="|".join(KINDS), help="One kind of terms; else two of them.")] = None,
    min_letters: MinLetters = 3,
    as_json: AsJson = False,
) -> int:
    """Compare how two or more lexicons rank the terms that they have in common.

    LEXICON is a file that neardup lexicon build made. Shown is Spearman's rank correlation with ties (Conrad et al.
    2003, equation 2) of each with the next, and of the first with the last, for alphabetic and alphanumeric terms.
    """
    opened = _open(tables)
    rows = [
        (chosen, a, b, _compare(opened[a], opened[b], TermChoice(min_documents, chosen, min_letters)))
        for chosen in ([kind] if kind else ["alphabetic", "alphanumeric"])
        for a, b in _list_pairs(len(opened))
    ]
    if as_json:
        print_plainly(json.dumps([_tell(tables, *row) for row in rows], indent=2))
        return DONE
    table = headed("terms", "from", "to", "of the first", "of the second", "in both", "Spearman")
    for chosen, a, b, found in rows:
        coefficient = "-" if found.spearman is None else f"{found.spearman:.4f}"
        counts = (f"{number:,}" for number in (*found.terms, found.common))
        table.add_row(*map(Text, (chosen, tables[a].name, tables[b].name, *counts, coefficient)))
    say(indented(table))
    return DONE


def _compare(a: api.Lexicon, b: api.Lexicon, choice: TermChoice) -> LexiconComparison:
    return a.alone().choose(choice).compare(b.alone().choose(choice))


def _tell(tables: list[Path], kind: str, a: int, b: int, found: LexiconComparison) -> dict[str, Any]:
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
    on: Annotated[
        list[str], Option(metavar="INPUT", show_default=False, help="Documents to make signatures of; may be repeated.")
    ],
    sample: Annotated[int, Option(metavar="N", min=1, help="How many documents are taken.")] = 3000,
    seed: Annotated[int, Option(metavar="N", help="Which documents are taken.")] = 1,
    text: Annotated[str | None, Option(metavar="COLUMN", help="The column of the texts; guessed by its name.")] = None,
    output: Annotated[Path | None, Option("--output", "-o", metavar="FILE", help="A CSV file of all figures.")] = None,
    as_json: AsJson = False,
) -> int:
    """Show which share of document signatures changes when one lexicon takes the place of another.

    LEXICON is a file that neardup lexicon build made. Signatures are the 1 to 30 terms of a document that are chosen
    first; each lexicon is held against the next, and the first against the last: with terms in the order of idf, in the
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
            say(heading(f"From {tables[a].name} to {tables[b].name}"), *_show(found))
    if as_json:
        print_plainly(json.dumps(rows, indent=2))
    if output is not None:
        _write(rows, output)
        if not as_json:
            say(f"Written: {output}")
    return DONE


def _show(found: dict[str, Stability]) -> Iterator[RenderableType]:
    count = next(iter(found.values())).documents
    yield Text(
        f"Share of the signatures of {say_count(count, 'document')} that change: as sets, in their order.", QUIET
    )
    table = headed("length", *(f"{order} {what}" for order in found for what in ("sets", "order")))
    for length in SHOWN_LENGTHS:
        each = ((stability.sets[length - 1], stability.orders[length - 1]) for stability in found.values())
        table.add_row(str(length), *(f"{share:.1%}" for shares in each for share in shares))
    yield indented(table)
    yield ""


def _open(tables: list[Path]) -> list[api.Lexicon]:
    if len(tables) < 2:
        raise SettingsError("one lexicon cannot be compared: name two or more")
    return [api.Lexicon.load(path) for path in tables]


def _list_pairs(count: int) -> list[tuple[int, int]]:
    """List each with the next, and the first with the last."""
    return [*pairwise(range(count)), *([(0, count - 1)] if count > 2 else [])]


def _draw(documents: Documents, sample: int, seed: int) -> Documents:
    """Take some of the documents."""
    chosen = np.random.default_rng(seed).permutation(len(documents))[:sample]
    return Documents(documents.texts.take(np.sort(chosen)))


def _write(rows: list[dict[str, Any]], path: Path) -> None:
    table = StringIO()
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with replacing(path) as made:
        made.write_text(table.getvalue(), "utf-8", newline="\n")
    things_written.append(str(path))
