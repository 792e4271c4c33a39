"""The commands under one name."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from neardup.cli.compare import compare
from neardup.cli.corpus import corpus
from neardup.cli.dedup import dedup
from neardup.cli.evaluate import evaluate
from neardup.cli.export import export
from neardup.cli.find import find
from neardup.cli.index import index
from neardup.cli.lattice import lattice
from neardup.cli.letters import letters
from neardup.cli.lexicon import lexicon
from neardup.cli.reproduce import reproduce
from neardup.cli.serve import serve
from neardup.cli.show import show
from neardup.cli.terminal import print_output

app = typer.Typer(
    name="neardup",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (find, dedup, show, lattice, compare, letters, evaluate, export, serve):
    app.command()(command)
app.add_typer(corpus, name="corpus")
app.add_typer(index, name="index")
app.add_typer(lexicon, name="lexicon")
app.add_typer(reproduce, name="reproduce")


def _say_version(wanted: bool) -> None:
    if wanted:
        print_output(f"neardup {version('neardup')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def neardup(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version and stop.")
    ] = False,
) -> None:
    """Find the texts that come from the same origin, group them, and show what each copy changed."""
    if context.invoked_subcommand is None:
        print_output(context.get_help())
        raise typer.Exit(2)
