"""Runs a detector over a collection in this process, in memory."""

from __future__ import annotations

from neardup.detectors import Detector
from neardup.engines.engine import Job
from neardup.pipeline import Clock, Collection, Progress, make_result, run
from neardup.records import Result


def run_local(detector: Detector, job: Job, progress: Progress | None = None) -> Result:
    """Find the clusters of a collection."""
    clock = Clock(progress, {"read": job.documents.seconds})
    collection = Collection(job.documents, detector.keep, job.sides, job.constraints, job.threads)
    found = run(detector.recipe(), collection, clock.stage)
    return make_result(detector, found, clock, notes=job.notes, reason=job.reason)
