"""Handle Ctrl-C while the command is being loaded: the process prints one line and exits."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

COMMANDS = ("neardup", "-m", "__main__.py")
"""Names of the running program when it is the command line: `neardup`, or `python -m neardup.cli`."""


def is_command() -> bool:
    """Return whether this process is the command line, and not a program that imports neardup."""
    return os.path.basename(sys.argv[0] if sys.argv else "") in COMMANDS  # noqa: PTH119 - pathlib is not loaded yet


@contextlib.contextmanager
def exit_on_interrupt() -> Iterator[None]:
    """Exit on Ctrl-C instead of raising KeyboardInterrupt, which can be lost in the middle of an import."""
    if not is_command() or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _exit_interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _exit_interrupted(number: int, frame: object) -> None:
    os.write(2, b"neardup: interrupted; nothing was written\n")
    os._exit(130)
