"""Gold labels and the measures of a result against them, all from contingency tables.

No pair is ever listed: time O(N log N), memory O(N) for N documents.
"""

from neardup.evaluate.evaluation import Evaluation, evaluate, evaluate_labels
from neardup.evaluate.relations import RelationScores

__all__ = ["Evaluation", "RelationScores", "evaluate", "evaluate_labels"]
