"""Parse blocks in a second thread while the next ones are being cut; the results stay in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from neardup.read.formats.lines.scanning import Block
from neardup.read.reading import Unreadable

_WAITING = 3

Parsed = TypeVar("Parsed")


def prefetch(blocks: Iterable[Block], parse: Callable[[Block], Parsed]) -> Iterator[tuple[Block, Parsed]]:
    """Yield each block with its parsed form; if the stream breaks off, Unreadable is raised after the last block."""
    waiting: deque[tuple[Block, Future[Parsed]]] = deque()
    trouble: Unreadable | None = None
    with ThreadPoolExecutor(1) as pool:
        try:
            for block in blocks:
                waiting.append((block, pool.submit(parse, block)))
                if len(waiting) > _WAITING:
                    first, parsed = waiting.popleft()
                    yield first, parsed.result()
        except Unreadable as problem:
            trouble = problem
        for block, parsed in waiting:
            yield block, parsed.result()
    if trouble is not None:
        raise trouble
