"""`neardup compare`: compare two texts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from neardup import api
from neardup.cli.terminal import print_output
from neardup.errors import InputError
from neardup.read.files.paths import STANDARD_INPUT
from neardup.report import render_comparison


def compare(
    a: Annotated[str, Argument(metavar="A", hidden=True)],
    b: Annotated[str, Argument(metavar="B", hidden=True)],
    literal: Annotated[bool, Option("--literal", help="A and B are the texts themselves, not files.")] = False,
    everything: Annotated[bool, Option("--all", help="Show long equal passages in full.")] = False,
) -> int:
    """Compare two texts: measures, relation, differences.

    A and B are files with one text each; one of them may be - for standard input. Text that B removes from A or adds to
    it is marked in place.
    """
    if not literal and a == b == STANDARD_INPUT:
        raise InputError("only one of the two texts can be read from standard input: name a file for the other")
    first, second = (a, b) if literal else (_read(a), _read(b))
    print_output(render_comparison(api.compare(first, second), full=everything))
    return 0


def _read(name: str) -> str:
    if name == STANDARD_INPUT:
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    documents = api.read([Path(name)], strict=True)
    if len(documents) != 1:
        raise InputError(f"{name} contains {len(documents):,} documents: compare takes one text from each file")
    return documents.text(0)
