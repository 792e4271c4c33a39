"""The experiments of Gong, Huang, Cheng & Bai 2008, "Detecting near-duplicates in large-scale short text databases"."""

from neardup.reproduce.simfinder.experiments import SIZE, Reproduction, Source, reproduce_simfinder
from neardup.reproduce.simfinder.figures import list_plots, list_sheets, write_reproduction
from neardup.reproduce.simfinder.labelled import LabelledPairs, list_texts, path_name, read_pairs

__all__ = [
    "SIZE",
    "LabelledPairs",
    "Reproduction",
    "Source",
    "list_plots",
    "list_sheets",
    "list_texts",
    "path_name",
    "read_pairs",
    "reproduce_simfinder",
    "write_reproduction",
]
