"""`neardup corpus`: generate collections with known answers.

The generators are imported by the command, not by this module: they are large and seldom needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.terminal import print_output, show_progress, written_paths
from neardup.errors import SettingsError

DONE, UNREADABLE = 0, 3

corpus = typer.Typer(
    rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
)


@corpus.callback(invoke_without_command=True)
def describe(context: typer.Context) -> None:
    """Generate collections with known answers."""
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
    size: Annotated[int, Option(metavar="N", help="The number of letters.")] = 1000,
    style: Annotated[
        str, Option(metavar="NAME", help="The kind of docket: a sample of the paper, or a modern campaign (see below).")
    ] = "paper",
    campaigns: Annotated[
        int | None,
        Option(metavar="K", show_default=False, help="The number of form letters; that of the style if not given."),
    ] = None,
    scattered: Annotated[int, Option(metavar="K", help="The number of campaigns without identical letters.")] = 0,
    mix: Annotated[
        list[str] | None,
        Option(metavar="NAME=SHARE", help="The share of a relation or of a variant of the frame; may be repeated."),
    ] = None,
    form: Annotated[
        str, Option("--format", metavar="csv|jsonl|mbox|eml", help="The file format of the letters.")
    ] = "csv",
    originals: Annotated[
        bool | None,
        Option(
            "--originals/--no-originals",
            show_default=False,
            help="Whether anybody sends a form letter unchanged; as in the style if not given.",
        ),
    ] = None,
    rewriting: Annotated[
        float, Option(metavar="SHARE", help="The share of the words that rewritten letters replace.")
    ] = 0.2,
    bare: Annotated[
        bool, Option("--bare", help="Main texts only: no salutation, signature, footer or mail quotation.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Generate a docket: form-letter campaigns with edited copies, and singletons, with the correct answers.

    Writes the letters (docket.csv), the answers (gold.csv: cluster, relation, added and removed text) and the recipe
    (docket.json) to FOLDER.

    Styles: paper, ntf, ntf2 and dot resemble the samples of the paper. personal, menu, joined, quotation, noisy, looks,
    portal, foreign, rewritten, synonyms and empty each have one property of modern campaigns, modern has all of them.

    Names of the mix: exact, minor_change, block_added, block_deleted, minor_change_block_edit, block_reordered,
    repeated, key_block, bag_of_words, unique, wrong_docket, no_body, personal, menu, joined, opposed, replied,
    rewritten, synonyms, foreign_docket and no_content are shares of all letters; those not named share the rest in
    proportion. html, quoted, forwarded, flat, wrapped, formal, forged_date, missing_date, hyphenated, paged, portal,
    escaped, preamble, typographic, bulleted, capitals, petition, disclaimer, unsubscribe, closing, alert and noisy are
    variants of the frame.
    """
    from neardup.reproduce.corpora import docket  # noqa: PLC0415 - imported when asked for
    from neardup.reproduce.inputs import list_texts  # noqa: PLC0415 - imported when asked for

    shares = dict(map(_split_share, mix or []))
    settings = docket.DocketSettings(seed, size, style, campaigns, scattered, shares, not bare, originals, rewriting)
    docket.check_docket_folder(output, form)
    with show_progress(quiet=quiet) as progress:
        documents = api.read([Path(name) for name in letters], progress=progress)
        source = docket.read_source(filter(None, list_texts(documents)))
        description = docket.write_docket(docket.LetterWriter(source, settings), output, form=form, progress=progress)
    written_paths.extend(str(output / name) for name in (docket.FORMATS[form], "gold.csv", "docket.json"))
    if not quiet:
        counts = _list_counts(docket.summarise_mix(description), description)
        print_output(*documents.notes, *counts, *(f"Written: {path}" for path in written_paths))
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


def _list_counts(mix: list[tuple[str, int, float]], description: Mapping[str, Any]) -> list[str]:
    campaigns = description["campaigns"]
    lines = [f"{name:<24} {count:>9,} {share:>7.1%}" for name, count, share in mix]
    lines.append(f"{len(campaigns):,} campaigns, the largest of {max(c['letters'] for c in campaigns):,} letters")
    if description["recombined_paragraphs"]:
        lines.append(
            f"{description['recombined_paragraphs']:,} added paragraphs are sentences in a new order: the letters "
            "do not contain enough text"
        )
    return lines
