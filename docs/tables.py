"""Write the parts of the pages that are generated from the code: the table of settings, and the help of every command.

Run `python docs/tables.py` after a change of settings or commands. A generated part is between two comments in its page
and is replaced as a whole. The detectors declare what the table of settings contains.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from neardup.cli.app import app
from neardup.detectors import METHODS, Setting, list_settings

HERE = Path(__file__).parent

Description = tuple[str, str, str, str]
"""Name, values, meaning and place in the paper of a setting: methods for which these agree share a row."""


def settings_table() -> str:
    """Return the table of every setting of every method."""
    rows = ["| setting | of | default | values | meaning | place in the paper |", "|---|---|---|---|---|---|"]
    for (name, values, meaning, paper), methods in _group_settings().items():
        of = "every method" if len(methods) == len(METHODS) else ", ".join(f"`{method}`" for method in methods)
        default = "/".join(dict.fromkeys(_format_default(setting) for setting in methods.values()))
        rows.append(f"| `{name}` | {of} | {default} | {values} | {meaning} | {paper} |")
    return "\n".join(rows)


def _group_settings() -> dict[Description, dict[str, Setting]]:
    grouped: dict[Description, dict[str, Setting]] = {}
    for method, detector in METHODS.items():
        for setting in list_settings(detector):
            described = (setting.name, setting.values, setting.meaning, setting.paper)
            grouped.setdefault(described, {})[method] = setting
    return grouped


def _format_default(setting: Setting) -> str:
    return "-" if setting.default is None else f"`{str(setting.default).lower()}`"


def command_help() -> str:
    """Return the help of every command, each under a heading of its own."""
    return "\n\n".join(_say_help(*words) for words, _ in list_commands())


def list_commands(command: Any = None, *words: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the words and the object of the program itself and of every command and subcommand below it."""
    command = command or get_command(app)
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from list_commands(inner, *words, name)


def _say_help(*words: str) -> str:
    told = CliRunner().invoke(app, [*words, "--help"], prog_name="neardup", env={"COLUMNS": "100", "NO_COLOR": "1"})
    lines = [line.rstrip() for line in told.output.strip("\n").splitlines()]
    return "\n".join([f"## {' '.join(('neardup', *words))}", "", "```text", *lines, "```"])


PARTS = {"methods.md": {"settings": settings_table}, "command-line.md": {"help": command_help}}


def fresh_pages() -> Iterator[tuple[Path, str]]:
    """Yield each page that has generated parts, with the text that it should have."""
    for page, parts in PARTS.items():
        text = (HERE / page).read_text("utf-8")
        for name, make in parts.items():
            begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
            pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
            before, *after = pattern.split(text)
            if len(after) != 1:
                raise ValueError(f"{page} must have one part between {begin} and {end}")
            text = f"{before}{begin}\n\n{make()}\n\n{end}{after[0]}"
        yield HERE / page, text


if __name__ == "__main__":
    for path, text in fresh_pages():
        path.write_text(text, "utf-8")
