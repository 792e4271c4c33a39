"""Processes that answer queries, each with the index open read-only.

Queries are CPU-bound: separate processes use all cores and do not wait for the writer. A thread of the service passes
one query after another to each process and waits for the answer. A process that does not answer in time is killed and
replaced, so that the timeout holds for every query.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from neardup.errors import NeardupError
from neardup.service.handle import Handle, OpenIndex
from neardup.service.problems import Problem


@dataclass(frozen=True, slots=True)
class Question:
    """A method of the index and its arguments, the future answer, and the deadline."""

    method: str
    arguments: tuple[Any, ...]
    options: dict[str, Any]
    deadline: float
    answer: Future[Any] = field(default_factory=Future)


class Readers:
    """A pool of reading processes."""

    def __init__(self, open_index: OpenIndex, count: int, timeout_seconds: float) -> None:
        self._open = open_index
        self._timeout_seconds = timeout_seconds
        self._waiting: SimpleQueue[Question | None] = SimpleQueue()
        readers = [_Reader(open_index) for _ in range(count)]
        try:
            for reader in readers:
                reader.greet()
        except BaseException:
            for reader in readers:
                reader.kill()
            raise
        self._threads = [Thread(target=self._work, args=(reader,), name="reader") for reader in readers]
        for thread in self._threads:
            thread.start()

    async def ask(self, where: str, method: str, *arguments: Any, **options: Any) -> Any:
        """Call a method of the index and return its answer."""
        question = Question(method, arguments, options, monotonic() + self._timeout_seconds)
        self._waiting.put(question)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await asyncio.wrap_future(question.answer)
        except TimeoutError:
            raise Problem(504, f"no answer after {self._timeout_seconds:g} seconds", where) from None
        except (EOFError, OSError):
            raise Problem(503, "the reading process ended before it answered", where) from None

    def waiting(self) -> int:
        """Return how many queries wait for a process."""
        return self._waiting.qsize()

    def close(self) -> None:
        """Stop the readers after they have answered all queries."""
        for _ in self._threads:
            self._waiting.put(None)
        for thread in self._threads:
            thread.join()

    def _work(self, reader: _Reader) -> None:
        while (question := self._waiting.get()) is not None:
            if question.answer.set_running_or_notify_cancel():
                try:
                    question.answer.set_result(reader.ask(question))
                except Exception as error:
                    question.answer.set_exception(error)
                    if isinstance(error, EOFError | OSError):
                        reader = self._replace(reader)
        reader.close()

    def _replace(self, reader: _Reader) -> _Reader:
        """Return a new reader, or the old one if the index cannot be opened; the next query then tries again."""
        reader.kill()
        fresh = _Reader(self._open)
        try:
            fresh.greet()
        except Exception:
            fresh.kill()
            return reader
        return fresh


class _Reader:
    """A reading process and the connection to it."""

    def __init__(self, open_index: OpenIndex) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other = context.Pipe()
        self._process: SpawnProcess = context.Process(target=answer_questions, args=(open_index, other), daemon=True)
        self._process.start()
        other.close()

    def greet(self) -> None:
        """Wait until the index is open; raise the error if it cannot be opened."""
        self._receive()

    def ask(self, question: Question) -> Any:
        """Return the answer, or raise the error."""
        self._connection.send((question.method, question.arguments, question.options))
        if not self._connection.poll(max(0.0, question.deadline - monotonic())):
            raise TimeoutError
        return self._receive()

    def close(self) -> None:
        """Close the connection, and wait until the process has closed the index."""
        self._connection.close()
        self._process.join()

    def kill(self) -> None:
        """Kill the process; a reader has nothing to clean up."""
        self._process.kill()
        self.close()

    def _receive(self) -> Any:
        answer = self._connection.recv()
        if isinstance(answer, BaseException):
            raise answer
        return answer


def answer_questions(open_index: OpenIndex, connection: Connection) -> None:
    """Open the index and answer queries until the connection is closed; the parent process handles signals."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        handle = Handle(open_index)
    except Exception as error:
        connection.send(_portable(error))
        return
    connection.send(None)
    # The parent closes the connection or has ended.
    with suppress(EOFError, OSError):
        while True:
            connection.send(_answer(handle, *connection.recv()))
    handle.close()


def _answer(handle: Handle, method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    try:
        return handle.use(lambda index: getattr(index, method)(*arguments, **options))
    except BaseException as error:
        # BaseException, since a panic in the native module is not an Exception.
        return _portable(error)


def _portable(error: BaseException) -> Exception:
    """Return an exception that can be sent to the parent."""
    # Other exceptions may not be picklable, or be mistaken for the end of the process.
    return error if isinstance(error, NeardupError) else RuntimeError(f"{type(error).__name__}: {error}")
