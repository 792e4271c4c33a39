"""Present a Result: views for the terminal, and export files for other programs."""

from neardup.report.attributes import check_letters, write_letters
from neardup.report.clusters import render_cluster, render_clusters
from neardup.report.comparison import render_comparison
from neardup.report.export import check_export, write_csv, write_export, write_jsonl, write_xlsx
from neardup.report.lattices import check_lattice, render_lattice, write_lattice
from neardup.report.pairs import render_pair_evaluation
from neardup.report.passages import render_passage, render_passage_summary, render_passages
from neardup.report.scores import render_evaluation
from neardup.report.summary import render_summary

__all__ = [
    "check_export",
    "check_lattice",
    "check_letters",
    "render_cluster",
    "render_clusters",
    "render_comparison",
    "render_evaluation",
    "render_lattice",
    "render_pair_evaluation",
    "render_passage",
    "render_passage_summary",
    "render_passages",
    "render_summary",
    "write_csv",
    "write_export",
    "write_jsonl",
    "write_lattice",
    "write_letters",
    "write_xlsx",
]
