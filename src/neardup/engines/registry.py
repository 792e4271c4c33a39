"""The engines by name."""

from __future__ import annotations

from typing import Literal

from neardup.engines.engine import Engine
from neardup.engines.local import run_local
from neardup.errors import SettingsError

EngineName = Literal["local"]
ENGINES: dict[str, Engine] = {"local": run_local}


def find_engine(name: str) -> Engine:
    """Return the engine of this name."""
    if name not in ENGINES:
        raise SettingsError(f"engine is {name!r}, but must be one of {', '.join(ENGINES)}")
    return ENGINES[name]
