"""Find the texts that come from the same origin, group them, name the original, and show what each copy changed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from neardup.version import VERSION

if TYPE_CHECKING:
    from neardup.api import Index, Lexicon, compare, dedup, evaluate, evaluate_pairs, extract, find, lattice, load, read
    from neardup.errors import (
        FormatError,
        InputError,
        KnownId,
        MissingExtra,
        NeardupError,
        OutputError,
        SettingsError,
        UnknownId,
    )
    from neardup.records import Cluster, Comparison, Documents, Member, Result

__version__ = VERSION

__all__ = [
    "Cluster",
    "Comparison",
    "Documents",
    "FormatError",
    "Index",
    "InputError",
    "KnownId",
    "Lexicon",
    "Member",
    "MissingExtra",
    "NeardupError",
    "OutputError",
    "Result",
    "SettingsError",
    "UnknownId",
    "__version__",
    "compare",
    "dedup",
    "evaluate",
    "evaluate_pairs",
    "extract",
    "find",
    "lattice",
    "load",
    "read",
]


def __getattr__(name: str) -> Any:
    """Load what is first asked for, so that the command line can be interrupted before the libraries are there."""
    if not name.startswith("_"):
        for module in map(import_module, ("neardup.api", "neardup.errors", "neardup.records")):
            if name in __all__ and hasattr(module, name):
                return getattr(module, name)
        if name in globals():  # a room of the house, there now that the front door is open
            return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
