"""Gold labels, lists of pairs, and the measures of a result against them.

Labels are compared by contingency tables: no pair is ever listed, time O(N log N), memory O(N) for N documents.
"""

from neardup.evaluate.chains import ChainBreak
from neardup.evaluate.evaluation import Evaluation, evaluate, evaluate_labels
from neardup.evaluate.pairlists import PairEvaluation, evaluate_pairs, holds_pairs
from neardup.evaluate.relations import RelationScores

__all__ = [
    "ChainBreak",
    "Evaluation",
    "PairEvaluation",
    "RelationScores",
    "evaluate",
    "evaluate_labels",
    "evaluate_pairs",
    "holds_pairs",
]
