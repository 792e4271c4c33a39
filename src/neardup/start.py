"""Ctrl-C while the command is being loaded: nothing has begun, and the process ends with one line."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Iterator

COMMANDS = ("neardup", "-m", "__main__.py")
"""What a program is called that the command line is loaded for: by its name, or by `python -m neardup.cli`."""


def is_command() -> bool:
    """Say whether this process is the command, and not a program that calls it."""
    return os.path.basename(sys.argv[0] if sys.argv else "") in COMMANDS  # noqa: PTH119 - pathlib is not loaded yet


@contextlib.contextmanager
def leaving_at_once() -> Iterator[None]:
    """Let Ctrl-C end the command instead of raising, which in the middle of an import can be lost."""
    if not is_command() or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(number: int, frame: object) -> None:
    os.write(2, b"neardup: interrupted; nothing was written\n")
    os._exit(130)
