"""The command line: one file per command, each with its options, a call of the api, one of report, an exit code.

0 done; 1 duplicates found, only under --fail-on-duplicates; 2 error; 3 done, but some inputs could not be read; 130
interrupted. Errors are one or two lines on standard error; NEARDUP_DEBUG=1 shows where they come from.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from neardup.start import exit_on_interrupt, is_command

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    with exit_on_interrupt():
        from neardup.cli.running import run  # noqa: PLC0415 - loading takes long enough to be interrupted
    code = run(arguments)
    if code == INTERRUPTED and is_command():
        # Threads of libraries may still be at work, and are not waited for.
        os._exit(code)
    return code
