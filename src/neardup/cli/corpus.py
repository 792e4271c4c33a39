"""`neardup corpus`: collections with known answers; `make` builds a docket of form letters from real ones."""

from __future__ import annotations

from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.errors import SettingsError
from neardup.records import Documents
from neardup.reproduce.docket import (
    FORMATS,
    STYLES,
    DocketSettings,
    LetterWriter,
    check_docket_folder,
    read_source,
    summarise_mix,
    write_docket,
)

DONE, UNREADABLE = 0, 3

corpus = typer.Typer(
    rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@corpus.callback(invoke_without_command=True)
def describe(context: typer.Context) -> None:
    """Make collections with known answers."""
    if context.invoked_subcommand is None:
        print_output(context.get_help())
        raise typer.Exit(2)


@corpus.command()
def make(  # noqa: PLR0913, PLR0917 - one for each option
    letters: Annotated[
        list[str],
        Option(metavar="SOURCE", show_default=False, help="Real letters: a file, a folder or a glob; may be repeated."),
    ],
    output: Annotated[
        Path, Option("--output", "-o", metavar="FOLDER", show_default=False, help="The folder to write the docket to.")
    ],
    seed: Annotated[
        int, Option(metavar="N", show_default=False, help="The same seed and letters give the same docket.")
    ],
    size: Annotated[int, Option(metavar="N", help="How many letters the docket has.")] = 1000,
    style: Annotated[str, Option(metavar="|".join(STYLES), help="What the docket is like.")] = "paper",
    campaigns: Annotated[
        int | None, Option(metavar="K", show_default=False, help="How many form letters; the style's own unless given.")
    ] = None,
    scattered: Annotated[int, Option(metavar="K", help="How many campaigns have no two identical letters.")] = 0,
    mix: Annotated[
        list[str] | None,
        Option(metavar="NAME=SHARE", help="The share of a relation or of a variant of the frame; may be repeated."),
    ] = None,
    form: Annotated[
        str, Option("--format", metavar="|".join(FORMATS), help="What the letters are written as.")
    ] = "csv",
    bare: Annotated[
        bool, Option("--bare", help="Main texts only: no salutation, signature, footer or mail quotation.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Make a docket with form-letter campaigns, edited copies and singletons, and the answers to it.

    FOLDER gets the letters (docket.csv), the answers (gold.csv: cluster, relation, what was added and removed) and how
    they were made (docket.json).

    Names of the mix: exact, minor_change, block_added, block_deleted, minor_change_block_edit, block_reordered,
    repeated, key_block, bag_of_words, unique, wrong_docket, no_body, shares of all letters of which those not named
    fill the rest in proportion; and of the frame html, quoted, forwarded, flat, wrapped, formal, forged_date,
    missing_date.
    """
    settings = DocketSettings(seed, size, style, campaigns, scattered, dict(map(_split_share, mix or [])), not bare)
    check_docket_folder(output, form)
    with show_progress(quiet=quiet) as progress:
        documents = api.read([Path(name) for name in letters], progress=progress)
        writer = LetterWriter(read_source(_list_texts(documents)), settings)
        description = write_docket(writer, output, form=form, progress=progress)
    written_paths.extend(str(output / name) for name in (FORMATS[form], "gold.csv", "docket.json"))
    if not quiet:
        print_output(*documents.notes, *_list_counts(description), *(f"Written: {path}" for path in written_paths))
    return UNREADABLE if documents.counts.get("unreadable") else DONE


def _split_share(assignment: str) -> tuple[str, float]:
    name, equals, value = assignment.partition("=")
    try:
        share = float(value.rstrip("%")) / (100 if value.endswith("%") else 1)
    except ValueError:
        share = float("nan")
    if not equals or isnan(share):
        raise SettingsError(f"--mix {assignment}: write it as --mix name=share, such as --mix unique=0.2 or unique=20%")
    return name.strip().replace("-", "_"), share


def _list_texts(documents: Documents) -> list[str]:
    return [text for text in documents.texts if text]


def _list_counts(description: dict[str, Any]) -> list[str]:
    campaigns = description["campaigns"]
    lines = [f"{name:<24} {count:>9,} {share:>7.1%}" for name, count, share in summarise_mix(description)]
    lines.append(f"{len(campaigns):,} campaigns, the largest of {max(c['letters'] for c in campaigns):,} letters")
    if description["recombined_paragraphs"]:
        lines.append(
            f"{description['recombined_paragraphs']:,} paragraphs of own text are sentences in a new order: "
            "the letters given have no more of their own"
        )
    return lines
