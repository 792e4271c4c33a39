"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket, gone when they are done.

`python tests/servers.py` installs the server where it is missing and may be installed.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")


def find_programs() -> Path | None:
    """Return the folder with initdb and pg_ctl."""
    for place in PLACES:
        for folder in sorted(Path("/").glob(place.lstrip("/")), reverse=True):
            if (folder / "initdb").exists():
                return folder
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


def install() -> None:
    """Install the server with the system's package manager, unless it is there."""
    if find_programs() is not None:
        return
    if shutil.which("apt-get") is None:
        sys.exit("the tests need PostgreSQL, which is not installed: install it so that initdb is in the PATH")
    sudo = [] if os.geteuid() == 0 else ["sudo", "-n"]
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "-qq", "update"], ["apt-get", "-qq", "install", "-y", "postgresql"]):
        if subprocess.run([*sudo, *command], env=quiet, check=False).returncode:
            sys.exit("the tests need PostgreSQL, which could not be installed: apt-get install postgresql")


@contextmanager
def postgres() -> Iterator["Server"]:
    """Start a server and stop it in the end."""
    programs = find_programs()
    if programs is None:
        raise RuntimeError("PostgreSQL is not installed: python tests/servers.py installs it")
    folder = Path(tempfile.mkdtemp(prefix="neardup-postgres-"))
    # The server refuses to run as root.
    other = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if other:
        shutil.chown(folder, "postgres", "postgres")
    data, log = folder / "data", folder / "log"

    def run(*command: str) -> None:
        subprocess.run([*other, *command], check=True, stdout=subprocess.DEVNULL, cwd=folder)

    try:
        run(str(programs / "initdb"), "-D", str(data), "-U", "tests", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c max_connections=50"

        def start() -> None:
            run(str(programs / "pg_ctl"), "-D", str(data), "-l", str(log), "-w", "-o", options, "start")

        def stop() -> None:
            run(str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "-w", "stop")

        start()
        try:
            yield Server(folder, start, stop)
        finally:
            stop()
    finally:
        shutil.rmtree(folder)


class Server:
    """A running server, which gives out empty schemas."""

    def __init__(self, folder: Path, start: Callable[[], None], stop: Callable[[], None]) -> None:
        self._address = f"postgresql://tests@/postgres?host={folder}"
        self._numbers = itertools.count()
        self._start, self._stop = start, stop
        self.crashes = 0

    def schema(self) -> str:
        """Return the address of a new schema."""
        name = f"schema_{next(self._numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return f"{self._address}&options=-csearch_path%3D{name}"

    def run(self, statement: str) -> None:
        """Run a statement as the one who may do everything."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(statement)

    def crash(self) -> None:
        """End the server as a failure would, without writing anything back, and start it again."""
        self._stop()
        self._start()
        self.crashes += 1


if __name__ == "__main__":
    install()
