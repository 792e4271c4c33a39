"""`results`: run all cases on both sides, compare what they wrote, and print one line for each case."""

from __future__ import annotations

import argparse
import fnmatch
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from revisions.cases import Case, list_cases
from revisions.checkouts import Checkout, open_checkouts
from revisions.comparison import DIFFERENT, Finding, compare_folders
from revisions.inputs import clear, prepare_inputs

SCRIPT = Path(__file__).parent
SIDES = ("old", "new")
GROUP_TIMEOUT_SECONDS = 1800


def run(arguments: argparse.Namespace) -> int:
    """Compare the results of two revisions; return 1 if anything differs."""
    cases = list_cases(data=arguments.data is not None, postgres=arguments.postgres is not None)
    chosen = [case for case in cases if _is_chosen(case.name, arguments.only)]
    start = time.monotonic()
    with open_checkouts(arguments.old, arguments.new) as checkouts, _open_folder(arguments.folder) as folder:
        prepare_inputs(folder / "inputs", arguments.data)
        counts = Counter(_compare_all(chosen, checkouts, folder, arguments.postgres))
    total = ", ".join(f"{count} {outcome}" for outcome, count in counts.most_common())
    print(f"{counts.total()} cases in {time.monotonic() - start:.0f} s: {total or 'none chosen'}")
    return 1 if counts[DIFFERENT] or not chosen else 0


def _is_chosen(name: str, only: list[str] | None) -> bool:
    return not only or any(part in name or fnmatch.fnmatch(name, part) for part in only)


@contextmanager
def _open_folder(kept: Path | None) -> Iterator[Path]:
    """Yield an empty folder for inputs and outputs: a temporary one, or one that is kept."""
    if kept is None:
        with tempfile.TemporaryDirectory(prefix="neardup-revisions-") as folder:
            yield Path(folder)
        return
    kept.mkdir(parents=True, exist_ok=True)
    for name in ("inputs", *SIDES):
        clear(kept / name)
    yield kept.resolve()


def _compare_all(
    cases: list[Case], checkouts: tuple[Checkout, Checkout], folder: Path, postgres: str | None
) -> Iterator[str]:
    """Run the cases group by group, print a line for each, and yield its outcome."""
    for side in SIDES:
        (folder / side).mkdir()
        (folder / side / "inputs").symlink_to(folder / "inputs")
    for group, members in groupby(cases, key=lambda case: case.group):
        listed = list(members)
        problems = run_group(listed, checkouts, folder, postgres)
        for case in listed:
            old, new = (folder / side / "cases" / case.name for side in SIDES)
            found = compare_folders(old, new)
            _print(case.name, found)
            yield found.outcome
        for problem in problems:
            print(f"{group}: {problem}", flush=True)


def _print(name: str, found: Finding) -> None:
    print(f"{found.outcome:20} {name}" + (f": {found.detail}" if found.detail else ""), flush=True)


def run_group(cases: list[Case], checkouts: tuple[Checkout, Checkout], folder: Path, postgres: str | None) -> list[str]:
    """Run cases on both sides at the same time; return the errors of the processes that failed."""
    request = folder / "request.json"
    request.write_text(json.dumps({"cases": [asdict(case) for case in cases], "postgres": postgres}))
    command = [sys.executable, str(SCRIPT), "worker", str(request)]
    processes = [
        subprocess.Popen(command, cwd=folder / side, env=checkout.environment(), stderr=subprocess.PIPE, text=True)
        for side, checkout in zip(SIDES, checkouts, strict=True)
    ]
    problems = []
    for side, process in zip(SIDES, processes, strict=True):
        try:
            _, output = process.communicate(timeout=GROUP_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            output = f"not done after {GROUP_TIMEOUT_SECONDS} s"
        if process.returncode:
            problems.append(f"the {side} side ended with exit code {process.returncode}: {output[-500:]}")
    return problems
