"""The slot of an engine: it runs a detector over a collection, and decides where keys meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from neardup.detectors import Detector
from neardup.pipeline import Progress
from neardup.records import Documents, Result
from neardup.stages import NO_CONSTRAINTS, Constraints, Sides


@dataclass(frozen=True, slots=True)
class Job:
    """A collection and what to do with it.

    With `sides`, only duplicates between the two sides count. `constraints` are the user's, between documents. `notes`
    and `reason` (why `auto` chose the method) are passed on to the result.
    """

    documents: Documents
    sides: Sides | None = None
    constraints: Constraints = NO_CONSTRAINTS
    threads: int = 0
    notes: tuple[str, ...] = ()
    reason: str | None = None


class Engine(Protocol):
    """Runs a detector over a collection."""

    def __call__(self, detector: Detector, job: Job, progress: Progress | None = None) -> Result:
        """Find the clusters of a collection."""
