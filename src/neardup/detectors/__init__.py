"""The methods: one file for each family, their settings, and the registry of their names."""

from neardup.detectors.detector import Detector, LexiconDetector
from neardup.detectors.hints import MethodName, Settings
from neardup.detectors.recipe import AnyRecipe, CollectionRecipe, Recipe
from neardup.detectors.registry import (
    METHODS,
    choose_detector,
    choose_method,
    find_method,
    make_detector,
    prepare_detector,
)
from neardup.detectors.settings import Setting, list_settings
from neardup.detectors.suggestion import suggest_letters

__all__ = [
    "METHODS",
    "AnyRecipe",
    "CollectionRecipe",
    "Detector",
    "LexiconDetector",
    "MethodName",
    "Recipe",
    "Setting",
    "Settings",
    "choose_detector",
    "choose_method",
    "find_method",
    "list_settings",
    "make_detector",
    "prepare_detector",
    "suggest_letters",
]
