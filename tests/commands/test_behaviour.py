"""Behaviour of all commands: version, help, interrupts, broken pipes, unexpected errors, terminals."""

import os
import pty
import re
import signal
import subprocess
import sys
from importlib.metadata import version

import pytest

from neardup import api, cli

pytestmark = pytest.mark.slow

HANGING_SECONDS = 600
COMMAND = [sys.executable, "-m", "neardup.cli"]


def start(folder, environment, *arguments, **options):
    return subprocess.Popen([*COMMAND, *map(str, arguments)], cwd=folder, env=environment, **options)


def read_until_closed(descriptor):
    """Read the output of a terminal until its last writer has closed it."""
    shown = b""
    try:
        while part := os.read(descriptor, 65536):
            shown += part
    except OSError:
        pass  # on Linux, the other end is closed
    os.close(descriptor)
    return shown.decode("utf-8")


def on_terminal(folder, environment, *arguments):
    """Run the command with both outputs on a terminal and return what it prints."""
    ours, theirs = pty.openpty()
    process = start(folder, environment, *arguments, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = read_until_closed(ours)
    assert process.wait(HANGING_SECONDS) == 0
    return shown


def test_version_and_help_are_printed(neardup, letters, run_process_in):
    asked = run_process_in(letters, "--version")
    assert (asked.returncode, asked.stdout, asked.stderr) == (0, f"neardup {version('neardup')}\n", "")
    asked = neardup("--help")
    assert asked.returncode == 0
    bare = neardup()
    assert (bare.returncode, bare.stdout) == (2, asked.stdout)
    for command in ("find", "dedup", "show", "compare", "evaluate", "export"):
        assert f"  {command} " in asked.stdout
    assert "Usage: neardup find" in neardup("find", "-h").stdout


def test_unknown_command_is_reported_by_name(letters, run_process_in):
    done = run_process_in(letters, "fnid")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.match(r"neardup: No such command 'fnid'.*\nTry  neardup --help\n$", done.stderr)


def test_terminal_output_has_colours_and_the_width_of_the_terminal(letters, found, clean_environment):
    shown = on_terminal(letters, clean_environment(COLUMNS="60"), "show", found, "T1")
    assert "\x1b[1mCluster T1" in shown
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(map(len, plain.splitlines())) <= 60
    assert "\x1b[1m" not in on_terminal(letters, clean_environment(TERM="dumb"), "show", found, "T1")


def test_control_characters_are_escaped_on_a_terminal(letters, found, clean_environment):
    shown = on_terminal(letters, clean_environment(), "show", found, "H1")
    assert "␛[31mtext␛[0m <U+202E>" in shown
    assert "\x1b[31mtext" not in shown


def test_progress_bar_is_drawn_only_on_a_terminal(letters, clean_environment, finding):
    ours, theirs = pty.openpty()
    with start(
        letters, clean_environment(), "find", "letters.csv", *finding, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        drawn = read_until_closed(ours)
        answer = process.stdout.read().decode()
    assert process.returncode == 0
    assert "━" in drawn
    assert "━" not in answer
    assert "8 documents" in answer


def test_interrupted_find_writes_nothing(letters, clean_environment):
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"]
    with (letters / "many.csv").open("w") as stream:
        stream.write("id,text\n")
        stream.writelines(
            f"{n},{words[n % 12]} {n} {words[n // 7 % 12]} {n * 7} the rest of it\n" for n in range(300_000)
        )
    ours, theirs = pty.openpty()
    process = start(
        letters, clean_environment(), "find", "many.csv", "-o", "run", stdout=subprocess.DEVNULL, stderr=theirs
    )
    os.close(theirs)
    first = os.read(ours, 1).decode()  # the progress bar: the run has started
    process.send_signal(signal.SIGINT)
    printed = first + read_until_closed(ours)
    assert process.wait(HANGING_SECONDS) == 130
    assert "neardup: interrupted; nothing was written" in printed
    assert "Traceback" not in printed
    assert sorted(path.name for path in letters.iterdir()) == ["letters.csv", "many.csv"]


LOADING = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
sys.argv = ["neardup", "find", "letters.csv", "-o", "run"]
from neardup.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["pyarrow", "neardup._core", "neardup.index", "typer", "neardup.cli.app"])
def test_interrupt_while_loading_prints_one_line(letters, clean_environment, module):
    run = [sys.executable, "-c", LOADING.format(module=module)]
    done = subprocess.run(run, cwd=letters, env=clean_environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "neardup: interrupted; nothing was written\n"
    assert [path.name for path in letters.iterdir()] == ["letters.csv"]


def test_full_output_device_is_reported_in_one_line(letters, found, clean_environment):
    with open("/dev/full", "wb") as full:  # noqa: PTH123 - a device
        process = start(letters, clean_environment(), "show", found, stdout=full, stderr=subprocess.PIPE)
        _, message = process.communicate(timeout=HANGING_SECONDS)
    assert process.returncode == 2
    assert message == b"neardup: cannot write to standard output: No space left on device\n"


def test_settings_are_checked_before_anything_is_read(letters, neardup):
    for arguments in (("--method", "minhsh"), ("--set", "shinglee=3"), ("--method", "jaccard", "--threshold", "7")):
        for command in (("find",), ("dedup", "-o", "out.csv")):
            done = neardup(*command, "letters.csv", "--text", "nosuch", *arguments)
            assert (done.returncode, done.stdout) == (2, "")
            assert "nosuch" not in done.stderr


def test_closed_pipe_is_not_an_error(letters, found, clean_environment):
    reading, writing = os.pipe()
    os.close(reading)
    process = start(letters, clean_environment(), "show", found, "--all", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    _, message = process.communicate(timeout=HANGING_SECONDS)
    assert (process.returncode, message) == (0, b"")


class Panic(BaseException):
    """Like a panic of the native module, no Exception."""


@pytest.mark.parametrize("error", [ZeroDivisionError("by\x1b zero"), Panic("by␛ zero")], ids=repr)
def test_unexpected_error_prints_two_lines_and_a_traceback_on_request(letters, monkeypatch, capsys, error):
    def fail(run):
        raise error

    monkeypatch.setattr(api, "load", fail)
    monkeypatch.delenv("NEARDUP_DEBUG", raising=False)
    assert cli.main(["show", "run"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    lines = shown.err.splitlines()
    assert len(lines) == 2
    assert re.match(r"neardup: unexpected (ZeroDivisionError|Panic): by␛ zero", lines[0])
    assert "NEARDUP_DEBUG=1" in lines[1]
    monkeypatch.setenv("NEARDUP_DEBUG", "1")
    assert cli.main(["show", "run"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_characters_outside_the_encoding_are_escaped(letters, found, clean_environment):
    environment = clean_environment(PYTHONIOENCODING="ascii")
    done = subprocess.run(
        [*COMMAND, "show", str(found), "H1"], cwd=letters, env=environment, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u241b[31mtext" in done.stdout
