"""The command line, run in a temporary folder with both outputs redirected.

Starting a process takes nearly a second, so most tests call the command in the test process. Tests of exit codes,
standard input, signals and terminals start a process.
"""

import contextlib
import csv
import io
import os
import subprocess
import sys
from unittest import mock

import pytest

from neardup import cli

HANGING_SECONDS = 600
"""A process that runs longer than this hangs."""

LETTER = (
    "Dear Administrator, I am writing to ask you to limit mercury from power plants as far as the law allows, "
    "because children are harmed by it and the means to stop it exist today."
)
TEA = "We drank two cups of tea in the garden of the old house and spoke about the weather until it was dark and cold."

ROWS = [
    ("L1", LETTER),
    ("L2", LETTER),
    ("L3", LETTER + " My daughter has asthma."),
    ("T1", TEA),
    ("T2", TEA.replace("dark", "late")),
    ("X1", "Nothing here is like anything else, and it is long enough to be compared with the others of this docket."),
    (
        "H1",
        "[red]Evil[/red] \x1b[31mtext\x1b[0m \u202e that comes twice and tries to paint the terminal of its reader.",
    ),
    (
        "H2",
        "[red]Evil[/red] \x1b[31mtext\x1b[0m \u202e that comes twice and tries to paint the terminal of its reader.",
    ),
]

FINDING = ("--method", "jaccard", "--threshold", "0.6", "--shingle", "2")


def environment(**more):
    plain = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "FORCE_COLOR", "NO_COLOR")}
    return plain | {"TERM": "xterm-256color"} | more


def write_letters(folder):
    with (folder / "letters.csv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["Document ID", "Comment", "City"])
        writer.writerows((name, text, "Paris") for name, text in ROWS)


def run(folder, *arguments, input=None):  # noqa: A002 - as subprocess.run calls it
    """Call the command in this process, or in a new process if it gets standard input."""
    if input is not None:
        return run_process(folder, *arguments, input=input)
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
    with (
        contextlib.chdir(folder),
        mock.patch.dict(os.environ, environment(), clear=True),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = cli.main([str(argument) for argument in arguments])
    written = [stream.buffer.getvalue().decode("utf-8") for stream in (out, err)]
    return check(subprocess.CompletedProcess(arguments, code, *written))


def run_process(folder, *arguments, **options):
    """Run the command in a new process."""
    options = options or {"stdin": subprocess.DEVNULL}
    command = [sys.executable, "-m", "neardup.cli", *map(str, arguments)]
    options |= {"cwd": folder, "env": environment(), "capture_output": True, "text": True, "encoding": "utf-8"}
    return check(subprocess.run(command, timeout=HANGING_SECONDS, check=False, **options))


def check(done):
    assert "Traceback" not in done.stderr
    return done


@pytest.fixture
def letters(tmp_path):
    """Return a folder that contains letters.csv."""
    write_letters(tmp_path)
    return tmp_path


@pytest.fixture
def neardup(letters):
    """Return a function that calls the command in the folder of the letters."""
    return lambda *arguments, **options: run(letters, *arguments, **options)


@pytest.fixture
def run_process_in():
    """Return a function that runs the command as a process in a folder."""
    return run_process


@pytest.fixture
def run_in():
    """Return a function that calls the command in a folder."""
    return run


@pytest.fixture(scope="session")
def found(tmp_path_factory):
    """Return the run folder of the letters, created once; tests must not change it."""
    folder = tmp_path_factory.mktemp("found")
    write_letters(folder)
    done = run(folder, "find", "letters.csv", "-o", "run", *FINDING)
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture
def finding():
    return FINDING


@pytest.fixture
def rows():
    return ROWS


@pytest.fixture
def clean_environment():
    return environment
