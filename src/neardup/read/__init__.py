"""Read files, folders, tables and streams into Documents; records that cannot be read are kept and counted."""

from neardup.read.collection import read, stack
from neardup.read.reading import Limits
from neardup.read.rewriting.kept import check_beside, check_kept, write_kept

__all__ = ["Limits", "check_beside", "check_kept", "read", "stack", "write_kept"]
