"""Files, folders, tables and streams become Documents; what cannot be read is kept with its status and counted."""

from neardup.read.collection import read
from neardup.read.reading import Limits
from neardup.read.rewrite import check_kept, write_kept

__all__ = ["Limits", "check_kept", "read", "write_kept"]
