"""Find the texts that come from the same origin, group them, name the original, and show what each copy changed."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from neardup.errors import (
    DuplicateId,
    FormatError,
    IdNotFound,
    InputError,
    MissingExtra,
    NeardupError,
    OutputError,
    SettingsError,
)
from neardup.version import VERSION

if TYPE_CHECKING:
    from neardup.api import (
        Lexicon,
        compare,
        dedup,
        dedup_passages,
        evaluate,
        evaluate_pairs,
        extract,
        find,
        lattice,
        load,
        passages,
        read,
    )
    from neardup.index import Index
    from neardup.records import Cluster, Comparison, Documents, Member, Passages, Result

__version__ = VERSION

_LOADED_LATER = {
    **dict.fromkeys(("Cluster", "Comparison", "Documents", "Member", "Passages", "Result"), "neardup.records"),
    "Index": "neardup.index",
}

__all__ = [
    "Cluster",
    "Comparison",
    "Documents",
    "DuplicateId",
    "FormatError",
    "IdNotFound",
    "Index",
    "InputError",
    "Lexicon",
    "Member",
    "MissingExtra",
    "NeardupError",
    "OutputError",
    "Passages",
    "Result",
    "SettingsError",
    "__version__",
    "compare",
    "dedup",
    "dedup_passages",
    "evaluate",
    "evaluate_pairs",
    "extract",
    "find",
    "lattice",
    "load",
    "passages",
    "read",
]


def __getattr__(name: str) -> object:
    """Load what is first used: Arrow and the native module take longer to load than most commands run."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_LOADED_LATER.get(name, "neardup.api")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """Keeps the functions that have the names of packages: importing such a package would replace them."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in __all__ and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
