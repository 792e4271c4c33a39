"""The methods: one file for each family, their settings, and the registry of their names."""

from neardup.detectors.detector import Detector, LexiconDetector
from neardup.detectors.recipe import AnyRecipe, CollectionRecipe, Recipe
from neardup.detectors.registry import METHODS, choose_method, make_detector, prepare_detector
from neardup.detectors.settings import Setting, list_settings

__all__ = [
    "METHODS",
    "AnyRecipe",
    "CollectionRecipe",
    "Detector",
    "LexiconDetector",
    "Recipe",
    "Setting",
    "choose_method",
    "list_settings",
    "make_detector",
    "prepare_detector",
]
