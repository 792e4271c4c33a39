"""Where a detector runs: engines call the steps of the pipeline and differ only in where keys meet."""

from neardup.engines.engine import Engine, Job
from neardup.engines.local import run_local
from neardup.engines.registry import ENGINES, EngineName, find_engine

__all__ = ["ENGINES", "Engine", "EngineName", "Job", "find_engine", "run_local"]
