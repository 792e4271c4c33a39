"""Processes that answer questions, each with the index open for reading.

Queries are work for the processor: in processes of their own they use all of its cores, and do not wait for the writer.
A thread of the service stands before each process, hands it one question after another, and waits for the answer. A
process that has not answered in time is ended and another takes its place, so that the limit of time holds whatever
is asked.
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
    """A method of the index to call and what with; the answer, and until when it is of use."""

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
        """Return what a method of the index answers."""
        question = Question(method, arguments, options, monotonic() + self._timeout_seconds)
        self._waiting.put(question)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                return await asyncio.wrap_future(question.answer)
        except TimeoutError:
            raise Problem(504, f"there was no answer after {self._timeout_seconds:g} seconds", where) from None
        except (EOFError, OSError):
            raise Problem(503, "the process that was asked ended before it answered", where) from None

    def waiting(self) -> int:
        """Return how many questions nobody has taken up."""
        return self._waiting.qsize()

    def close(self) -> None:
        """Let the readers answer what was asked, and end."""
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
        """Return another reader; the old one if the index cannot be opened now: the next question tries again."""
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
        """Wait until the index is open; raise what stood in the way."""
        self._receive()

    def ask(self, question: Question) -> Any:
        """Return the answer, or raise what came instead."""
        self._connection.send((question.method, question.arguments, question.options))
        if not self._connection.poll(max(0.0, question.deadline - monotonic())):
            raise TimeoutError
        return self._receive()

    def close(self) -> None:
        """End the process when it has closed the index."""
        self._connection.close()
        self._process.join()

    def kill(self) -> None:
        """End the process at once; reading leaves nothing behind."""
        self._process.kill()
        self.close()

    def _receive(self) -> Any:
        answer = self._connection.recv()
        if isinstance(answer, BaseException):
            raise answer
        return answer


def answer_questions(open_index: OpenIndex, connection: Connection) -> None:
    """Open the index and answer until the other side closes; signals to stop are the other side's to take."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        handle = Handle(open_index)
    except Exception as error:
        connection.send(_portable(error))
        return
    connection.send(None)
    # The other side closes the connection, or is gone with it.
    with suppress(EOFError, OSError):
        while True:
            connection.send(_answer(handle, *connection.recv()))
    handle.close()


def _answer(handle: Handle, method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    try:
        return handle.use(lambda index: getattr(index, method)(*arguments, **options))
    except BaseException as error:
        # Not only Exception: a panic of the native part is none.
        return _portable(error)


def _portable(error: BaseException) -> Exception:
    """Return an exception that the other side can raise."""
    # Others may not survive the way, or be taken for the end of the process.
    return error if isinstance(error, NeardupError) else RuntimeError(f"{type(error).__name__}: {error}")
