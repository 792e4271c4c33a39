"""A bulk load: JSON lines arrive as a stream, are written in batches, and each batch is acknowledged with a line.

What an acknowledgement counts is on disk. A batch is written when it has enough lines or bytes, or when the client
pauses. A line that is not a document is reported with its number, and the load continues. A separate task sends the
acknowledgements, since many clients read nothing until they have sent everything; otherwise both sides could wait for
each other.

If the load ends before anything was acknowledged and no line could be stored, the status reports the error. Otherwise
the status is 200, and the last line says how the load ended. Lines that were not acknowledged must be sent again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from neardup.service.messages import Acknowledgement, Document, LineError, LoadEnd, Written
from neardup.service.problems import Problem, explain_validation
from neardup.service.settings import ServiceSettings

BATCH_LINES = 1000
BATCH_BYTES = 8 << 20
QUIET_SECONDS = 0.25
MOST_REPORTED = 10_000
MARK = b"\xef\xbb\xbf"
MEDIA_TYPE = "application/x-ndjson"
WHERE = "/documents"
RESEND = "send the lines again that were not acknowledged"
EXPECTED = 'send one document per line: {"id": "…", "text": "…", "time": "…"}'

Write = Callable[[list[Document]], Awaitable[Written]]
"""Writes documents and returns how many are new, and how many replaced another one."""


@dataclass(slots=True)
class Batch:
    """The lines since the last acknowledgement."""

    documents: list[Document] = field(default_factory=list)
    errors: list[LineError] = field(default_factory=list)
    lines: int = 0
    oversized: int = 0
    bytes: int = 0

    def is_full(self) -> bool:
        """Return whether the batch should be written."""
        return self.lines >= BATCH_LINES or self.bytes >= BATCH_BYTES


class Lines:
    """Splits a stream into lines; a line above the limit is skipped."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._rest = bytearray()
        self._skipped = 0
        self._first = True

    def feed(self, chunk: bytes) -> list[bytes | None]:
        """Return the lines that end in this chunk; None for one that is too long."""
        *ended, rest = chunk.split(b"\n")
        lines = []
        for piece in ended:
            self._add(piece)
            lines.append(self._take())
        self._add(rest)
        return lines

    def end(self) -> list[bytes | None]:
        """Return the last line if it has no line break."""
        return [self._take()] if self._rest or self._skipped else []

    def _add(self, piece: bytes) -> None:
        if self._skipped or len(self._rest) + len(piece) > self._most:
            self._skipped += len(piece) + len(self._rest)
            self._rest.clear()
        else:
            self._rest += piece

    def _take(self) -> bytes | None:
        line = None if self._skipped else bytes(self._rest)
        self._rest.clear()
        self._skipped = 0
        if self._first and line is not None:
            line = line.removeprefix(MARK)
        self._first = False
        return line


class BulkLoad(Response):
    """The response to a load; it reads the request while it is being sent."""

    def __init__(self, write: Write, settings: ServiceSettings, stopping: asyncio.Event) -> None:
        super().__init__(media_type=MEDIA_TYPE)
        del self.headers["content-length"]
        self._write = write
        self._settings = settings
        self._stopping = stopping
        self._totals = LoadEnd(done=True, lines=0, added=0, updated=0, failed=0)
        self._batch = Batch()
        self._reported = 0
        self._answers: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._sender: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the load and respond."""
        try:
            await self._load(receive, send)
            end = self._totals
        except ConnectionAbortedError:
            end = None
        except Problem as problem:
            if self._sender is None:
                raise
            end = self._totals.model_copy(
                update={"done": False, "error": str(problem.detail), "remedy": problem.remedy}
            )
        if end is not None:
            self._answer(end, send)
        if self._sender is not None:
            self._answers.put_nowait(None)
            await self._sender

    async def _load(self, receive: Receive, send: Send) -> None:
        lines = Lines(self._settings.body_bytes)
        async for chunk in self._chunks(receive):
            for line in lines.feed(chunk):
                self._take(line)
                if self._batch.is_full():
                    await self._flush(send)
            if not chunk and self._batch.lines:
                await self._flush(send)
        for line in lines.end():
            self._take(line)
        if self._sender is None and not self._batch.documents:
            raise self._explain_nothing()
        if self._batch.lines:
            await self._flush(send)

    async def _chunks(self, receive: Receive) -> AsyncIterator[bytes]:
        """Yield chunks of the body; an empty one when the client pauses."""
        total = 0
        arriving = asyncio.ensure_future(receive())
        stop = asyncio.ensure_future(self._stopping.wait())
        quiet_since = asyncio.get_running_loop().time()
        try:
            while True:
                await asyncio.wait((arriving, stop), timeout=QUIET_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                if stop.done():
                    raise Problem(503, "the service is stopping", WHERE, RESEND)
                if not arriving.done():
                    self._check_timeout(quiet_since)
                    yield b""
                    continue
                message = arriving.result()
                if message["type"] == "http.disconnect":
                    raise ConnectionAbortedError
                chunk = message.get("body", b"")
                total += len(chunk)
                if total > self._settings.bulk_bytes:
                    raise Problem(413, f"the load is larger than {self._settings.bulk_bytes:,} bytes", WHERE)
                if chunk:
                    yield chunk
                if not message.get("more_body", False):
                    return
                arriving = asyncio.ensure_future(receive())
                quiet_since = asyncio.get_running_loop().time()
        finally:
            for task in (arriving, stop):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    def _check_timeout(self, quiet_since: float) -> None:
        if asyncio.get_running_loop().time() - quiet_since > self._settings.timeout_seconds:
            raise Problem(408, f"nothing arrived for {self._settings.timeout_seconds:g} seconds", WHERE)

    def _take(self, line: bytes | None) -> None:
        batch = self._batch
        batch.lines += 1
        if line is None:
            error = f"the line is larger than {self._settings.body_bytes:,} bytes"
            batch.errors.append(LineError(line=self._totals.lines + batch.lines, error=error, where="line"))
            batch.oversized += 1
            return
        batch.bytes += len(line)
        if not line.strip():
            return
        try:
            batch.documents.append(Document.model_validate_json(line))
        except ValidationError as invalid:
            problem = explain_validation(invalid.errors(include_url=False, include_context=False, include_input=False))
            number = self._totals.lines + batch.lines
            batch.errors.append(LineError(line=number, error=str(problem.detail), where=problem.where or "line"))

    async def _flush(self, send: Send) -> None:
        """Write the batch, then acknowledge it."""
        batch, self._batch = self._batch, Batch()
        written = await self._write(batch.documents) if batch.documents else Written(added=0, updated=0)
        totals = self._totals
        self._totals = totals.model_copy(
            update={
                "lines": totals.lines + batch.lines,
                "added": totals.added + written.added,
                "updated": totals.updated + written.updated,
                "failed": totals.failed + len(batch.errors),
            }
        )
        reported = batch.errors[: MOST_REPORTED - self._reported]
        self._reported += len(reported)
        acknowledgement = Acknowledgement(
            through=self._totals.lines,
            added=written.added,
            updated=written.updated,
            failed=len(batch.errors),
            errors=reported,
        )
        self._answer(acknowledgement, send)

    def _answer(self, line: BaseModel, send: Send) -> None:
        if self._sender is None:
            self._sender = asyncio.ensure_future(self._send_all(send))
        self._answers.put_nowait(line.model_dump_json(exclude_none=True).encode() + b"\n")

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        while (line := await self._answers.get()) is not None:
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _explain_nothing(self) -> Problem:
        """Return the problem of a load of which no line could be stored."""
        errors = self._batch.errors
        if not errors:
            return Problem(422, "the body has no lines", WHERE, EXPECTED)
        status = 413 if self._batch.oversized == len(errors) else 422
        where = f"line {errors[0].line}: {errors[0].where}"
        return Problem(status, f"{errors[0].error}; none of {self._batch.lines} lines could be stored", where, EXPECTED)
