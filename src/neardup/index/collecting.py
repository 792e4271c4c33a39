"""When Python looks for objects that only hold each other."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def uninterrupted(function: Callable[Arguments, Answer]) -> Callable[Arguments, Answer]:
    """Keep Python's collector of cycles from running inside a short call: it looks at all that the caller holds."""

    @functools.wraps(function)
    def called(*arguments: Arguments.args, **options: Arguments.kwargs) -> Answer:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return function(*arguments, **options)
        finally:
            if collecting:
                gc.enable()

    return called
