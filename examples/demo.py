"""Run the main commands on a small docket of public comments, as `make demo` does."""

import shlex
import subprocess
import sys
from pathlib import Path

import neardup

HERE = Path(__file__).parent
COMMANDS = (
    "find docket.csv --method durian -o ../demo-run",
    "show ../demo-run {largest} --limit 12",
    "evaluate ../demo-run gold.csv",
)


def _find_largest() -> str:
    return shlex.quote(neardup.load(HERE.parent / "demo-run").clusters[0].id)


def main() -> int:
    """Run the commands in order and print each before its output."""
    for template in COMMANDS:
        command = template.format(largest=_find_largest()) if "{" in template else template
        print(f"\n$ neardup {command}", flush=True)
        done = subprocess.run([sys.executable, "-m", "neardup.cli", *shlex.split(command)], cwd=HERE, check=False)
        if done.returncode:
            return done.returncode
    print(f"\nThe run folder is {(HERE.parent / 'demo-run').resolve()}: four files, described in docs/files.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
