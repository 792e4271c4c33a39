"""What is loaded, and when: the package and the command start without Arrow and without the web stack."""

import subprocess
import sys

import pytest

from neardup.cli import main
from neardup.cli.app import SUMMARIES, load_command

HEAVY = ("numpy", "pyarrow", "neardup._core", "fastapi", "uvicorn", "matplotlib", "neardup.reproduce")

LIST_LOADED = """
import sys
sys.argv = ["neardup"]
{code}
print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize(
    "code",
    [
        "import neardup",
        "import neardup; neardup.__version__; neardup.SettingsError",
        "from neardup.cli import main; main(['--version'])",
        "from neardup.cli import main; main(['--help'])",
        "from neardup.cli import main; main([])",
    ],
)
def test_start_loads_nothing_heavy(code):
    source = LIST_LOADED.format(code=code, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.slow
def test_public_names_are_loaded_when_used():
    code = "import neardup, sys; assert 'pyarrow' not in sys.modules; neardup.find; assert 'pyarrow' in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import neardup.read, neardup.evaluate", "from neardup import api"])
def test_function_with_the_name_of_a_package_stays_a_function(first):
    check = "import neardup; assert callable(neardup.read) and callable(neardup.evaluate)"
    names = "from neardup import read, evaluate; assert callable(read) and callable(evaluate)"
    subprocess.run([sys.executable, "-c", f"{first}\n{check}\n{names}"], check=True)


def test_unknown_name_is_an_attribute_error():
    code = "import neardup; neardup.fnd"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "AttributeError: module 'neardup' has no attribute 'fnd'" in done.stderr


@pytest.mark.parametrize("name", SUMMARIES)
def test_summary_is_the_first_sentence_of_the_help(name):
    assert load_command(name).help.strip().splitlines()[0] == SUMMARIES[name]


def test_error_for_an_unknown_command_suggests_a_similar_one(capsys):
    assert main(["fnd"]) == 2
    assert "No such command 'fnd'. Did you mean 'find'?" in capsys.readouterr().err
