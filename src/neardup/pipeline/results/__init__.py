"""From what a recipe found to the result that users get: clusters by document, tables, the recall audit."""

from neardup.pipeline.results.result import make_result

__all__ = ["make_result"]
