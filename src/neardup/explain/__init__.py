"""What is said of a cluster: its reference copy, and how each member relates to it."""

from neardup.explain.lattice import build_lattice
from neardup.explain.reference import Keep, rank_documents
from neardup.explain.relations import Described, compare_texts, relate_members
from neardup.explain.template import make_template

__all__ = [
    "Described",
    "Keep",
    "build_lattice",
    "compare_texts",
    "make_template",
    "rank_documents",
    "relate_members",
]
