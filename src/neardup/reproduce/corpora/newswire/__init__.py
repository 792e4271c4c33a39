"""News stories, generated or real, and duplicate sets planted among them.

Based on Conrad, Guo & Schriber 2003: `stories` generates texts, `versions` edits them by the categories of section 3,
`planting` builds a collection with known duplicate sets.
"""

from neardup.reproduce.corpora.newswire.planting import COPY_DAYS, LEAST_WORDS, Item, plant_sets
from neardup.reproduce.corpora.newswire.stories import Story, invent_stories
from neardup.reproduce.corpora.newswire.versions import CATEGORIES

__all__ = ["CATEGORIES", "COPY_DAYS", "LEAST_WORDS", "Item", "Story", "invent_stories", "plant_sets"]
