"""The two checkouts that are compared: a path is used as it is, a git revision is checked out and built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ["cargo", "build", "--release", "--quiet", "-p", "neardup-binding", "--features", "pyo3/extension-module"]
NATIVE = "src/neardup/_core.abi3.so"


class CheckoutError(Exception):
    """A revision that cannot be checked out, built or run."""


@dataclass(frozen=True)
class Checkout:
    """A built revision: the name that the user gave and its folder."""

    name: str
    path: Path

    def environment(self) -> dict[str, str]:
        """Return the environment in which Python imports this revision."""
        return {**os.environ, "PYTHONPATH": str(self.path / "src"), "PYTHONHASHSEED": "0"}


@contextmanager
def open_checkouts(old: str, new: str) -> Iterator[tuple[Checkout, Checkout]]:
    """Yield both checkouts, checked and built; temporary checkouts are removed at the end."""
    with ExitStack() as stack:
        first, second = (stack.enter_context(_open_checkout(name)) for name in (old, new))
        for checkout in (first, second):
            _check(checkout)
        yield first, second


@contextmanager
def _open_checkout(name: str) -> Iterator[Checkout]:
    path = Path(name)
    if (path / "src" / "neardup").is_dir():
        yield Checkout(name, path.resolve())
        return
    with tempfile.TemporaryDirectory(prefix="neardup-revision-") as folder:
        target = Path(folder) / "checkout"
        _run(["git", "worktree", "add", "--quiet", "--detach", str(target), name], ROOT)
        try:
            build(target)
            yield Checkout(name, target)
        finally:
            _run(["git", "worktree", "remove", "--force", str(target)], ROOT)


def build(path: Path) -> None:
    """Build the native module of a checkout and put it where Python looks for it."""
    print(f"building {path} ...", file=sys.stderr, flush=True)
    _run(BUILD, path, {**os.environ, "CARGO_TARGET_DIR": str(path / "target")})
    suffix = "dylib" if sys.platform == "darwin" else "so"
    shutil.copyfile(path / "target" / "release" / f"lib_core.{suffix}", path / NATIVE)


def _check(checkout: Checkout) -> None:
    """Make sure that Python imports neardup from this checkout and not from somewhere else."""
    if not (checkout.path / NATIVE).exists():
        raise CheckoutError(f"{checkout.name} is not built: {NATIVE} is missing")
    program = "import neardup; print(neardup.__file__)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=checkout.environment(), capture_output=True, text=True, check=False)
    if done.returncode or not Path(done.stdout.strip()).resolve().is_relative_to(checkout.path):
        raise CheckoutError(f"neardup of {checkout.name} cannot be imported: {done.stderr.strip() or done.stdout}")


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CheckoutError(f"`{' '.join(command)}` failed: {done.stderr.strip()}")
