"""The command `neardup`: its subcommands, each loaded when it is run."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from neardup.cli.terminal import print_text
from neardup.start import exit_on_interrupt
from neardup.version import VERSION

Command = Any
"""A command of click, of which Typer may include a copy of its own."""

SUMMARIES = {
    "find": "Find texts of the same origin and group them.",
    "dedup": "Write a collection without its duplicates.",
    "passages": "Find text that otherwise different documents share.",
    "show": "Show the clusters or passages of a run, or one of them.",
    "lattice": "Show what the members of a cluster share, and which of them share more.",
    "compare": "Compare two texts: measures, relation, differences.",
    "methods": "List the methods, or the settings of one of them.",
    "letters": "Extract sender, receiver, docket, signature and other parts of letters.",
    "evaluate": "Measure a run against gold labels or a list of pairs.",
    "export": "Export a run as CSV, JSON lines or a workbook.",
    "index": "Maintain an index of documents and query it for near-duplicates.",
    "serve": "Serve an index over HTTP: put, get and delete documents, query, group.",
    "lexicon": "Build and compare lexicons of document frequencies.",
    "corpus": "Generate collections with known answers.",
    "reproduce": "Repeat the experiments of a paper and compare its numbers with ours.",
}
"""The subcommands with the first sentence of their help; each is defined in the module of its name."""


class LazyGroup(TyperGroup):
    """Loads a subcommand when it is run: most of them need Arrow and the native module, which take long to load."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the subcommands."""
        return list(SUMMARIES)

    def get_command(self, ctx: Any, cmd_name: str) -> Command:
        """Load a subcommand; None if there is none of this name."""
        return load_command(cmd_name) if cmd_name in SUMMARIES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the subcommand that the arguments name; the error for an unknown one suggests similar names."""
        if args and args[0] not in SUMMARIES and not args[0].startswith("-"):
            close = ", ".join(repr(name) for name in get_close_matches(args[0], SUMMARIES))
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {close}?" if close else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the subcommands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))


def load_command(name: str) -> Command:
    """Load the subcommand of this name."""
    with exit_on_interrupt():
        defined = getattr(import_module(f"neardup.cli.{name}"), name)
        import pyarrow  # noqa: PLC0415 - loaded with the first subcommand

        # Arrow's own handlers would lose a signal that arrives between two of its steps.
        pyarrow.enable_signal_handlers(False)
        if not isinstance(defined, typer.Typer):
            function, defined = defined, typer.Typer(rich_markup_mode=None, add_completion=False)
            defined.command(name)(function)
        command = typer.main.get_command(defined)
        command.name = name
    return command


app = typer.Typer(
    name="neardup",
    cls=LazyGroup,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print_text(f"neardup {VERSION}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def neardup(
    context: typer.Context,
    _: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Find the texts that come from the same origin, group them, and show what each copy changed."""
    if context.invoked_subcommand is None:
        print_text(context.get_help())
        raise typer.Exit(2)
