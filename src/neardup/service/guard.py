"""Checks every request before it reaches the application, and handles errors that the application does not.

The host and the token are checked. Then the whole body is read, up to a limit of size and time, so that the application
never gets a body that is too large or does not end. Only a bulk load is passed on as a stream, with limits of its own.
An unexpected error becomes a JSON response and one line on standard error.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from ipaddress import ip_address
from time import perf_counter
from typing import Any

from starlette.datastructures import Headers

from neardup.service.metrics import Metrics
from neardup.service.problems import Problem, explain_error
from neardup.service.settings import ServiceSettings

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BULK = "/documents"
OPEN = ("/health", "/docs", "/openapi.json")
ROUTES = ("/documents", "/query", "/group", "/clusters", "/events", "/health", "/metrics", "/docs", "/openapi.json")
FAMILIES = {"/documents/": "/documents/{id}", "/clusters/": "/clusters/{number}"}
METHODS = ("GET", "PUT", "POST", "DELETE", "HEAD", "OPTIONS", "PATCH")


class Guard:
    """Wraps the application: checks host, token and limits, counts requests, and handles unexpected errors."""

    def __init__(self, application: Application, settings: ServiceSettings, metrics: Metrics) -> None:
        self._application = application
        self._settings = settings
        self._metrics = metrics
        self._token = None if settings.token is None else _digest(settings.token.encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})
        else:
            await self._application(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, status = perf_counter(), 0

        async def watch(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        self._metrics.in_flight += 1
        try:
            await self._pass(scope, receive, watch)
        except Problem as problem:
            await problem.response()(scope, receive, watch)
        except Exception as error:
            _report(scope, error)
            if not status:
                await explain_error(error, scope["path"]).response()(scope, receive, watch)
        finally:
            self._metrics.in_flight -= 1
            self._metrics.observe(_method(scope), _route(scope["path"]), status or 499, perf_counter() - started)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers, scope["path"])
        self._check_token(headers, scope["path"])
        if scope["method"] == "POST" and scope["path"] == BULK:
            _check_size(headers, self._settings.bulk_bytes, scope["path"])
            await self._application(scope, receive, send)
            return
        body = await self._read_body(headers, scope["path"], receive)
        if body is not None:
            await self._application(scope, _Replay(body, receive), send)

    def _check_host(self, headers: Headers, path: str) -> None:
        """Refuse foreign host names, by which a web page could reach this service (DNS rebinding)."""
        if self._token is None and is_loopback(self._settings.host) and not is_loopback(_host(headers)):
            remedy = "use a name of this machine, such as 127.0.0.1, or start the service with a token"
            raise Problem(421, f"the service does not answer for the host {headers.get('host', '')!r}", path, remedy)

    def _check_token(self, headers: Headers, path: str) -> None:
        if self._token is None or path in OPEN:
            return
        kind, _, given = headers.get("authorization", "").partition(" ")
        # The header is decoded as Latin-1. Digests have the same length, so that the comparison takes constant time.
        if kind.lower() != "bearer" or not compare_digest(_digest(given.strip().encode("latin-1")), self._token):
            raise Problem(401, "the token is wrong" if given else "the token is missing", path)

    async def _read_body(self, headers: Headers, path: str, receive: Receive) -> bytes | None:
        """Return the whole body; None if the client disconnected before its end."""
        limit = self._settings.body_bytes
        _check_size(headers, limit, path)
        body = bytearray()
        try:
            async with asyncio.timeout(self._settings.timeout_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    body += message.get("body", b"")
                    if len(body) > limit:
                        raise _too_large(limit, path)
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            seconds = self._settings.timeout_seconds
            raise Problem(408, f"the body was not complete after {seconds:g} seconds", path) from None


class _Replay:
    """Returns a body that was read already, then further messages of the connection."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def is_loopback(host: str) -> bool:
    """Return whether a host name always means this machine."""
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    with suppress(ValueError):
        return ip_address(host.strip("[]")).is_loopback
    return False


def _host(headers: Headers) -> str:
    """Return the host of the Host header without its port; a request without the header is not from a browser."""
    named = headers.get("host", "localhost")
    return named if named.endswith("]") else named.rpartition(":")[0] or named


def _digest(token: bytes) -> bytes:
    return sha256(token).digest()


def _check_size(headers: Headers, limit: int, path: str) -> None:
    declared = headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limit:
        raise _too_large(limit, path)


def _too_large(limit: int, path: str) -> Problem:
    return Problem(413, f"the body is larger than {limit:,} bytes", path)


def _method(scope: Scope) -> str:
    return scope["method"] if scope["method"] in METHODS else "other"


def _route(path: str) -> str:
    """Return the name under which a path is counted; there are few of them."""
    if path in ROUTES:
        return path
    return next((name for beginning, name in FAMILIES.items() if path.startswith(beginning)), "other")


def _report(scope: Scope, error: Exception) -> None:
    if os.environ.get("NEARDUP_DEBUG"):
        traceback.print_exception(error)
    name = f"{type(error).__name__}: {error}".replace("\n", " ")
    sys.stderr.write(f"neardup: {scope['method']} {scope['path']!r}: unexpected {name}; this is a bug in neardup\n")
    sys.stderr.flush()
