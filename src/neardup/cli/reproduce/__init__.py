"""`neardup reproduce`: the experiments of a paper on given or generated collections, its figures beside ours."""

from __future__ import annotations

import typer

from neardup.cli.reproduce.concepts import concepts
from neardup.cli.reproduce.conrad import conrad
from neardup.cli.reproduce.durian import durian
from neardup.cli.reproduce.simfinder import simfinder
from neardup.cli.terminal import print_output

reproduce = typer.Typer(
    rich_markup_mode=None, add_completion=False, context_settings={"help_option_names": ["-h", "--help"]}
)
for paper in (durian, simfinder, concepts, conrad):
    reproduce.command()(paper)


@reproduce.callback(invoke_without_command=True)
def describe(context: typer.Context) -> None:
    """Repeat the experiments of a paper, and show the paper's figures beside ours."""
    if context.invoked_subcommand is None:
        print_output(context.get_help())
        raise typer.Exit(2)
