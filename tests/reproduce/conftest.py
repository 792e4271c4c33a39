"""The letters that the examples are made from serve here too."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "letters"


@pytest.fixture(scope="session")
def letters():
    texts = [path.read_text("utf-8") for path in sorted(FOLDER.glob("*.txt"))]
    assert len(texts) >= 15
    return texts
