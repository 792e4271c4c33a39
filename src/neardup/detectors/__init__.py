"""The recipes: one file for each family of methods, and the registry of their names."""

from neardup.detectors.registry import METHODS, choose_method, make_detector
from neardup.detectors.settings import Detector, Recipe

__all__ = ["METHODS", "Detector", "Recipe", "choose_method", "make_detector"]
