"""Runs a command and turns what it raises into a message and an exit code."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence

import pyarrow as pa
import typer

from neardup.cli.app import app
from neardup.cli.terminal import complain, prepare_streams, things_written
from neardup.errors import NeardupError

FAILED, INTERRUPTED = 2, 130

# By version Typer has its own copy of click or uses the installed one; either way its errors are the bases of this.
CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    # Arrow's handlers would take a signal that comes between two of its steps for themselves, and lose it.
    pa.enable_signal_handlers(False)
    prepare_streams()
    things_written.clear()
    try:
        command = typer.main.get_command(app)
        code = command.main(args=arguments, prog_name="neardup", standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except SystemExit as leaving:
        code = leaving.code
    except BaseException as error:
        # Not only Exception: a panic of the native part is none.
        code = _explain(error)
    if code == INTERRUPTED:
        complain(f"interrupted; {_say_written()}")
    return code if isinstance(code, int) else 0


def _explain(error: BaseException) -> int:
    if os.environ.get("NEARDUP_DEBUG"):
        traceback.print_exception(error)
    if isinstance(error, CLICK_ERROR):
        complain(_say_misuse(error))
    elif isinstance(error, NeardupError):
        complain(str(error))
    else:
        complain(
            f"unexpected {type(error).__name__}: {error}\nThis is a fault in neardup. NEARDUP_DEBUG=1 shows where."
        )
    return FAILED


def _say_misuse(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    return message + (f"\nTry  {context.command_path} --help" if context is not None else "")


def _say_written() -> str:
    return f"written before: {', '.join(things_written)}" if things_written else "nothing was written"
