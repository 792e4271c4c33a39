"""What `make demo` runs: the main job on a small docket of public comments, as a newcomer would type it."""

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


def _largest() -> str:
    return shlex.quote(neardup.load(HERE.parent / "demo-run").clusters[0].id)


def main() -> int:
    """Run the commands one after the other, showing each before its output."""
    for template in COMMANDS:
        command = template.format(largest=_largest()) if "{" in template else template
        print(f"\n$ neardup {command}", flush=True)
        done = subprocess.run([sys.executable, "-m", "neardup.cli", *shlex.split(command)], cwd=HERE, check=False)
        if done.returncode:
            return done.returncode
    print(f"\nThe run lies in {(HERE.parent / 'demo-run').resolve()}: four files, described in docs/files.md.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
