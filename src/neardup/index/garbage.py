"""Pauses Python's collector of reference cycles during short calls."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def without_collection(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Pause the collector while a function runs: a collection visits every object of the caller's process."""

    @functools.wraps(function)
    def called(*arguments: Arguments.args, **options: Arguments.kwargs) -> Answer:
        enabled = gc.isenabled()
        gc.disable()
        try:
            return function(*arguments, **options)
        finally:
            if enabled:
                gc.enable()

    return called
