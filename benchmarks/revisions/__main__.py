"""Compare two revisions of neardup: their results (`results`) and their speed (`speed`).

    python benchmarks/revisions results OLD NEW [--data DIR] [--only NAME ...] [--folder DIR] [--postgres URL]
    python benchmarks/revisions speed OLD NEW [--data DIR] [--only NAME ...] [--rounds N] [--quick]

OLD and NEW are paths of built checkouts, or git revisions, which are checked out and built in a temporary folder. Each
side runs in processes of its own, with this script's cases and inputs, and uses only the public API and the command
line. Exit code 0: the two are the same; 1: they are not; 2: the comparison could not be made.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

# A folder that is run as a script finds only its own files; the benchmarks import each other from the folder above.
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from revisions.checkouts import CheckoutError  # noqa: E402 - the path is set first


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="revisions", description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name, summary in (("results", "compare their results"), ("speed", "compare their speed")):
        command = commands.add_parser(name, help=summary, description=summary.capitalize() + ".")
        command.add_argument("old", metavar="OLD", help="path of a built checkout, or a git revision")
        command.add_argument("new", metavar="NEW", help="path of a built checkout, or a git revision")
        command.add_argument("--data", type=Path, help="folder of real corpora; without it, the project's examples")
        command.add_argument("--only", nargs="+", metavar="NAME", help="only cases whose name contains one of these")
    commands.choices["results"].add_argument("--folder", type=Path, help="keep the inputs and outputs in this folder")
    commands.choices["results"].add_argument(
        "--postgres", metavar="URL", help="run the index cases on this database too; the URL must have no options="
    )
    commands.choices["speed"].add_argument("--rounds", type=int, default=5, help="rounds of each side (default: 5)")
    commands.choices["speed"].add_argument("--quick", action="store_true", help="small sizes")
    return parser.parse_args(arguments)


def main() -> int:
    """Run the command; `worker` is the internal one that each side is started with."""
    if sys.argv[1:2] == ["worker"]:
        from revisions import worker  # noqa: PLC0415 - each command loads only what it needs

        return worker.main(Path(sys.argv[2]))
    arguments = parse_arguments(sys.argv[1:])
    try:
        return importlib.import_module(f"revisions.{arguments.command}").run(arguments)
    except CheckoutError as problem:
        print(f"revisions: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
