"""The command line imports the studies and matplotlib only when they are needed."""

import subprocess
import sys

import pytest


def list_modules(program):
    """Return the modules of interest that a fresh interpreter has loaded after running a program."""
    ending = "; import sys; print(*(m for m in sys.modules if m.startswith(('neardup.reproduce', 'matplotlib'))))"
    done = subprocess.run([sys.executable, "-c", program + ending], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("module", ["neardup", "neardup.cli.app"])
def test_importing_does_not_import_studies(module):
    assert list_modules(f"import {module}") == []


@pytest.mark.slow
@pytest.mark.parametrize("study", ["durian", "simfinder", "concepts", "conrad"])
def test_importing_a_study_does_not_import_matplotlib(study):
    modules = list_modules(f"import neardup.reproduce.{study}.study")
    assert f"neardup.reproduce.{study}.study" in modules
    assert not [name for name in modules if name.startswith("matplotlib")]
