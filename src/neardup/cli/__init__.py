"""The command line: one file per command, each with its options, a call of the api, one of report, an exit code.

0 done; 1 duplicates found, only under --fail-on-duplicates; 2 error; 3 done, but some inputs could not be read; 130
interrupted. Errors are one or two lines on standard error; NEARDUP_DEBUG=1 shows where they come from.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    with _leaving_at_once():
        from neardup.cli.running import run  # noqa: PLC0415 - loading takes long enough to be interrupted
    return run(arguments)


@contextlib.contextmanager
def _leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the process while nothing has begun: raised in the middle of an import it can be lost."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave(number: int, frame: object) -> None:
    os.write(2, b"neardup: interrupted; nothing was written\n")
    os._exit(130)
