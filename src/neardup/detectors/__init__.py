"""The recipes: one file for each family of methods, and the registry of their names."""

from neardup.detectors.registry import METHODS, check_settings, choose_method, make_detector
from neardup.detectors.settings import Detector, Recipe

__all__ = ["METHODS", "Detector", "Recipe", "check_settings", "choose_method", "make_detector"]
