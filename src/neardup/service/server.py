"""Runs the service: opens the index, listens, and after a signal finishes requests before it closes the index."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import uvicorn

from neardup.errors import OutputError
from neardup.service.application import Service, make_application
from neardup.service.guard import Guard
from neardup.service.handle import OpenIndex
from neardup.service.metrics import Metrics
from neardup.service.readers import Readers
from neardup.service.settings import ServiceSettings
from neardup.service.writer import Writer

SIGNALS = (signal.SIGINT, signal.SIGTERM)
BACKLOG = 1024


def serve(
    open_writer: OpenIndex, open_reader: OpenIndex, settings: ServiceSettings, started: Callable[[str], None]
) -> None:
    """Serve an index until a signal arrives. `started` is called with the URL when requests are accepted."""
    # Errors of the index are reported first. The writer would create an index that does not exist.
    open_reader().close()
    with _listen(settings) as listener, _ignored_afterwards():
        readers = Readers(open_reader, settings.readers, settings.timeout_seconds)
        try:
            writer = Writer(open_writer, settings.timeout_seconds)
            try:
                _run(listener, readers, writer, settings, started)
            finally:
                writer.close()
        finally:
            readers.close()


def _run(
    listener: socket.socket, readers: Readers, writer: Writer, settings: ServiceSettings, started: Callable[[str], None]
) -> None:
    metrics, stopping = Metrics(), asyncio.Event()
    service = Service(readers, writer, metrics, settings, stopping)
    application = Guard(make_application(service, settings), settings, metrics)
    configuration = uvicorn.Config(
        application,
        http="httptools",
        lifespan="off",
        access_log=False,
        log_config=None,
        log_level="critical",
        server_header=False,
        timeout_graceful_shutdown=int(settings.timeout_seconds) + 1,
    )
    started(_url(listener))
    _Server(configuration, stopping).run([listener])


class _Server(uvicorn.Server):
    """A server that notifies long requests before it stops."""

    def __init__(self, configuration: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(configuration)
        self._stopping = stopping

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End loads after their current batch, finish other requests, and stop."""
        self._stopping.set()
        await super().shutdown(sockets)


@contextmanager
def _listen(settings: ServiceSettings) -> Iterator[socket.socket]:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP, flags=socket.AI_PASSIVE
        )[0]
        # With an explicit protocol, since the event loop disables Nagle's algorithm only if it knows that this is TCP.
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        remedy = "choose another address with --host and --port"
        raise OutputError(f"cannot listen on {settings.host}, port {settings.port}: {error}; {remedy}") from None
    with listener:
        yield listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def _ignored_afterwards() -> Iterator[None]:
    """Ignore the signals that stopped the service: the server raises them again when it has stopped."""

    def ignore(_number: int, _frame: FrameType | None) -> None:
        return None

    before: dict[int, Any] = {number: signal.signal(number, ignore) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
