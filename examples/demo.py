"""What `make demo` runs: the main job on a small real collection, as a newcomer would type it."""

import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
COMMANDS = (
    "find licence_notices.csv -o ../demo-run --threshold 0.7",
    "show ../demo-run --limit 1",
)


def main() -> int:
    """Run the commands one after the other, showing each before its output."""
    for command in COMMANDS:
        print(f"\n$ neardup {command}", flush=True)
        done = subprocess.run([sys.executable, "-m", "neardup.cli", *shlex.split(command)], cwd=HERE, check=False)
        if done.returncode:
            return done.returncode
    print(f"\nThe run lies in {(HERE.parent / 'demo-run').resolve()}: four files, described in docs/files.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
