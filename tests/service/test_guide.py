"""The requests in the guide give the answers that it shows."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from served import serving

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent.parent


def test_examples_of_the_guide_print_what_it_shows(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "service.md").read_text("utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    build = next(line for line in page.splitlines() if line.startswith("neardup index build"))
    arguments = shlex.split(build)[1:]
    subprocess.run([sys.executable, "-m", "neardup.cli", *arguments], check=True, stdout=subprocess.DEVNULL)
    blocks = re.findall(r"^```shell\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    steps = [step for block in blocks for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    assert len(steps) >= 12
    with serving("notices.db") as server:
        for step in steps:
            command, _, expected = step.partition("\n")
            command = command.replace("http://127.0.0.1:8630", server.url).replace("curl ", "curl --silent ")
            done = subprocess.run(command, shell=True, capture_output=True, text=True, encoding="utf-8", check=True)
            assert done.stdout.strip() == expected.strip(), command
