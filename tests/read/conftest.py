"""Fixtures that write files, and read them under given limits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from neardup.read.collection import assemble
from neardup.read.documents import read_files
from neardup.read.files.paths import find_files
from neardup.read.reading import Limits, Reading
from neardup.records import Documents

Write = Callable[[str, bytes | str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes a file below the temporary folder and returns its path."""

    def write_file(name: str, content: bytes | str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write_file


@pytest.fixture
def read_within() -> Callable[[Path, Limits], Documents]:
    """Return a function that reads files under given limits."""

    def read_limited(path: Path, limits: Limits) -> Documents:
        reading = Reading(limits=limits)
        return assemble(read_files(find_files(path), reading), reading)

    return read_limited
