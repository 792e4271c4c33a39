"""`neardup serve`: the REST service of an index."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from neardup import api
from neardup.cli.options import Quiet
from neardup.cli.terminal import print_error, print_output
from neardup.errors import MissingExtra


def serve(  # noqa: PLR0913, PLR0917 - Typer passes them by name
    index: Annotated[str, Argument(metavar="INDEX", hidden=True)],
    host: Annotated[str, Option(metavar="NAME", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, Option(metavar="N", help="The port to listen on; 0 chooses a free one.")] = 8630,
    token_file: Annotated[
        Path | None,
        Option(metavar="FILE", help="A file with the token that requests must send; default: NEARDUP_TOKEN, if set."),
    ] = None,
    body_limit: Annotated[int, Option(metavar="BYTES", help="Maximum size of a body or of a line of a load.")] = (
        16 << 20
    ),
    bulk_limit: Annotated[int, Option(metavar="BYTES", help="Maximum size of a bulk load.")] = 4 << 30,
    timeout: Annotated[float, Option(metavar="SECONDS", help="Maximum wait for a body, a lock or an answer.")] = 30.0,
    readers: Annotated[int, Option(metavar="N", help="Number of processes that answer queries.")] = 2,
    quiet: Quiet = False,
) -> int:
    """Serve an index over HTTP: put, get and delete documents, query, group.

    INDEX is a file created by `neardup index build`, or postgresql://… . The service listens on this machine only,
    unless --host is given. On Ctrl-C or SIGTERM it finishes running requests and stops.
    """
    try:
        from neardup import service  # noqa: PLC0415 - optional, and slow to load
    except ModuleNotFoundError as missing:
        raise MissingExtra(missing.name or "fastapi", "web", "the service") from None
    token = service.read_token(token_file)
    settings = service.ServiceSettings(host, port, token, body_limit, bulk_limit, timeout, readers)

    reader = partial(api.Index, index, read_only=True, threads=1)

    def report_start(url: str) -> None:
        if token is None and not service.is_loopback(host):
            print_error("anyone who reaches this address can read and change the index: --token-file requires a token")
        with reader() as opened:
            for warning in opened.stats()["warnings"]:
                print_error(warning)
        if not quiet:
            print_output(f"Serving {index} on {url}", f"Documentation: {url}/docs")

    # Loads use half of the processors; the others are left for queries.
    half = max(1, (os.cpu_count() or 1) // 2)
    writer = partial(api.Index, index, threads=half, lock_timeout_seconds=timeout)
    service.serve(writer, reader, settings, report_start)
    if not quiet:
        print_output("Stopped.")
    return 0
