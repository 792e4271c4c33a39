"""Linked pairs, or letters and references, to groups."""

from neardup.cluster.closure import Closure, Conflict
from neardup.cluster.linkage import LINKAGES, find_leaders

__all__ = ["LINKAGES", "Closure", "Conflict", "find_leaders"]
