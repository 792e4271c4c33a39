"""Find the texts that come from the same origin, group them, name the original, and show what each copy changed."""

from neardup.start import exit_on_interrupt
from neardup.version import VERSION

with exit_on_interrupt():
    from neardup.api import Index, Lexicon, compare, dedup, evaluate, evaluate_pairs, extract, find, lattice, load, read
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
    from neardup.records import Cluster, Comparison, Documents, Member, Result

__version__ = VERSION

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
    "Result",
    "SettingsError",
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
