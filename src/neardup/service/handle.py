"""An open index that is reopened after a failure of its database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from neardup.api import Index
from neardup.errors import NeardupError, OutputError

Answer = TypeVar("Answer")
OpenIndex = Callable[[], Index]


class Handle:
    """Keeps an index open for one thread."""

    def __init__(self, open_index: OpenIndex) -> None:
        self._open = open_index
        self._index: Index | None = open_index()

    def use(self, work: Callable[[Index], Answer]) -> Answer:
        """Call a function with the index; after a failure of the database the next call reopens it."""
        if self._index is None:
            self._index = self._open()
        try:
            return work(self._index)
        except OutputError:
            self.close()
            raise

    def close(self) -> None:
        """Close the index."""
        index, self._index = self._index, None
        if index is not None:
            with suppress(NeardupError):
                index.close()
