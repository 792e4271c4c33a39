"""Run a command and turn exceptions into a message and an exit code."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence

import typer

from neardup.cli.app import app
from neardup.cli.terminal import prepare_streams, print_error, written_paths
from neardup.errors import NeardupError

FAILED, INTERRUPTED = 2, 130

# Some versions of Typer include a copy of click, others use the installed one; this base class is right for both.
CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    prepare_streams()
    written_paths.clear()
    try:
        command = typer.main.get_command(app)
        code = command.main(args=arguments, prog_name="neardup", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as leaving:
        code = leaving.code
    except BaseException as error:
        # Not only Exception: a panic in the native code is not a subclass of it.
        code = _explain(error)
    if code == INTERRUPTED:
        print_error(f"interrupted; {_describe_written()}")
    return code if isinstance(code, int) else 0


def _explain(error: BaseException) -> int:
    if os.environ.get("NEARDUP_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, CLICK_ERROR):
        print_error(_describe_usage_error(error))
    elif isinstance(error, NeardupError):
        print_error(str(error))
    else:
        remedy = "This is a bug in neardup. NEARDUP_DEBUG=1 shows the traceback."
        print_error(f"unexpected {type(error).__name__}: {error}\n{remedy}")
    return FAILED


def _describe_usage_error(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    message = message.replace(": Value error, ", ": ")  # Typer includes the kind of the error in Pydantic
    return message + (f"\nTry  {context.command_path} --help" if context is not None else "")


def _describe_written() -> str:
    return f"already written: {', '.join(written_paths)}" if written_paths else "nothing was written"
