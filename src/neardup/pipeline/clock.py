"""The seconds of each stage of a run, and its progress."""

from __future__ import annotations

import platform
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

Progress = Callable[[str, int, int | None], None]
"""Called with the name of a stage, the amount done, and the total amount; None if it is unknown."""


@dataclass
class Clock:
    """Seconds per stage; the progress callback is called when a stage begins and ends."""

    progress: Progress | None = None
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str, total: int) -> Iterator[None]:
        """Time a stage."""
        if self.progress is not None:
            self.progress(name, 0, total)
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
        if self.progress is not None:
            self.progress(name, total, total)


def peak_memory() -> int:
    """Return the peak resident memory of this process in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if platform.system() == "Darwin" else peak * 1024
