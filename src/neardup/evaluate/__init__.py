"""Measure a result against gold labels or a gold list of pairs.

Labels are compared through a contingency table, without listing pairs: time O(N log N), memory O(N) for N documents.
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
