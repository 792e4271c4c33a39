"""Raw text becomes comparable text, with the way back to the original's offsets."""

from neardup.normalise.texts import Normaliser, string_column

__all__ = ["Normaliser", "string_column"]
