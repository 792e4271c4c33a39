"""Output of the commands: results on standard output, errors and progress on standard error.

On a terminal, views have its width and colours; in a pipe they are plain lines that are not wrapped. If the reader of a
pipe stops early, as `head` does, the command runs on without output.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from neardup.errors import OutputError
from neardup.printable import make_printable

PIPE_WIDTH = 10_000

written_paths: list[str] = []
"""The files that this command has written so far; the message on Ctrl-C names them."""

Callback = Callable[[str, int, int | None], None]


def prepare_streams() -> None:
    """Escape characters that the encoding of the terminal cannot represent, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def print_output(*parts: RenderableType | str) -> None:
    """Print views and lines on standard output; strings are not interpreted as markup."""
    console = _Output(highlight=False, markup=False, emoji=False)
    shown = [Text(make_printable(part)) if isinstance(part, str) else part for part in parts]
    if console.is_terminal:
        for part in shown:
            console.print(part)
    else:
        print_text(_render_plain(shown))


def print_text(text: str) -> None:
    """Print a text unchanged on standard output."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        _stop_output()
    except OSError as problem:
        _stop_output()
        raise OutputError(f"cannot write to standard output: {problem.strerror or problem}") from None


def print_error(message: str) -> None:
    """Print an error message or a warning on standard error."""
    with contextlib.suppress(OSError):
        print(f"neardup: {make_printable(message)}", file=sys.stderr, flush=True)


class _Output(Console):
    def on_broken_pipe(self) -> None:
        """Continue without output; by default Rich would exit the program."""
        self.quiet = True
        _stop_output()


def _stop_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _render_plain(parts: Sequence[RenderableType]) -> str:
    width = os.environ.get("COLUMNS", "")
    console = Console(
        file=StringIO(),
        width=int(width) if width.isdigit() and int(width) else PIPE_WIDTH,
        color_system=None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    for part in parts:
        console.print(part)
    assert isinstance(console.file, StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().removesuffix("\n").split("\n"))


class _Amount(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show how much is done, the total if it is known, and the rate."""
        parts = [_shorten(number) for number in (task.completed, task.fields["amount"]) if number]
        speed = task.finished_speed or task.speed
        return Text(" / ".join(parts) + (f"  {_shorten(speed)}/s" if speed else ""), "dim")


def _shorten(number: float) -> str:
    """Shorten a number of documents or bytes: 9,999, then 10.0 k, 12.3 M."""
    for unit, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= max(unit, 1e4):
            return f"{number / unit:.1f} {letter}"
    return f"{number:,.0f}"


@contextlib.contextmanager
def show_progress(*, quiet: bool) -> Iterator[Callback]:
    """Yield a callback that draws a progress bar for the current stage; it does nothing without a terminal."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal or console.is_dumb_terminal:
        yield lambda stage, done, total: None
        return
    bar = BarColumn(24, complete_style="green", pulse_style="green")
    parts = (TextColumn("{task.description:<16}"), bar, _Amount(), TimeRemainingColumn(compact=True))
    with Progress(*parts, console=console, transient=True) as shown:
        yield _ProgressBar(shown)


class _ProgressBar:
    """Draws the bar of one stage at a time."""

    def __init__(self, shown: Progress) -> None:
        self.shown = shown
        self.stage = ""
        self.task = shown.add_task("start", total=None, amount=None)

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if stage != self.stage:
            self.stage = stage
            self.shown.remove_task(self.task)
            self.task = self.shown.add_task(make_printable(stage), total=None, amount=total)
        # Until something is done there is nothing to estimate from, so the bar pulses.
        self.shown.update(self.task, completed=done, total=total if done else None, amount=total)
