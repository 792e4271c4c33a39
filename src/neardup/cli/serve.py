"""`neardup serve`: the REST service over an index."""

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
    port: Annotated[int, Option(metavar="N", help="The port to listen on; 0 takes a free one.")] = 8630,
    token_file: Annotated[
        Path | None,
        Option(metavar="FILE", help="A file with the token that requests must bear; else NEARDUP_TOKEN, if set."),
    ] = None,
    body_limit: Annotated[int, Option(metavar="BYTES", help="Largest body, and largest line of a bulk load.")] = (
        16 << 20
    ),
    bulk_limit: Annotated[int, Option(metavar="BYTES", help="Largest bulk load.")] = 4 << 30,
    timeout: Annotated[float, Option(metavar="SECONDS", help="Longest wait for a body, a turn or an answer.")] = 30.0,
    readers: Annotated[int, Option(metavar="N", help="Processes that answer questions.")] = 2,
    quiet: Quiet = False,
) -> int:
    """Serve an index over HTTP: put, get and delete documents, query, group.

    INDEX is a file that `neardup index build` made, or postgresql://… . The service listens on this machine alone
    unless --host says otherwise, and stops on Ctrl-C or SIGTERM when the requests at work are done.
    """
    try:
        from neardup import service  # noqa: PLC0415 - the framework is optional, and slow to load
    except ModuleNotFoundError as missing:
        raise MissingExtra(missing.name or "fastapi", "web", "the service") from None
    token = service.read_token(token_file)
    settings = service.ServiceSettings(host, port, token, body_limit, bulk_limit, timeout, readers)

    reader = partial(api.Index, index, read_only=True, threads=1)

    def tell(address: str) -> None:
        if token is None and not service.is_loopback(host):
            print_error("whoever reaches this address may read and change the index: --token-file asks for a token")
        with reader() as opened:
            for warning in opened.stats()["warnings"]:
                print_error(warning)
        if not quiet:
            print_output(f"Serving {index} on {address}", f"What it can do: {address}/docs")

    # Half of the processors for loads: the others stay with those who ask.
    half = max(1, (os.cpu_count() or 1) // 2)
    writer = partial(api.Index, index, threads=half, lock_timeout_seconds=timeout)
    service.serve(writer, reader, settings, tell)
    if not quiet:
        print_output("Stopped.")
    return 0
