"""Explain clusters: reference copies, relations of members, templates and concept lattices."""

from neardup.explain.lattice import build_lattice
from neardup.explain.reference import Keep, rank_documents
from neardup.explain.relations import MemberRelations, compare_texts, relate_members
from neardup.explain.template import make_template

__all__ = [
    "Keep",
    "MemberRelations",
    "build_lattice",
    "compare_texts",
    "make_template",
    "rank_documents",
    "relate_members",
]
